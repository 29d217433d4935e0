import { openEventLog } from "../../src/event-log/open.ts";
import { type CloudEvent, toNatsSubject } from "../../src/events/envelope.ts";

/** Appends events or raw bodies, valid or not, to the journal of a data directory, as a faulty shop would. */
export async function appendRaw(
  dataDir: string,
  bodies: readonly (string | CloudEvent)[],
): Promise<void> {
  const eventLog = await openEventLog("journal:", { dataDir, now: Date.now });
  const { last } = await eventLog.bounds();
  await eventLog.append(
    bodies.map((body, at) => ({
      id: `raw-${last + at}`,
      subject: typeof body === "string" ? "shop.product.1" : toNatsSubject(body.subject),
      headers: { "content-type": "application/cloudevents+json" },
      body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
    })),
  );
  await eventLog.close();
}

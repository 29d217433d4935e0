import { setTimeout as delay } from "node:timers/promises";
import { toMessage } from "../../src/events/envelope.ts";
import { importBuilt } from "./import-built.ts";
import { seeded } from "./seeded.ts";

/**
 * A process that appends stock events to the journal of a data directory at a steady rate, a hundred times a second.
 * Arguments: the data directory, events per second, the highest product id.
 */

const { openEventLog } =
  await importBuilt<typeof import("../../src/event-log/open.ts")>("event-log/open");

const [dataDir = "", rate, products] = process.argv.slice(2);
const eventLog = await openEventLog("journal:", { dataDir, now: Date.now });
const chance = seeded(7);

const stockMessage = (number: number) => {
  const productId = 1 + chance.below(Number(products));
  return toMessage({
    specversion: "1.0",
    id: `bench-${number}`,
    source: "/shops/demo",
    type: "shop.stock.changed",
    subject: `stock/${productId}`,
    time: new Date().toISOString(),
    sequence: String(10_000_000 + number),
    datacontenttype: "application/json",
    // Half of the events change the availability, far more than in most shops.
    data: { productId, quantity: chance.below(2) },
  });
};

process.once("disconnect", () => process.exit(0));
process.send?.({ port: 0 });
const start = performance.now();
for (let done = 0; ; ) {
  const due = Math.floor(((performance.now() - start) / 1000) * Number(rate)) - done;
  if (due > 0)
    await eventLog.append(Array.from({ length: due }, (_, at) => stockMessage(done + at)));
  done += due;
  await delay(10);
}

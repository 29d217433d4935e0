import { join } from "node:path";
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { EventLog, NewMessage } from "../../src/event-log/event-log.ts";
import { openEventLog } from "../../src/event-log/open.ts";
import { toMessage } from "../../src/events/envelope.ts";
import { readEventFile, validateNdjson } from "../../src/events/ndjson.ts";
import { packageRoot } from "../../src/package-info.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { productUpserted } from "../helpers/events.ts";
import { history } from "../helpers/histories.ts";
import { startNats } from "../helpers/nats.ts";
import { isLiveAt, startProjector } from "../helpers/projector.ts";

const test = suite("one model from both event logs");

const demoShop = async (): Promise<NewMessage[]> => {
  const messages: NewMessage[] = [];
  const file = join(packageRoot, "deploy/demo/shop.ndjson");
  for await (const line of validateNdjson(readEventFile(file), Date.now())) {
    if (line.ok) messages.push(line.message);
  }
  return messages;
};

const randomLives = (): NewMessage[] =>
  fc
    .sample(history, { numRuns: 40, seed: 7 })
    .flat()
    .map((event) =>
      toMessage({ ...event, subject: String(event.subject) }, Buffer.from(JSON.stringify(event))),
    );

const modelOf = async (log: EventLog, messages: readonly NewMessage[]) => {
  const home = temporaryDirectory();
  await log.append(messages);
  const projector = startProjector(join(home.path, "data"), log);
  try {
    const { last } = await log.bounds();
    assert.is(last, messages.length);
    const { tally } = await projector.until(isLiveAt(last));
    return { digest: await projector.digest(), tally };
  } finally {
    await projector.stop();
    home.remove();
  }
};

test("journal and NATS give byte-identical models of the demo shop, random histories and invalid events", async () => {
  const bad: NewMessage = { ...toMessage(productUpserted()), id: "bad", body: Buffer.from("{") };
  const messages = [...(await demoShop()), ...randomLives(), bad];
  const home = temporaryDirectory();
  const nats = await startNats();
  const now = Date.now;
  const journal = await openEventLog("journal:", { dataDir: home.path, now });
  const stream = await openEventLog(nats.url, { dataDir: home.path, now });
  try {
    const fromJournal = await modelOf(journal, messages);
    const fromNats = await modelOf(stream, messages);
    assert.is(fromJournal.tally.rejected, 1);
    assert.ok(fromJournal.tally.stale > 0 && fromJournal.tally.applied > 5_900);
    assert.equal(fromNats, fromJournal);
  } finally {
    await journal.close();
    await stream.close();
    await nats.stop();
    home.remove();
  }
});

test.run();

/** Reads of a journal and of a stream whose history changed. */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { EventLog } from "../../../src/event-log/event-log.ts";
import { readContinuous } from "../../../src/projector/continuity/read-continuous.ts";
import { journals, openShop, streams } from "../../event-log/implementations.ts";
import { type Follower, follow, messages, sequencesOf } from "../../event-log/messages.ts";
import { rejects } from "../../event-log/rejects.ts";
import { streamSuite } from "../../event-log/stream-suite.ts";
import { copyStore, editBetweenStarts, restoreStore, startNats } from "../../helpers/nats.ts";

const stream = streamSuite("a continuous read of a stream");

const followContinuously = (log: EventLog): Follower =>
  follow({ read: (options) => readContinuous(log, options) });

/** Reads the next chunk after a position. */
const readNext = async (
  log: EventLog,
  options: { readonly after: number; readonly subjects?: readonly string[] },
  reference: Parameters<typeof readContinuous>[2],
): Promise<void> => {
  for await (const _ of readContinuous(log, { ...options, follow: false }, reference)) break;
};

stream(
  "a stream that was deleted and created again is a divergence, also for a later read",
  async ({ operator, log }) => {
    await log.append(messages(1, 5));
    const identity = await log.identity();
    const follower = followContinuously(log);
    await follower.sees(5);
    await operator.streams.delete("SHOP");
    await rejects(() => log.bounds(), "event_log", /unknown stream/);
    await operator.streams.add({ name: "SHOP", subjects: ["shop.>"] });
    await log.append(messages(11, 19));
    await rejects(() => follower.ends(), "divergence", /is another log/);
    assert.is(follower.seen.length, 5);
    await rejects(() => readNext(log, { after: 5 }, { identity }), "divergence", /is another log/);
  },
);

stream(
  "a stream that was created again with the same records is a divergence",
  async ({ operator, log }) => {
    await log.append(messages(1, 5));
    const follower = followContinuously(log);
    await follower.sees(5);
    await operator.streams.delete("SHOP");
    await operator.streams.add({ name: "SHOP", subjects: ["shop.>"] });
    await log.append(messages(1, 6));
    await rejects(() => follower.ends(), "divergence", /is another log/);
    assert.is(follower.seen.length, 5);
  },
);

stream(
  "history rewritten while the reader was disconnected is a divergence",
  async ({ server, log, operator }) => {
    await log.append(messages(1, 3));
    await operator.disconnect();
    const copy = await copyStore(server);
    await log.append(messages(4, 6));
    const follower = followContinuously(log);
    await follower.sees(6);
    await restoreStore(server, copy);
    const other = await startNats("", server.store);
    const elsewhere = await openShop(other.url);
    await elsewhere.append(messages(14, 18));
    await elsewhere.close();
    await other.stop();
    await server.start();
    await rejects(() => follower.ends(), "divergence", /another event at sequence 6/);
    assert.is(follower.seen.length, 6);
    await other.remove();
  },
);

stream("a stream whose edit changed its creation time is read on", async ({ log, server }) => {
  await log.append(messages(1, 3));
  const follower = followContinuously(log);
  await follower.sees(3);
  await editBetweenStarts(server);
  await log.append(messages(4, 5));
  assert.equal(sequencesOf(await follower.sees(5)), [1, 2, 3, 4, 5]);
  await follower.stop();
});

stream.run();

for (const [name, start] of Object.entries({ "a journal": journals, "a stream": streams })) {
  const test = suite(`a continuous read of ${name}`);

  test("another log than the one that was read is a divergence, also for a read of one subject", async () => {
    const { newLog, remove } = await start();
    const log = await (await newLog())();
    await log.append(messages(1, 3));
    const actual = await log.identity();
    const others = [
      { ...actual, created: "2020-01-01T00:00:00.000Z" },
      { ...actual, name: "B" },
    ];
    for (const identity of others) {
      for (const options of [{ after: 0 }, { after: 0, subjects: ["shop.product.1"] }]) {
        const read = () => readNext(log, options, { identity });
        await rejects(read, "divergence", /is another log/);
      }
    }
    await readNext(log, { after: 0 }, { identity: actual });
    await log.close();
    await remove();
  });

  test.run();
}

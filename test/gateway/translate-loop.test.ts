import { suite } from "uvu";
import * as assert from "uvu/assert";
import { ignored, type Outcome } from "../../src/connectors/delivery.ts";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { type Inbox, openInbox } from "../../src/gateway/inbox/inbox.ts";
import { startTranslateLoop } from "../../src/gateway/translate-loop.ts";
import { createLogger } from "../../src/log.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { until } from "../helpers/vitrine.ts";

const test = suite<{ inbox: Inbox }>("translation of an inbox");

test.before.each((context) => {
  context.inbox = openInbox(temporaryDirectory().path);
});
test.after.each(({ inbox }) => inbox.close());

const arrivedAt = "2026-11-01T12:00:00.000Z";

const append = (inbox: Inbox, ...topics: readonly string[]): readonly number[] =>
  inbox.append(
    topics.map((topic) => ({ topic, headers: {}, arrivedAt, bytes: 2, body: Buffer.from("{}") })),
  );

/** Publishes a deletion of a product for each delivery, and throws at the topic `bug`. */
const translator = {
  translate({ topic }: { readonly topic: string }): Outcome {
    if (topic === "bug") throw new TypeError("undefined is not a function");
    if (topic === "orders") return ignored("a topic without goods");
    const event = {
      type: "shop.product.deleted",
      data: { id: Number(topic) },
      time: arrivedAt,
    } as const;
    return { outcome: "translated", events: [event], changes: [], leftOut: new Map() };
  },
};

interface LoopOptions {
  readonly translate?: typeof translator;
  readonly appendEvents?: (events: readonly CloudEvent[]) => Promise<void>;
}

const start = (inbox: Inbox, { translate = translator, appendEvents }: LoopOptions = {}) => {
  const published: CloudEvent[] = [];
  const ended = new AbortController();
  const loop = startTranslateLoop({
    ...{ name: "main", source: "/connections/main", translator: translate, inbox },
    appendEvents: appendEvents ?? (async (events) => void published.push(...events)),
    exclusive: (work) => work(),
    onBatch: () => undefined,
    log: createLogger("silent", "test"),
    signal: ended.signal,
  });
  const stop = async (): Promise<void> => {
    ended.abort();
    await loop.ended;
  };
  return { ...loop, published, stop };
};

const untilPosition = (inbox: Inbox, position: number) =>
  until(
    async () => inbox.meta().position,
    (reached) => reached === position,
  );

test("Contract 10: Deliveries 7 an exception stops the connection before the delivery, and keeps the inbox", async ({
  inbox,
}) => {
  append(inbox, "1", "orders", "bug", "4");
  const loop = start(inbox);
  await loop.ended;
  assert.match(loop.bug() ?? "", "delivery 3");
  assert.is(inbox.meta().position, 2);
  assert.equal(
    loop.published.map(({ subject }) => subject),
    ["product/1"],
  );
  append(inbox, "5");
  const mended = start(inbox, {
    translate: {
      translate: (delivery) =>
        translator.translate({ topic: delivery.topic === "bug" ? "3" : delivery.topic }),
    },
  });
  await untilPosition(inbox, 5);
  await mended.stop();
  assert.is(mended.bug(), undefined);
  assert.equal(
    mended.published.map(({ subject }) => subject),
    ["product/3", "product/4", "product/5"],
  );
});

test("Contract 10: Deliveries 4 a batch that could not be committed makes the same events again", async ({
  inbox,
}) => {
  append(inbox, "1", "2");
  const attempts: (readonly string[])[] = [];
  const loop = start(inbox, {
    async appendEvents(events) {
      attempts.push(events.map(({ id }) => id));
      if (attempts.length < 3) throw new Error("the log is away");
    },
  });
  await untilPosition(inbox, 2);
  await loop.stop();
  assert.is(attempts.length, 3);
  assert.is(new Set(attempts.map((ids) => ids.join())).size, 1);
  assert.is(attempts[0]?.length, 2);
});

test("a delivery that arrives later is translated at once, and one of another process within a poll", async ({
  inbox,
}) => {
  const loop = start(inbox);
  append(inbox, "1");
  loop.wake();
  await untilPosition(inbox, 1);
  append(inbox, "2");
  await untilPosition(inbox, 2);
  await loop.stop();
  assert.is(loop.published.length, 2);
});

test("what waits is counted in deliveries and bytes", async ({ inbox }) => {
  append(inbox, "1", "orders", "3");
  assert.equal([inbox.meta().last, inbox.meta().waitingBytes], [3, 6]);
  const loop = start(inbox);
  await untilPosition(inbox, 3);
  await loop.stop();
  assert.is(inbox.meta().waitingBytes, 0);
});

test("Contract 10: Deliveries 4 a batch that was published and not committed is published again with its ids", async ({
  inbox,
}) => {
  append(inbox, "1", "2");
  let commits = 0;
  const failing: Inbox = {
    ...inbox,
    commit(batch) {
      commits += 1;
      if (commits === 1) throw new Error("no space left on device");
      inbox.commit(batch);
    },
  };
  const loop = start(failing);
  await untilPosition(inbox, 2);
  await loop.stop();
  const ids = loop.published.map(({ id }) => id);
  assert.is(ids.length, 4);
  assert.equal(ids.slice(0, 2), ids.slice(2));
});

test("Contract 10: Deliveries 8 translated deliveries go after 7 days, and refused ones after 30", async ({
  inbox,
}) => {
  append(inbox, "1", "2", "3");
  const refused = new Map([[2, { reason: "the body is empty", path: "", at: arrivedAt }]]);
  inbox.commit({ position: 2, bytes: 4, changes: [], refused, counts: new Map(), at: arrivedAt });
  inbox.trim("2026-11-08T12:00:00.000Z");
  assert.is(inbox.meta().storedBytes, 6);
  inbox.trim("2026-11-08T12:00:00.001Z");
  assert.is(inbox.meta().storedBytes, 4);
  inbox.trim("2026-12-01T12:00:00.001Z");
  assert.is(inbox.meta().storedBytes, 2);
  const [waiting] = inbox.readWaiting(1, 1);
  assert.is(waiting?.topic, "3");
});

test.run();

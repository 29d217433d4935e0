import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { EventLog, LogRecord } from "../../../src/event-log/event-log.ts";
import { openJournal } from "../../../src/event-log/journal/index.ts";
import { type CloudEvent, toMessage } from "../../../src/events/envelope.ts";
import { buildDeadLetter } from "../../../src/projector/batch/apply-record.ts";
import { applyBatch } from "../../../src/projector/batch/batch.ts";
import {
  discardDeadLetters,
  retryDeadLetters,
} from "../../../src/projector/dead-letters/dead-letters.ts";
import { createHtmlRenderer } from "../../../src/projector/rendering/index.ts";
import { countOpenDeadLetters } from "../../../src/read-model/operator/discards.ts";
import type { OperatorState } from "../../../src/read-model/operator/state.ts";
import { openReader } from "../../../src/read-model/reader/open-reader.ts";
import { tables } from "../../../src/read-model/schema/tables.ts";
import { openStore, type Store } from "../../../src/read-model/store/store.ts";
import { streams } from "../../event-log/implementations.ts";
import { rejects } from "../../event-log/rejects.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import { property } from "../../helpers/effort.ts";
import {
  categoryUpserted,
  priceChanged,
  productDeleted,
  productPatched,
  productUpserted,
  robotsUpdated,
  settingsUpdated,
  stockChanged,
} from "../../helpers/events.ts";
import { history } from "../../helpers/histories.ts";
import { openOperator } from "../../helpers/operator.ts";
import { trimJournal } from "../../helpers/trim-journal.ts";
import { follow, openMirror, readerAt, sorted } from "../../surfaces/feed/mirror.ts";

const test = suite("dead letters");
const rendering = createHtmlRenderer();

/** A journal with some events, and stores that are filled from it. */
interface Shop {
  readonly eventLog: EventLog;
  /** Operator state that all models of the shop share. */
  readonly operator: OperatorState;
  readonly journal: string;
  /** A model of an older version that rejected the events of these sequences. */
  model(refused?: readonly number[]): Promise<Store>;
}

const newId = (() => {
  let count = 0;
  return () => {
    count += 1;
    return `letter-${count}`;
  };
})();

const withShop = async (
  events: readonly (CloudEvent | string)[],
  use: (shop: Shop) => Promise<void>,
): Promise<void> => {
  const directory = temporaryDirectory();
  const journal = join(directory.path, "journal");
  const eventLog = openJournal({ directory: journal, now: () => Date.UTC(2026, 9, 1, 9) });
  const operator = await openOperator(join(directory.path, "data"));
  const stores: Store[] = [];
  try {
    await eventLog.append(events.map(messageOf));
    await use({
      eventLog,
      operator,
      journal,
      async model(refused = []) {
        const store = openStore(join(directory.path, newId()), { readOnly: false });
        stores.push(store);
        operators.set(store, operator);
        await fill(store, eventLog, refused);
        return store;
      },
    });
  } finally {
    for (const store of stores) await store.close();
    await operator.close();
    await eventLog.close();
    directory.remove();
  }
};

const operators = new WeakMap<Store, OperatorState>();
const operatorOf = (store: Store): OperatorState => {
  const operator = operators.get(store);
  if (!operator) throw new Error("the store has no operator state");
  return operator;
};

const messageOf = (event: CloudEvent | string) =>
  typeof event === "string"
    ? toMessage({ id: newId(), source: "/shops/test", subject: "product/1" }, Buffer.from(event))
    : { ...toMessage(event), id: newId() };

const fill = async (store: Store, eventLog: EventLog, refused: readonly number[]) => {
  const identity = await eventLog.identity();
  for await (const chunk of eventLog.read({ after: 0, follow: false })) {
    const seen = chunk.map((record) =>
      refused.includes(record.sequence) ? spoiled(record) : record,
    );
    applyBatch(store, seen, { identity, rendering });
    const bytes = new Map(chunk.map((record) => [record.sequence, record]));
    store.transaction((stored) => {
      for (const sequence of refused) {
        const record = bytes.get(sequence);
        if (record)
          stored.put(tables.deadLetters, sequence, buildDeadLetter(record, earlierRejection));
      }
      const checkpoint = store.get(tables.meta, "checkpoint");
      const fingerprints = checkpoint?.fingerprints.filter(
        ({ sequence }) => !refused.includes(sequence),
      );
      if (checkpoint && fingerprints)
        stored.put(tables.meta, "checkpoint", { ...checkpoint, fingerprints });
    });
  }
};

const spoiled = (record: LogRecord): LogRecord => ({ ...record, body: Buffer.from("?") });
const earlierRejection = {
  code: "version",
  reason: "newer than this service knows",
  field: null,
} as const;

const generationOf = (store: Store) => ({ name: "0001", store });
const retry = (store: Store, eventLog: EventLog, sequences: readonly number[] | null = null) =>
  retryDeadLetters(generationOf(store), eventLog, rendering, operatorOf(store), sequences);
const discard = (store: Store, sequences: readonly number[] | null) =>
  discardDeadLetters(generationOf(store), operatorOf(store), sequences);
const openIn = (store: Store) => countOpenDeadLetters(store, operatorOf(store));
const tallyOf = (store: Store) => store.get(tables.meta, "checkpoint")?.tally;
const at = (minute: number) => ({ time: new Date(Date.UTC(2026, 9, 1, 8, minute)).toISOString() });

test("a retry gives the rows of a replay, whatever was rejected before", async () => {
  await fc.assert(
    fc.asyncProperty(
      history,
      fc.uniqueArray(fc.integer({ min: 1, max: 40 })),
      async (events, picked) =>
        withShop(events, async ({ eventLog, model }) => {
          const refused = picked.filter((sequence) => sequence <= events.length);
          const [mended, clean] = [await model(refused), await model()];
          await retry(mended, eventLog);
          assert.equal(mended.digest(), clean.digest());
          assert.equal(tallyOf(mended), tallyOf(clean));
          const times = [mended, clean].map(
            (store) => store.get(tables.meta, "checkpoint")?.lastEventTime,
          );
          assert.is(times[0], times[1]);
        }),
    ),
    property(150),
  );
});

test("Contract 11, rule 24: followers are told of a retry with the next event", async () => {
  await fc.assert(
    fc.asyncProperty(
      history,
      fc.uniqueArray(fc.integer({ min: 2, max: 40 }), { minLength: 1 }),
      async (events, picked) =>
        withShop([settingsUpdated(), ...events], async ({ eventLog, model }) => {
          const store = await model(picked.filter((sequence) => sequence <= events.length + 1));
          const reader = readerAt(store, () => Date.UTC(2026, 9, 2, 2));
          const mirror = openMirror();
          const claimed = follow(mirror, reader);
          const { changeCount } = mirror;
          await retry(store, eventLog);
          assert.is(follow(mirror, reader), claimed);
          assert.is(mirror.changeCount, changeCount);
          await eventLog.append([messageOf(robotsUpdated("User-agent: retry"))]);
          await applyRest(store, eventLog);
          follow(mirror, reader);
          const fresh = openMirror();
          follow(fresh, reader);
          assert.equal(sorted(mirror.lines), sorted(fresh.lines));
        }),
    ),
    property(100),
  );
});

const applyRest = async (store: Store, eventLog: EventLog): Promise<void> => {
  const identity = await eventLog.identity();
  const after = store.get(tables.meta, "checkpoint")?.sequence ?? 0;
  for await (const chunk of eventLog.read({ after, follow: false }))
    applyBatch(store, chunk, { identity, rendering });
};

test("a retry changes the pages version, though no event arrived", async () => {
  const events = [productUpserted({ id: 1 }), productUpserted({ id: 2 })];
  await withShop(events, async ({ eventLog, model }) => {
    const store = await model([2]);
    const pages = () => openReader(store).snapshot((snapshot) => snapshot.pagesVersion());
    const before = pages();
    await retry(store, eventLog);
    assert.is.not(pages(), before);
  });
});

test("a retry of one dead letter includes those of the same entity, and no others", async () => {
  const events = [
    productUpserted({ name: "First" }, at(1)),
    productPatched({ name: "Second" }, at(2)),
    priceChanged({}, at(3)),
    stockChanged({}, at(4)),
    productUpserted({ id: 2 }, at(5)),
  ];
  await withShop(events, async ({ eventLog, model }) => {
    const store = await model([1, 2, 3, 4, 5]);
    const { retried } = await retry(store, eventLog, [2]);
    assert.equal(
      retried.map(({ sequence, outcome }) => [sequence, outcome]),
      [1, 2, 3].map((sequence) => [sequence, "applied"]),
    );
    assert.equal([...store.keys(tables.deadLetters)], [4, 5]);
    assert.is(store.get(tables.counters, "deadLetters"), 2);
    assert.is(store.get(tables.products, 1)?.name, "Second");
    assert.is(store.get(tables.offers, 1)?.stock.orderable, false);
    await retry(store, eventLog, [4]);
    assert.is(store.get(tables.offers, 1)?.stock.orderable, true);
  });
});

test("a dead letter that is rejected again stays, with its current reason", async () => {
  const wrong = productUpserted({ id: 2, price: { amount: "free", currency: "EUR" } });
  await withShop(["nonsense", wrong, productUpserted()], async ({ eventLog, model }) => {
    const [store, clean] = [await model([1, 2]), await model()];
    const { retried } = await retry(store, eventLog);
    assert.equal(
      retried.map(({ sequence, outcome, field }) => [sequence, outcome, field]),
      [
        [1, "refused", null],
        [2, "refused", "data.price.amount"],
      ],
    );
    assert.match(retried[0]?.reason ?? "", /JSON/);
    assert.equal(store.digest(), clean.digest());
  });
});

test("a dead letter that is older than the model is accepted as stale", async () => {
  const events = [productUpserted({ name: "New" }, at(9)), productUpserted({ name: "Old" }, at(1))];
  await withShop(events, async ({ eventLog, model }) => {
    const store = await model([2]);
    const { retried } = await retry(store, eventLog);
    assert.is(retried[0]?.outcome, "stale");
    assert.is(store.get(tables.products, 1)?.name, "New");
    assert.is(store.get(tables.counters, "deadLetters"), undefined);
  });
});

test("a retry reports events that are now rejected because of what was applied before them", async () => {
  const events = [
    productUpserted({ id: 1, price: { amount: "5.00", currency: "EUR" } }, at(1)),
    productPatched({ id: 1, price: null }, at(2)),
    productPatched({ id: 1, price: { amount: "7.00" } }, at(3)),
  ];
  await withShop(events, async ({ eventLog, model }) => {
    const [store, clean] = [await model([2]), await model()];
    const { retried, refused } = await retry(store, eventLog);
    assert.is(retried[0]?.outcome, "applied");
    assert.equal(
      refused.map(({ sequence, field }) => [sequence, field]),
      [[3, "data.price"]],
    );
    assert.equal(store.digest(), clean.digest());
  });
});

test("an event with a wrong log subject is applied to its own entity", async () => {
  await withShop([settingsUpdated()], async ({ eventLog, model }) => {
    const stray = { ...toMessage(productUpserted({ id: 7 })), subject: "shop.elsewhere" };
    await eventLog.append([stray]);
    const [store, clean] = [await model([2]), await model()];
    await retry(store, eventLog);
    assert.equal(store.digest(), clean.digest());
  });
});

test("where history was trimmed, dead letters are applied on top of the model", async () => {
  const events = [
    productUpserted({ name: "Kept", brand: "Acme" }, at(1)),
    productPatched({ name: "Patched" }, at(2)),
    stockChanged({}, at(3)),
    settingsUpdated({}, at(4)),
  ];
  await withShop(events, async ({ eventLog, journal, model }) => {
    const [store, clean] = [await model([2]), await model()];
    await trimJournal(journal, 4);
    const { retried } = await retry(store, eventLog, [2]);
    assert.is(retried[0]?.outcome, "applied");
    assert.equal(store.digest(), clean.digest());
  });
});

test("a retry does not apply events after the checkpoint", async () => {
  await withShop([productUpserted({ name: "Then" }, at(1))], async ({ eventLog, model }) => {
    const store = await model([1]);
    await eventLog.append([messageOf(productUpserted({ name: "Later" }, at(2)))]);
    await retry(store, eventLog);
    assert.is(store.get(tables.products, 1)?.name, "Then");
    const records = [await eventLog.get(2)].flatMap((record) => record ?? []);
    applyBatch(store, records, { identity: await eventLog.identity(), rendering });
    assert.is(store.get(tables.products, 1)?.name, "Later");
  });
});

test("a retry does not report rejections of events after the checkpoint", async () => {
  await withShop([categoryUpserted({ id: 1 }, at(1))], async ({ eventLog, model }) => {
    const store = await model([1]);
    await eventLog.append([messageOf(categoryUpserted({ id: 2, parentId: 2 }, at(2)))]);
    await eventLog.append([messageOf(categoryUpserted({ id: 1, parentId: 1 }, at(3)))]);
    const { refused } = await retry(store, eventLog);
    assert.equal(refused, []);
    assert.equal([...store.keys(tables.deadLetters)], []);
  });
});

test("a retry keeps nothing when another process applied events meanwhile", async () => {
  await withShop([productUpserted({ name: "Then" }, at(1))], async ({ eventLog, model }) => {
    const store = await model([1]);
    await eventLog.append([messageOf(productUpserted({ name: "Later" }, at(2)))]);
    const identity = await eventLog.identity();
    const records = [await eventLog.get(2)].flatMap((record) => record ?? []);
    let isApplied = false;
    async function* read(options: Parameters<EventLog["read"]>[0]) {
      applyBatch(store, records, { identity, rendering });
      isApplied = true;
      yield* eventLog.read(options);
    }
    await rejects(() => retry(store, { ...eventLog, read }), "reopen", /to event 2 while/);
    assert.ok(isApplied);
    assert.is(store.get(tables.products, 1)?.name, "Later");
    assert.is(store.get(tables.meta, "checkpoint")?.sequence, 2);
    assert.equal([...store.keys(tables.deadLetters)], [1]);
  });
});

test("a retry requests many dead letters from the log concurrently", async () => {
  const events = Array.from({ length: 150 }, (_, nth) => productUpserted({ id: 1 + nth }));
  await withShop(events, async ({ eventLog, model }) => {
    let [waiting, most] = [0, 0];
    const counting: EventLog = {
      ...eventLog,
      async get(sequence) {
        waiting += 1;
        most = Math.max(most, waiting);
        await nextTurn();
        waiting -= 1;
        return eventLog.get(sequence);
      },
    };
    const letters = Array.from({ length: 130 }, (_, nth) => 1 + nth);
    const [store, clean] = [await model(letters), await model()];
    const { retried } = await retry(store, counting);
    assert.is(retried.length, 130);
    assert.is(most, 64);
    assert.equal(store.digest(), clean.digest());
  });
});

test("a dead letter with a new reason is stored as by a replay", async () => {
  const events = [productUpserted(), productUpserted({ id: 2, name: 5 as never })];
  await withShop(events, async ({ eventLog, model }) => {
    const [mended, clean] = [await model([2]), await model()];
    assert.is(mended.get(tables.deadLetters, 2)?.code, earlierRejection.code);
    await retry(mended, eventLog);
    assert.equal(mended.digest(), clean.digest());
  });
});

test("a failing projection leaves everything unchanged", async () => {
  await withShop([productUpserted()], async ({ eventLog, model }) => {
    const store = await model([1]);
    const before = store.digest();
    const broken = { ...rendering, markdown: () => assert.unreachable("a bug") as never };
    await rejects(
      () => retryDeadLetters(generationOf(store), eventLog, broken, operatorOf(store), null),
      "projection",
      /sequence 1/,
    );
    assert.equal(store.digest(), before);
  });
});

test("a retry on a broker gives the rows of a replay", async () => {
  const broker = await streams();
  const directory = temporaryDirectory();
  const eventLog = await (await broker.newLog())();
  const events = [
    settingsUpdated(),
    categoryUpserted({ id: 1 }, at(1)),
    productUpserted({ categoryIds: [1] }, at(2)),
    "nonsense",
    categoryUpserted({ id: 2, parentId: 1 }, at(3)),
    productPatched({ name: "Patched" }, at(4)),
    ...[3, 4, 5, 6, 7].map((id) => categoryUpserted({ id, parentId: id - 1 }, at(5))),
  ];
  await eventLog.append(events.map(messageOf));
  const [mended, clean] = ["mended", "clean"].map((name) =>
    openStore(join(directory.path, name), { readOnly: false }),
  ) as [Store, Store];
  const operator = await openOperator(join(directory.path, "data"));
  operators.set(mended, operator);
  await fill(mended, eventLog, [2, 3, 6, 7]);
  await fill(clean, eventLog, []);
  const { retried } = await retry(mended, eventLog);
  assert.is(retried.filter(({ outcome }) => outcome === "applied").length, 4);
  assert.equal(mended.digest(), clean.digest());
  for (const store of [mended, clean]) await store.close();
  await operator.close();
  await eventLog.close();
  await broker.remove();
  directory.remove();
});

test("a retry rejects a sequence that is not a dead letter, and another log", async () => {
  await withShop(["nonsense", productDeleted()], async ({ eventLog, model }) => {
    const store = await model();
    await rejects(
      () => retry(store, eventLog, [1, 2]),
      "unknown",
      /no dead letter with sequence 2/,
    );
    assert.throws(() => discard(store, [2]), /no dead letter/);
    await withShop(["nonsense"], async (other) => {
      await rejects(() => retry(store, other.eventLog), "divergence", /another log/);
    });
    assert.equal([...store.keys(tables.deadLetters)], [1]);
  });
});

test("a retry or discard without dead letters is not an error", async () => {
  await withShop([], async ({ eventLog, model }) => {
    const store = await model();
    assert.equal(await retry(store, eventLog), { retried: [], refused: [] });
    assert.equal(discard(store, null), { discarded: [] });
    assert.is(openIn(store), 0);
  });
});

test("a discarded dead letter stays, is not counted, and is skipped by a retry of all", async () => {
  await withShop(["nonsense", productUpserted()], async ({ eventLog, operator, model }) => {
    const store = await model([2]);
    const before = store.digest();
    assert.is(openIn(store), 2);
    assert.equal(discard(store, [2]), { discarded: [2] });
    assert.equal(discard(store, [2]), { discarded: [2] });
    assert.is(openIn(store), 1);
    assert.equal(store.digest(), before, "no event records a discard");
    const all = await retry(store, eventLog);
    assert.equal(
      all.retried.map(({ sequence }) => sequence),
      [1],
    );
    const [count] = (await retry(store, eventLog, [2])).retried;
    assert.is(count?.outcome, "applied");
    assert.equal(operator.rows(), []);
    assert.is(openIn(store), 1);
  });
});

test("discards apply to each generation that rejected the same events", async () => {
  await withShop(["nonsense", productUpserted()], async ({ model }) => {
    const [previous, next] = [await model([2]), await model()];
    assert.equal(discard(previous, null), { discarded: [1, 2] });
    assert.equal([openIn(previous), openIn(next)], [0, 0]);
  });
});

test("a discard applies to its event only, not to another event or log at its sequence", async () => {
  await withShop(["nonsense", "nonsense"], async ({ operator, model }) => {
    const store = await model();
    discard(store, [1]);
    const letter = store.get(tables.deadLetters, 1);
    const checkpoint = store.get(tables.meta, "checkpoint");
    assert.ok(letter && checkpoint);
    const other = await model();
    const body = Buffer.from("other nonsense").toString("base64");
    other.transaction((stored) => stored.put(tables.deadLetters, 1, { ...letter, body }));
    assert.is(countOpenDeadLetters(other, operator), 2);
    const renamed = await model();
    renamed.transaction((stored) => {
      const identity = { ...checkpoint.identity, name: "another" };
      stored.put(tables.meta, "checkpoint", { ...checkpoint, identity });
    });
    assert.is(countOpenDeadLetters(renamed, operator), 2);
    // A broker may report another creation time of the same log.
    const edited = await model();
    edited.transaction((stored) => {
      const identity = { ...checkpoint.identity, created: "2020-01-01T00:00:00Z" };
      stored.put(tables.meta, "checkpoint", { ...checkpoint, identity });
    });
    assert.is(countOpenDeadLetters(edited, operator), 1);
    // A discard there replaces the other one.
    assert.equal(discard(other, [1]), { discarded: [1] });
    assert.equal([openIn(other), openIn(store)], [1, 2]);
  });
});

test.run();

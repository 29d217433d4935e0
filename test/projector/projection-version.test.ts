import { rmSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { VitrineError } from "../../src/errors.ts";
import type { EventLog } from "../../src/event-log/event-log.ts";
import { openJournal } from "../../src/event-log/journal/index.ts";
import { closeTables, openTables } from "../../src/event-log/journal/tables.ts";
import {
  discardDeadLetters,
  retryDeadLetters,
} from "../../src/projector/dead-letters/dead-letters.ts";
import { openGeneration } from "../../src/projector/open-generation.ts";
import { createHtmlRenderer } from "../../src/projector/rendering/index.ts";
import { readComparison } from "../../src/read-model/compare/comparison-file.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { countOpenDeadLetters } from "../../src/read-model/operator/discards.ts";
import { openReader } from "../../src/read-model/reader/open-reader.ts";
import type { Snapshot } from "../../src/read-model/reader/reader.ts";
import { tables } from "../../src/read-model/schema/tables.ts";
import { readFlag } from "../../src/read-model/store/damage-flag.ts";
import { openStore } from "../../src/read-model/store/store.ts";
import { textData } from "../../src/text/text-data.ts";
import { productDeleted, productUpserted, settingsUpdated } from "../helpers/events.ts";
import { openOperator } from "../helpers/operator.ts";
import { append, isLiveAt, startProjector } from "../helpers/projector.ts";
import { markTextData, otherTextData } from "../helpers/text-data.ts";
import { trimJournal } from "../helpers/trim-journal.ts";
import {
  type JournalContext,
  open,
  productCount,
  products,
  suiteOfJournal,
} from "./journal-suite.ts";

const test = suiteOfJournal("a model that other versions of the projections wrote");

/** A model of three products as an earlier version made it; its log is closed. */
const writtenEarlier = async ({ log, data }: JournalContext): Promise<void> => {
  await append(log, settingsUpdated(), ...products(3));
  const before = startProjector(data, log);
  await before.until(isLiveAt(4));
  await before.stop();
  await log.close();
  const previous = openStore(before.directory.live() ?? "", { readOnly: false });
  previous.transaction((stored) => {
    const checkpoint = stored.get(tables.meta, "checkpoint");
    assert.ok(checkpoint);
    stored.put(tables.meta, "checkpoint", { ...checkpoint, projections: "product.0" });
  });
  await previous.close();
};

test("a model of an earlier version answers until a new one is built, compared and swapped", async ({
  log,
  data,
}) => {
  await append(log, ...products(3), productUpserted({ id: 9, name: 5 as never }));
  const before = startProjector(data, log);
  await before.until(isLiveAt(4));
  await before.stop();
  const previous = openStore(before.directory.live() ?? "", { readOnly: false });
  previous.transaction((stored) => {
    const checkpoint = stored.get(tables.meta, "checkpoint");
    const product = stored.get(tables.products, 1);
    if (!checkpoint || !product) return;
    const projections = checkpoint.projections.replace(/product\.\d+/, "product.0");
    stored.put(tables.meta, "checkpoint", { ...checkpoint, projections });
    stored.put(tables.products, 1, { ...product, name: "As it was" });
  });
  const discards = await openOperator(data);
  discardDeadLetters({ name: "0001", store: previous }, discards, [4]);
  await discards.close();
  await previous.close();
  await append(log, ...products(2, 10));
  const after = startProjector(data, log, { now: () => Date.UTC(2030, 0) });
  await after.until(({ state }) => state === "rebuilding");
  assert.is(await after.read((snapshot) => snapshot.product(1)?.text.name), "As it was");
  await after.until(isLiveAt(6));
  assert.is(await after.read((snapshot) => snapshot.product(1)?.text.name), "Product 1");
  const found = readComparison(after.directory.live() ?? "");
  assert.equal([found?.from, found?.isSame, found?.before.sequence], ["0001", false, 4]);
  assert.is(found?.made, "2030-01-01T00:00:00.000Z");
  const differing = found?.tables.filter(({ first }) => first.length > 0);
  assert.equal(
    differing?.map(({ table, changed }) => [table, changed]),
    [["products", 1]],
  );
  assert.equal(after.directory.generations().length, 2);
  await after.stop();
  const made = openStore(after.directory.live() ?? "", { readOnly: true });
  const operator = await openOperator(data);
  assert.is(countOpenDeadLetters(made, operator), 0);
  await operator.close();
  await made.close();
});

test("a model of an earlier version is not rebuilt from a trimmed log; the status names the way out", async (context) => {
  await writtenEarlier(context);
  await trimJournal(context.journal, 2);
  const trimmed = open(context.journal);
  let isComplete = false;
  const completeBounds = async () => ({
    ...(await trimmed.bounds()),
    ...(isComplete && { isComplete: true }),
  });
  /** Deleted from the end of the log by the shop, unlike earlier events. */
  let isDeleted = false;
  const get: EventLog["get"] = async (sequence) =>
    isDeleted && sequence === 6 ? undefined : trimmed.get(sequence);
  const after = startProjector(context.data, { ...trimmed, bounds: completeBounds, get });
  const { reason } = await after.until(({ state }) => state === "faulted");
  assert.match(reason ?? "", "the projections changed since the model was made; the log no longer");
  assert.equal(after.directory.generations().length, 1);
  assert.is(await productCount(after), 3);
  await append(trimmed, ...products(2, 10));
  const { lagSeconds } = await after.until(({ lagEvents }) => lagEvents === 2);
  await after.until((status) => status.lagSeconds > lagSeconds);
  isDeleted = true;
  for (const snapshot of [1, 2]) {
    const { logLast, ...shown } = await after.until(
      (status) => status.lagSeconds > lagSeconds + 5 * snapshot,
    );
    assert.equal([logLast, shown.lagEvents], [6, 2]);
  }
  isComplete = true;
  await after.until(isLiveAt(6));
  assert.equal(after.directory.generations().length, 2);
  await after.stop();
  await trimmed.close();
});

test("a model of an earlier version that was never live is built again, whatever the log still holds", async (context) => {
  await writtenEarlier(context);
  rmSync(join(context.data, "live"));
  await trimJournal(context.journal, 3);
  const trimmed = open(context.journal);
  const after = startProjector(context.data, trimmed);
  await after.until(isLiveAt(4));
  assert.is(await productCount(after), 2);
  assert.equal(after.directory.generations().length, 1);
  await after.stop();
  await trimmed.close();
});

test("a model of an earlier version answers on while the journal is damaged, which is reported", async (context) => {
  await writtenEarlier(context);
  const damaged = openTables(context.journal, false);
  damaged.env.write(() => damaged.events.removeSync(3));
  await closeTables(damaged);
  const log = open(context.journal);
  let [identityCalls, readings] = [0, 0];
  const bounds: EventLog["bounds"] = () => {
    identityCalls += 1;
    return log.bounds();
  };
  const read: EventLog["read"] = (options) => {
    readings += 1;
    return log.read(options);
  };
  const after = startProjector(context.data, { ...log, bounds, read });
  const { reason } = await after.until(({ state }) => state === "faulted");
  assert.match(reason ?? "", /journal \S+ is damaged: record 3 is not what was written/);
  assert.is(await productCount(after), 3);
  assert.equal(openDataDirectory(context.data).generations().length, 1);
  // Waiting does not repair it: only the identity is checked again, and the damaged journal is not read
  // again.
  const [callsBefore, before] = [identityCalls, readings];
  await after.until(() => identityCalls >= callsBefore + 10);
  assert.is(readings, before);
  await after.stop();
  await log.close();
});

/** A model of a Node with other text data: the row of one product in the name index has another key. */
const madeWithOtherTextData = async (
  { log, data }: JournalContext,
  written: string | undefined,
): Promise<string> => {
  await append(log, settingsUpdated(), ...products(6));
  const before = startProjector(data, log);
  await before.until(isLiveAt(7));
  await before.stop();
  const generation = before.directory.live() ?? "";
  const store = openStore(generation, { readOnly: false });
  store.transaction((stored) => {
    const [first] = [...stored.keys(tables.nameOrder)];
    assert.ok(first);
    stored.remove(tables.nameOrder, first);
    stored.put(tables.nameOrder, [`~${first[0]}`, first[1]], true);
  });
  await store.close();
  await markTextData(generation, written);
  return generation;
};

const idsByName = (snapshot: Snapshot): readonly number[] =>
  snapshot.listing({ sort: "name", limit: 9, offset: 0 }).products.map(({ id }) => id);

for (const [made, written, why] of [
  ["with another ICU", otherTextData, /icu 1\.0 → \d/],
  ["before models stored their text data", undefined, /icu unknown → \d/],
] as const) {
  test(`a model made ${made} answers until a new one is built; the status gives the reason`, async (context) => {
    const { log, data } = context;
    const previous = await madeWithOtherTextData(context, written);
    await append(log, productDeleted(1, { time: "2026-10-02T08:00:00Z" }));
    const after = startProjector(data, log);
    const { reason } = await after.until(({ state }) => state === "rebuilding");
    assert.match(reason ?? "", "the text data of Node changed since the model was made: ");
    assert.match(reason ?? "", why);
    assert.equal(await after.read(idsByName), [2, 3, 4, 5, 6, 1]);
    await after.until(isLiveAt(8));
    // With the key of this Node's text data, the row of the previous key would remain.
    assert.equal(await after.read(idsByName), [2, 3, 4, 5, 6]);
    assert.is(readFlag(previous), undefined);
    assert.is(after.directory.previous(), previous);
    await after.stop();
  });
}

test("a first replay with other text data begins again before anything is added", async (context) => {
  const previous = await madeWithOtherTextData(context, otherTextData);
  rmSync(join(context.data, "live"));
  const after = startProjector(context.data, context.log);
  await after.until(isLiveAt(7));
  assert.equal(await after.read(idsByName), [1, 2, 3, 4, 5, 6]);
  assert.not(after.directory.generations().includes(previous));
  await after.stop();
});

test("no dead letter is applied to a model with other text data", async (context) => {
  const { log, data } = context;
  await append(log, ...products(3), productUpserted({ id: 9, name: 5 as never }));
  const before = startProjector(data, log);
  await before.until(isLiveAt(4));
  await before.stop();
  const generation = before.directory.live() ?? "";
  await markTextData(generation, otherTextData);
  const model = openGeneration(generation);
  const operator = await openOperator(data);
  const refusal = await retryDeadLetters(model, log, createHtmlRenderer(), operator, null).catch(
    (error: VitrineError) => error,
  );
  await operator.close();
  assert.instance(refusal, VitrineError);
  assert.match((refusal as VitrineError).message, "the text data of Node changed");
  await model.store.close();
});

test("a row left by other text data is not damage and causes no full read", async (context) => {
  const generation = await madeWithOtherTextData(context, otherTextData);
  const stale = openStore(generation, { readOnly: false });
  stale.transaction((stored) => stored.put(tables.nameOrder, ["product 0", 99], true));
  const reader = openReader(stale);
  assert.throws(() => reader.snapshot(idsByName), /which others name, is not there/);
  assert.is(readFlag(generation), undefined);
  await stale.close();
  await markTextData(generation, textData());
  const current = openStore(generation, { readOnly: true });
  assert.throws(() => openReader(current).snapshot(idsByName), /which others name, is not there/);
  assert.match(readFlag(generation)?.reason ?? "", 'the row 99 of the table "products"');
  await current.close();
});

const anHour = 3_600_000;

/** A clock of an hour ago, for the journal. */
const longAgo = (): number => Date.now() - anHour;

/** Lag of a model written an hour ago, at the start of its rebuild from the log that then exists. */
const lagDuringRebuild = async (
  context: JournalContext,
  change: () => Promise<void>,
): Promise<{ readonly events: number; readonly seconds: number }> => {
  await context.log.close();
  context.log = openJournal({ directory: context.journal, now: longAgo });
  await writtenEarlier(context);
  await change();
  context.log = open(context.journal);
  const after = startProjector(context.data, context.log);
  const { lagEvents, lagSeconds } = await after.until(({ state }) => state === "rebuilding");
  await after.until(isLiveAt(4));
  await after.stop();
  return { events: lagEvents, seconds: lagSeconds };
};

test("the lag of a complete model does not grow because it is rebuilt", async (context) => {
  const { events, seconds } = await lagDuringRebuild(context, async () => undefined);
  assert.is(events, 0);
  assert.ok(seconds < anHour / 2_000, `${seconds} seconds`);
});

test("the lag of an incomplete model, or of one from another log, is the age of its last event", async (context) => {
  const lacking = await lagDuringRebuild(context, async () => {
    const log = openJournal({ directory: context.journal, now: longAgo });
    await append(log, ...products(1, 10));
    await log.close();
  });
  assert.ok(lacking.seconds > anHour / 2_000, `${lacking.seconds} seconds`);

  rmSync(context.data, { recursive: true });
  rmSync(context.journal, { recursive: true });
  context.log = open(context.journal);
  const another = await lagDuringRebuild(context, async () => {
    rmSync(context.journal, { recursive: true });
    const log = openJournal({ directory: context.journal, now: Date.now });
    await append(log, settingsUpdated(), ...products(3));
    await log.close();
  });
  assert.ok(another.seconds > anHour / 2_000, `${another.seconds} seconds`);
});

test.run();

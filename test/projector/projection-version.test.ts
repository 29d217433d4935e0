import { rmSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { VitrineError } from "../../src/errors.ts";
import type { EventLog } from "../../src/event-log/event-log.ts";
import { openJournal, trimJournal } from "../../src/event-log/journal/index.ts";
import { closeTables, openTables } from "../../src/event-log/journal/tables.ts";
import {
  discardDeadLetters,
  retryDeadLetters,
} from "../../src/projector/dead-letters/dead-letters.ts";
import { openGeneration } from "../../src/projector/open-generation.ts";
import { createHtmlRenderer } from "../../src/projector/rendering/index.ts";
import { readComparison } from "../../src/read-model/compare/comparison-file.ts";
import { openDataDirectory } from "../../src/read-model/generations/data-directory.ts";
import { readFlag } from "../../src/read-model/store/damage-flag.ts";
import { countOpenDeadLetters } from "../../src/read-model/operator/discards.ts";
import { openReader } from "../../src/read-model/reader/open-reader.ts";
import type { Snapshot } from "../../src/read-model/reader/reader.ts";
import { tables } from "../../src/read-model/schema/tables.ts";
import { openStore } from "../../src/read-model/store/store.ts";
import { textData } from "../../src/text/text-data.ts";
import { productDeleted, productUpserted, settingsUpdated } from "../helpers/events.ts";
import { openOperator } from "../helpers/operator.ts";
import { append, isLiveAt, startProjector } from "../helpers/projector.ts";
import { markTextData, otherTextData } from "../helpers/text-data.ts";
import { open, productCount, products, suiteOfJournal, type World } from "./journal-suite.ts";

const test = suiteOfJournal("a model that other versions of the projections wrote");

/** A model of a shop with three products, as if an earlier version had made it; its log is closed. */
const writtenEarlier = async ({ log, data }: World): Promise<void> => {
  await append(log, settingsUpdated(), ...products(3));
  const before = startProjector(data, log);
  await before.until(isLiveAt(4));
  await before.stop();
  await log.close();
  const former = openStore(before.directory.live() ?? "", { readOnly: false });
  former.transaction((stored) => {
    const checkpoint = stored.get(tables.meta, "checkpoint");
    assert.ok(checkpoint);
    stored.put(tables.meta, "checkpoint", { ...checkpoint, projections: "product.0" });
  });
  await former.close();
};

test("answers until another is built, compared and swapped", async ({ log, data }) => {
  await append(log, ...products(3), productUpserted({ id: 9, name: 5 as never }));
  const before = startProjector(data, log);
  await before.until(isLiveAt(4));
  await before.stop();
  const former = openStore(before.directory.live() ?? "", { readOnly: false });
  former.transaction((stored) => {
    const checkpoint = stored.get(tables.meta, "checkpoint");
    const product = stored.get(tables.products, 1);
    if (!checkpoint || !product) return;
    const projections = checkpoint.projections.replace(/product\.\d+/, "product.0");
    stored.put(tables.meta, "checkpoint", { ...checkpoint, projections });
    stored.put(tables.products, 1, { ...product, name: "As it was" });
  });
  const discards = await openOperator(data);
  discardDeadLetters({ name: "0001", store: former }, discards, [4]);
  await discards.close();
  await former.close();
  await append(log, ...products(2, 10));
  const after = startProjector(data, log, { now: () => Date.UTC(2030, 0) });
  await after.until(({ state }) => state === "rebuilding");
  assert.is(await after.read((moment) => moment.product(1)?.name), "As it was");
  await after.until(isLiveAt(6));
  assert.is(await after.read((moment) => moment.product(1)?.name), "Product 1");
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

test("is not made anew of what is left of its history: it answers on, and the way out is told", async (world) => {
  await writtenEarlier(world);
  await trimJournal(world.journal, 2);
  const trimmed = open(world.journal);
  let isWhole = false;
  const whole = async () => ({ ...(await trimmed.bounds()), ...(isWhole && { isComplete: true }) });
  /** Deleted from the end of the log by the shop, which others before it are not. */
  let isDeleted = false;
  const get: EventLog["get"] = async (sequence) =>
    isDeleted && sequence === 6 ? undefined : trimmed.get(sequence);
  const after = startProjector(world.data, { ...trimmed, bounds: whole, get });
  const { reason } = await after.until(({ state }) => state === "faulted");
  assert.match(reason ?? "", "the projections changed since the model was made; the log no longer");
  assert.equal(after.directory.generations().length, 1);
  assert.is(await productCount(after), 3);
  await append(trimmed, ...products(2, 10));
  const { lagSeconds } = await after.until(({ lagEvents }) => lagEvents === 2);
  await after.until((status) => status.lagSeconds > lagSeconds);
  isDeleted = true;
  for (const moment of [1, 2]) {
    const { logLast, ...shown } = await after.until(
      (status) => status.lagSeconds > lagSeconds + 5 * moment,
    );
    assert.equal([logLast, shown.lagEvents], [6, 2]);
  }
  isWhole = true;
  await after.until(isLiveAt(6));
  assert.equal(after.directory.generations().length, 2);
  await after.stop();
  await trimmed.close();
});

test("is begun anew where nobody was shown it yet, whatever the log still holds", async (world) => {
  await writtenEarlier(world);
  rmSync(join(world.data, "live"));
  await trimJournal(world.journal, 3);
  const trimmed = open(world.journal);
  const after = startProjector(world.data, trimmed);
  await after.until(isLiveAt(4));
  assert.is(await productCount(after), 2);
  assert.equal(after.directory.generations().length, 1);
  await after.stop();
  await trimmed.close();
});

test("answers on where the journal is damaged, which is told", async (world) => {
  await writtenEarlier(world);
  const damaged = openTables(world.journal, false);
  damaged.env.write(() => damaged.events.removeSync(3));
  await closeTables(damaged);
  const log = open(world.journal);
  let [looks, readings] = [0, 0];
  const bounds: EventLog["bounds"] = () => {
    looks += 1;
    return log.bounds();
  };
  const read: EventLog["read"] = (options) => {
    readings += 1;
    return log.read(options);
  };
  const after = startProjector(world.data, { ...log, bounds, read });
  const { reason } = await after.until(({ state }) => state === "faulted");
  assert.match(reason ?? "", /journal \S+ is damaged: record 3 is not what was written/);
  assert.is(await productCount(after), 3);
  assert.equal(openDataDirectory(world.data).generations().length, 1);
  // No waiting mends it: whether it is another journal by now is looked at, and the damaged one is not read again.
  const [looked, before] = [looks, readings];
  await after.until(() => looks >= looked + 10);
  assert.is(readings, before);
  await after.stop();
  await log.close();
});

/** A model as a projector on a Node with other text data left it: one product's row in the order of names has another key. */
const madeWithOtherTextData = async (
  { log, data }: World,
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

const idsByName = (moment: Snapshot): readonly number[] =>
  moment.listing({ sort: "name", limit: 9, offset: 0 }).products.map(({ id }) => id);

for (const [made, written, why] of [
  ["with another ICU", otherTextData, /icu 1\.0 → \d/],
  ["before models said what text data they were made with", undefined, /icu unknown → \d/],
] as const) {
  test(`a model made ${made} answers until another is built beside it, and the status says why`, async (world) => {
    const { log, data } = world;
    const former = await madeWithOtherTextData(world, written);
    await append(log, productDeleted(1, { time: "2026-10-02T08:00:00Z" }));
    const after = startProjector(data, log);
    const { reason } = await after.until(({ state }) => state === "rebuilding");
    assert.match(reason ?? "", "the text data of Node changed since the model was made: ");
    assert.match(reason ?? "", why);
    assert.equal(await after.read(idsByName), [2, 3, 4, 5, 6, 1]);
    await after.until(isLiveAt(8));
    // Removed by the key of this Node's text data, the row of the former key would be left.
    assert.equal(await after.read(idsByName), [2, 3, 4, 5, 6]);
    assert.is(readFlag(former), undefined);
    assert.is(after.directory.previous(), former);
    await after.stop();
  });
}

test("a first replay with other text data is begun again before anything is added to it", async (world) => {
  const former = await madeWithOtherTextData(world, otherTextData);
  rmSync(join(world.data, "live"));
  const after = startProjector(world.data, world.log);
  await after.until(isLiveAt(7));
  assert.equal(await after.read(idsByName), [1, 2, 3, 4, 5, 6]);
  assert.not(after.directory.generations().includes(former));
  await after.stop();
});

test("no dead letter is folded into a model made with other text data", async (world) => {
  const { log, data } = world;
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

test("a row that other text data left behind is no damage: nothing is read through for it", async (world) => {
  const generation = await madeWithOtherTextData(world, otherTextData);
  const stale = openStore(generation, { readOnly: false });
  stale.transaction((stored) => stored.put(tables.nameOrder, ["product 0", 99], true));
  const reader = openReader(stale);
  assert.throws(() => reader.snapshot(idsByName), /which others name, is not there/);
  assert.is(readFlag(generation), undefined);
  await stale.close();
  await markTextData(generation, textData());
  const current = openStore(generation, { readOnly: true });
  assert.throws(() => openReader(current).snapshot(idsByName), /which others name, is not there/);
  assert.match(readFlag(generation) ?? "", 'the row 99 of the table "products"');
  await current.close();
});

const anHour = 3_600_000;

/** How long ago events are as the journal has it that is opened with it. */
const longAgo = (): number => Date.now() - anHour;

/** Seconds that a model written an hour ago may be behind as it begins to be made anew from the log that is there then. */
const lagWhileMadeAnew = async (
  world: World,
  change: () => Promise<void>,
): Promise<{ readonly events: number; readonly seconds: number }> => {
  await world.log.close();
  world.log = openJournal({ directory: world.journal, now: longAgo });
  await writtenEarlier(world);
  await change();
  world.log = open(world.journal);
  const after = startProjector(world.data, world.log);
  const { lagEvents, lagSeconds } = await after.until(({ state }) => state === "rebuilding");
  await after.until(isLiveAt(4));
  await after.stop();
  return { events: lagEvents, seconds: lagSeconds };
};

test("one that lacks nothing is no older for being made anew", async (world) => {
  const { events, seconds } = await lagWhileMadeAnew(world, async () => undefined);
  assert.is(events, 0);
  assert.ok(seconds < anHour / 2_000, `${seconds} seconds`);
});

test("one that lacks an event, or was made of another log that ends where it stands, is as old as its last event", async (world) => {
  const lacking = await lagWhileMadeAnew(world, async () => {
    const log = openJournal({ directory: world.journal, now: longAgo });
    await append(log, ...products(1, 10));
    await log.close();
  });
  assert.ok(lacking.seconds > anHour / 2_000, `${lacking.seconds} seconds`);

  rmSync(world.data, { recursive: true });
  rmSync(world.journal, { recursive: true });
  world.log = open(world.journal);
  const another = await lagWhileMadeAnew(world, async () => {
    rmSync(world.journal, { recursive: true });
    const log = openJournal({ directory: world.journal, now: Date.now });
    await append(log, settingsUpdated(), ...products(3));
    await log.close();
  });
  assert.ok(another.seconds > anHour / 2_000, `${another.seconds} seconds`);
});

test.run();

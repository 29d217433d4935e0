import { suite } from "uvu";
import * as assert from "uvu/assert";
import { inTurn, whileUnchanged } from "../../src/http/pages-unchanged.ts";
import { openReader } from "../../src/read-model/open-reader.ts";
import type { Reader } from "../../src/read-model/reader.ts";
import { productUpserted, settingsUpdated } from "../helpers/events.ts";
import { openModel, type TestModel } from "../helpers/model.ts";

interface World {
  /** Two generations of one shop, and who reads them. */
  readonly models: readonly [TestModel, TestModel];
  readonly readers: readonly [Reader, Reader];
}

const test = suite<World>("texts that are written once");

/** Milliseconds that have passed but for the clock: nothing is waited for. */
let passed = 0;
const now = performance.now.bind(performance);
performance.now = () => now() + passed;

test.before.each((world) => {
  const models = [openModel(), openModel()] as const;
  for (const model of models) model.tell(settingsUpdated());
  const readers = models.map(({ store }) => openReader(store));
  Object.assign(world, { models, readers });
});
test.after.each(({ models }) => {
  for (const model of models) model.close();
});

/** A text that takes so many milliseconds, and says of which generation and which writing it is. */
const textThatTakes = (milliseconds: number, [first]: readonly Reader[]) => {
  const writing = { begun: 0, fails: false };
  const text = whileUnchanged(async (reader) => {
    writing.begun += 1;
    const name = `${reader === first ? "first" : "second"} ${writing.begun}`;
    passed += milliseconds;
    if (writing.fails) throw new Error(`${name} cannot be written`);
    return name;
  }, inTurn());
  return { writing, text };
};

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("after a swap a costly one is shown until its next is there", async ({ readers }) => {
  const [first, second] = readers;
  const { text, writing } = textThatTakes(100, readers);
  assert.is(await text(first), "first 1");
  // Long after it was written, and right all the time.
  passed += 60_000;
  assert.is(await text(first), "first 1");
  assert.is(await text(second), "first 1");
  assert.is(writing.begun, 2);
  await settled();
  assert.is(await text(second), "second 2");
  assert.is(writing.begun, 2);
});

test("but for no longer than ten times what it takes, since it was last known to be right", async ({
  readers,
}) => {
  const [first, second] = readers;
  const { text } = textThatTakes(100, readers);
  await text(first);
  passed += 500;
  await text(first);
  passed += 950;
  assert.is(await text(second), "first 1");
  await settled();
  passed += 1_050;
  assert.is(await text(first), "first 3");
});

test("nor when it was wrong before the swap for so long", async ({ models, readers }) => {
  const [first, second] = readers;
  const { text } = textThatTakes(100, readers);
  await text(first);
  models[0].tell(productUpserted());
  assert.is(await text(first), "first 1", "it keeps its share of the time");
  passed += 1_050;
  assert.is(await text(second), "second 2");
});

test("one that is not costly is never older than the model", async ({ models, readers }) => {
  const [first, second] = readers;
  const { text } = textThatTakes(10, readers);
  assert.is(await text(first), "first 1");
  assert.is(await text(first), "first 1");
  assert.is(await text(second), "second 2");
  models[1].tell(productUpserted());
  assert.is(await text(second), "second 3");
});

test("a next one that cannot be written is tried again, and told to whoever waits for it", async ({
  readers,
}) => {
  const [first, second] = readers;
  const { text, writing } = textThatTakes(100, readers);
  await text(first);
  writing.fails = true;
  assert.is(await text(second), "first 1");
  await settled();
  passed += 1_050;
  const refused = await text(second).catch(String);
  assert.is(refused, "Error: second 3 cannot be written");
  writing.fails = false;
  assert.is(await text(second), "second 4");
});

test("whoever asks after an event that nobody waited for gets what is right now", async ({
  models,
  readers,
}) => {
  const [first] = readers;
  const { text } = textThatTakes(100, readers);
  await text(first);
  passed += 60_000;
  await text(first);
  models[0].tell(productUpserted());
  assert.is(await text(first), "first 2");
});

test("it is written once for all who ask, and once more for those who ask after a swap", async ({
  readers,
}) => {
  const [first, second] = readers;
  const { text, writing } = textThatTakes(100, readers);
  const told = [first, first, second, second].map(text);
  assert.is(await told[0], "first 1");
  assert.is(await text(second), "second 2");
  assert.equal(await Promise.all(told), ["first 1", "first 1", "second 2", "second 2"]);
  assert.is(writing.begun, 2);
});

test.run();

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { coalesce, createSerialQueue } from "../../../src/http/cache/coalesce.ts";
import { openReader } from "../../../src/read-model/reader/open-reader.ts";
import type { Reader } from "../../../src/read-model/reader/reader.ts";
import { carrierUpserted, productUpserted, settingsUpdated } from "../../helpers/events.ts";
import { openModel, type TestModel } from "../../helpers/model.ts";

interface World {
  /** Two generations of one shop, and who reads them. */
  readonly models: readonly [TestModel, TestModel];
  readonly readers: readonly [Reader, Reader];
}

const test = suite<World>("texts that are written once");

/** The clock in milliseconds, which the tests alone move on: how busy the machine is does not matter. */
let passed = 0;
const now = performance.now;
test.before(() => {
  performance.now = () => passed;
});
test.after(() => {
  performance.now = now;
});

test.before.each((world) => {
  const models = [openModel(), openModel()] as const;
  for (const model of models) model.apply(settingsUpdated());
  const readers = models.map(({ store }) => openReader(store));
  Object.assign(world, { models, readers });
});
test.after.each(({ models }) => {
  for (const model of models) model.close();
});

/** A text that takes so many milliseconds, and says of which generation and which writing it is. */
const textThatTakes = (milliseconds: number, [first]: readonly Reader[]) => {
  const writing = { begun: 0, fails: false };
  const text = coalesce(async (reader) => {
    writing.begun += 1;
    const name = `${reader === first ? "first" : "second"} ${writing.begun}`;
    passed += milliseconds;
    if (writing.fails) throw new Error(`${name} cannot be written`);
    return name;
  }, createSerialQueue());
  return { writing, text };
};

/** What is waited for until it is told to end. */
const waiting = (): { readonly promise: Promise<void>; resolve(): void } => {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
};

/** Both generations: one was made from the same events. */
const tellBoth = ({ models }: World, id: number): void => {
  for (const model of models) model.apply(productUpserted({ id }));
};

test("after a swap to a generation of the same pages nothing is written anew, however long ago", async (world) => {
  const [first, second] = world.readers;
  tellBoth(world, 1);
  for (const milliseconds of [10, 100]) {
    const { text, writing } = textThatTakes(milliseconds, world.readers);
    assert.is(await text(first), "first 1");
    passed += 60_000;
    assert.is(await text(second), "first 1");
    assert.is(await text(first), "first 1");
    assert.is(writing.begun, 1);
  }
});

test("after a swap to one of other pages it is written at once when that was as long ago as it may be", async (world) => {
  const [first, second] = world.readers;
  const { text } = textThatTakes(100, world.readers);
  tellBoth(world, 1);
  assert.is(await text(first), "first 1");
  world.models[1].apply(productUpserted({ id: 2 }));
  passed += 950;
  assert.is(await text(second), "first 1");
  passed += 100;
  assert.is(await text(second), "second 2");
});

test("a costly one keeps its share of the time, and is then right", async (world) => {
  const [first] = world.readers;
  const { text } = textThatTakes(100, world.readers);
  await text(first);
  tellBoth(world, 1);
  passed += 950;
  assert.is(await text(first), "first 1");
  passed += 100;
  assert.is(await text(first), "first 2");
});

test("one that is not costly is never older than the model", async (world) => {
  const [first, second] = world.readers;
  const { text } = textThatTakes(10, world.readers);
  tellBoth(world, 1);
  assert.is(await text(first), "first 1");
  assert.is(await text(first), "first 1");
  world.models[0].apply(productUpserted({ id: 2 }));
  assert.is(await text(first), "first 2");
  assert.is(await text(second), "second 3");
});

test("what moves no page has nothing written anew", async (world) => {
  const [first] = world.readers;
  const { text } = textThatTakes(10, world.readers);
  tellBoth(world, 1);
  await text(first);
  world.models[0].apply(carrierUpserted());
  assert.is(await text(first), "first 1");
});

test("one that cannot be written is tried again, and told to whoever waits for it", async (world) => {
  const [first] = world.readers;
  const { text, writing } = textThatTakes(100, world.readers);
  writing.fails = true;
  assert.is(await text(first).catch(String), "Error: first 1 cannot be written");
  assert.is(await text(first).catch(String), "Error: first 2 cannot be written");
  writing.fails = false;
  assert.is(await text(first), "first 3");
});

test("it is written once for all who ask, and once more for those who ask after a swap to other pages meanwhile", async ({
  models,
  readers,
}) => {
  const [first, second] = readers;
  const { text, writing } = textThatTakes(10, readers);
  models[1].apply(productUpserted({ id: 2 }));
  const told = [first, first, second, second].map(text);
  assert.is(await told[0], "first 1");
  assert.is(await text(second), "second 2");
  assert.equal(await Promise.all(told), ["first 1", "first 1", "second 2", "second 2"]);
  assert.is(writing.begun, 2);
});

/** A text of how many products there are, whose first writing ends when it is told to, and takes so many milliseconds. */
const textThatWaits = (milliseconds: number) => {
  const { promise: ended, resolve: end } = waiting();
  const { promise: begun, resolve: begin } = waiting();
  let writings = 0;
  const text = coalesce(async (reader) => {
    const products = reader.snapshot((at) => at.counts().products);
    writings += 1;
    begin();
    await ended;
    passed += milliseconds;
    return products;
  }, createSerialQueue());
  return { text, begun, end, writings: () => writings };
};

test("a request after a commit is not answered by a text whose writing began before it, and such requests share one", async (world) => {
  const [first] = world.readers;
  const { text, begun, end, writings } = textThatWaits(1);
  tellBoth(world, 1);
  const before = [text(first), text(first)];
  await begun;
  world.models[0].apply(productUpserted({ id: 2 }));
  const after = [text(first), text(first)];
  world.models[0].apply(productUpserted({ id: 3 }));
  const last = text(first);
  end();
  assert.equal(await Promise.all(before), [1, 1]);
  assert.equal(await Promise.all(after), [3, 3]);
  assert.is(await last, 3);
  assert.is(writings(), 2);
});

test("a costly one keeps its share of the time also where requests come after a commit while it is written", async (world) => {
  const [first] = world.readers;
  const { text, begun, end, writings } = textThatWaits(100);
  tellBoth(world, 1);
  const before = text(first);
  await begun;
  world.models[0].apply(productUpserted({ id: 2 }));
  const after = text(first);
  end();
  assert.equal(await Promise.all([before, after]), [1, 1]);
  assert.is(writings(), 1);
  passed += 10_000;
  assert.is(await text(first), 2);
});

test("is of the pages at the moment its writing began, not of when it was asked for", async (world) => {
  const [first, second] = world.readers;
  const { promise: before, resolve: end } = waiting();
  const turn = createSerialQueue();
  const written = coalesce(async (reader) => reader.snapshot((at) => at.counts().products), turn);
  tellBoth(world, 1);
  void turn(() => before);
  const asked = written(first);
  world.models[0].apply(productUpserted({ id: 2 }));
  end();
  assert.is(await asked, 2);
  assert.is(await written(second), 1);
});

test.run();

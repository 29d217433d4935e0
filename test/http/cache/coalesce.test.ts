import { suite } from "uvu";
import * as assert from "uvu/assert";
import { coalesce, createSerialQueue } from "../../../src/http/cache/coalesce.ts";
import { openReader } from "../../../src/read-model/reader/open-reader.ts";
import type { Reader } from "../../../src/read-model/reader/reader.ts";
import { carrierUpserted, productUpserted, settingsUpdated } from "../../helpers/events.ts";
import { openModel, type TestModel } from "../../helpers/model.ts";

interface Context {
  /** Two generations of one shop, and their readers. */
  readonly models: readonly [TestModel, TestModel];
  readonly readers: readonly [Reader, Reader];
}

const test = suite<Context>("coalesced texts");

/** A fake clock in ms that only the tests advance, so that other load on the machine has no effect. */
let passed = 0;
const now = performance.now;
test.before(() => {
  performance.now = () => passed;
});
test.after(() => {
  performance.now = now;
});

test.before.each((context) => {
  const models = [openModel(), openModel()] as const;
  for (const model of models) model.apply(settingsUpdated());
  const readers = models.map(({ store }) => openReader(store));
  Object.assign(context, { models, readers });
});
test.after.each(({ models }) => {
  for (const model of models) model.close();
});

/** A text that takes this long to render, and names its generation and the number of the rendering. */
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

/** A promise that the test resolves. */
const waiting = (): { readonly promise: Promise<void>; resolve(): void } => {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
};

/** Applies a product event to both generations: the second one was built from the same events. */
const applyToBoth = ({ models }: Context, id: number): void => {
  for (const model of models) model.apply(productUpserted({ id }));
};

test("after a swap to a generation with equal pages no text is rendered again, whatever its age", async (context) => {
  const [first, second] = context.readers;
  applyToBoth(context, 1);
  for (const milliseconds of [10, 100]) {
    const { text, writing } = textThatTakes(milliseconds, context.readers);
    assert.is(await text(first), "first 1");
    passed += 60_000;
    assert.is(await text(second), "first 1");
    assert.is(await text(first), "first 1");
    assert.is(writing.begun, 1);
  }
});

test("after a swap to other pages an expensive text is rendered when its share of the time allows it", async (context) => {
  const [first, second] = context.readers;
  const { text } = textThatTakes(100, context.readers);
  applyToBoth(context, 1);
  assert.is(await text(first), "first 1");
  context.models[1].apply(productUpserted({ id: 2 }));
  passed += 950;
  assert.is(await text(second), "first 1");
  passed += 100;
  assert.is(await text(second), "second 2");
});

test("an expensive text is served stale for its share of the time, and is then rendered again", async (context) => {
  const [first] = context.readers;
  const { text } = textThatTakes(100, context.readers);
  await text(first);
  applyToBoth(context, 1);
  passed += 950;
  assert.is(await text(first), "first 1");
  passed += 100;
  assert.is(await text(first), "first 2");
});

test("a cheap text is never older than the model", async (context) => {
  const [first, second] = context.readers;
  const { text } = textThatTakes(10, context.readers);
  applyToBoth(context, 1);
  assert.is(await text(first), "first 1");
  assert.is(await text(first), "first 1");
  context.models[0].apply(productUpserted({ id: 2 }));
  assert.is(await text(first), "first 2");
  assert.is(await text(second), "second 3");
});

test("a commit that changes no page causes no rendering", async (context) => {
  const [first] = context.readers;
  const { text } = textThatTakes(10, context.readers);
  applyToBoth(context, 1);
  await text(first);
  context.models[0].apply(carrierUpserted());
  assert.is(await text(first), "first 1");
});

test("after a failed rendering the waiting requests get the error, and the next request tries again", async (context) => {
  const [first] = context.readers;
  const { text, writing } = textThatTakes(100, context.readers);
  writing.fails = true;
  assert.is(await text(first).catch(String), "Error: first 1 cannot be written");
  assert.is(await text(first).catch(String), "Error: first 2 cannot be written");
  writing.fails = false;
  assert.is(await text(first), "first 3");
});

test("concurrent requests share one rendering; after a swap to other pages later requests share another", async ({
  models,
  readers,
}) => {
  const [first, second] = readers;
  const { text, writing } = textThatTakes(10, readers);
  models[1].apply(productUpserted({ id: 2 }));
  const texts = [first, first, second, second].map(text);
  assert.is(await texts[0], "first 1");
  assert.is(await text(second), "second 2");
  assert.equal(await Promise.all(texts), ["first 1", "first 1", "second 2", "second 2"]);
  assert.is(writing.begun, 2);
});

/** A text with the number of products, whose first rendering ends when the test resolves it. */
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

test("requests after a commit get no text whose rendering began before it, and share one rendering", async (context) => {
  const [first] = context.readers;
  const { text, begun, end, writings } = textThatWaits(1);
  applyToBoth(context, 1);
  const before = [text(first), text(first)];
  await begun;
  context.models[0].apply(productUpserted({ id: 2 }));
  const after = [text(first), text(first)];
  context.models[0].apply(productUpserted({ id: 3 }));
  const last = text(first);
  end();
  assert.equal(await Promise.all(before), [1, 1]);
  assert.equal(await Promise.all(after), [3, 3]);
  assert.is(await last, 3);
  assert.is(writings(), 2);
});

test("an expensive text keeps its share of the time when a commit happens during its rendering", async (context) => {
  const [first] = context.readers;
  const { text, begun, end, writings } = textThatWaits(100);
  applyToBoth(context, 1);
  const before = text(first);
  await begun;
  context.models[0].apply(productUpserted({ id: 2 }));
  const after = text(first);
  end();
  assert.equal(await Promise.all([before, after]), [1, 1]);
  assert.is(writings(), 1);
  passed += 10_000;
  assert.is(await text(first), 2);
});

test("a text shows the pages at the start of its rendering, not at the time of the request", async (context) => {
  const [first, second] = context.readers;
  const { promise: before, resolve: end } = waiting();
  const turn = createSerialQueue();
  const written = coalesce(async (reader) => reader.snapshot((at) => at.counts().products), turn);
  applyToBoth(context, 1);
  void turn(() => before);
  const text = written(first);
  context.models[0].apply(productUpserted({ id: 2 }));
  end();
  assert.is(await text, 2);
  assert.is(await written(second), 1);
});

test.run();

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { withTimeouts } from "../../src/platform/async.ts";

const test = suite("an iteration with limited waits");

/** Yields a value at once, and the next when it is released. */
const twoValues = () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const state = { isClosed: false };
  async function* values(): AsyncGenerator<number> {
    try {
      yield 1;
      await released;
      yield 2;
    } finally {
      state.isClosed = true;
    }
  }
  return { values: values(), release, state };
};

test("a late value is announced by one undefined", async () => {
  const { values, release } = twoValues();
  const read: (number | undefined)[] = [];
  for await (const value of withTimeouts(values, 1, () => read.length > 0)) {
    read.push(value);
    if (value === undefined) release();
  }
  assert.equal(read, [1, undefined, 2]);
});

test("without a limit the wait is as long as the value takes", async () => {
  const { values, release } = twoValues();
  const read: (number | undefined)[] = [];
  setTimeout(release, 20);
  for await (const value of withTimeouts(values, 1, () => false)) read.push(value);
  assert.equal(read, [1, 2]);
});

test("a reader that breaks off waits for no value", async () => {
  const { values, state, release } = twoValues();
  for await (const value of withTimeouts(values, 1, () => true)) {
    if (value === undefined) break;
  }
  assert.is(state.isClosed, false);
  release();
  await values.return(undefined);
  assert.is(state.isClosed, true);
});

test("an error of the iteration reaches the reader", async () => {
  async function* failing(): AsyncGenerator<number> {
    yield 1;
    throw new Error("broken");
  }
  const read: unknown[] = [];
  const failure = (async () => {
    for await (const value of withTimeouts(failing(), 1_000, () => true)) read.push(value);
  })();
  assert.is(await failure.catch((error: Error) => error.message), "broken");
  assert.equal(read, [1]);
});

test.run();

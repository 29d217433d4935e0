import { EventEmitter } from "node:events";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createCommitWatch } from "../../../src/http/feed/commit-watch.ts";
import type { Position } from "../../../src/read-model/reader/feed/position.ts";
import type { Reader } from "../../../src/read-model/reader/reader.ts";
import { memoryReader } from "../../helpers/reader.ts";

/** Intervals that the test runs by hand, and a clock. */
interface Clock {
  running: (() => void)[];
  started: number;
  now: number;
}

const test = suite<Clock>("commit watch");

const { setInterval: start, clearInterval: stop } = globalThis;
const { now } = performance;

test.before.each((context) => {
  Object.assign(context, { running: [], started: 0, now: 1_000 });
  performance.now = () => context.now;
  Object.assign(globalThis, {
    setInterval: (check: () => void) => {
      context.running.push(check);
      context.started += 1;
      return { unref: () => check };
    },
    clearInterval: (check: () => void) => {
      context.running = context.running.filter((each) => each !== check);
    },
  });
});
test.after.each(() => {
  performance.now = now;
  Object.assign(globalThis, { setInterval: start, clearInterval: stop });
});

const positionAt = (sequence: number): Position => ({
  ...{ epoch: "a".repeat(12), sequence, text: String(sequence), asOf: "" },
});

const readerAt = (position: () => Position | undefined): Reader => ({
  ...memoryReader(() => ({})),
  position,
});

const isAt = (sequence: number) => (position: Position | undefined) =>
  (position?.sequence ?? 0) >= sequence;

test("all that wait share one timer and one read of the position, and no timer runs without them", async (clock) => {
  let [sequence, reads] = [1, 0];
  const reader = readerAt(() => {
    reads += 1;
    return positionAt(sequence);
  });
  const watch = createCommitWatch(() => reader);
  const waits = [2, 2, 3].map((each) => watch.wait(isAt(each), 2_000, new EventEmitter()));
  const [check] = clock.running;
  assert.equal([clock.started, clock.running.length], [1, 1]);
  check?.();
  assert.is(reads, 1);
  sequence = 2;
  check?.();
  assert.equal(await Promise.all(waits.slice(0, 2)), [true, true]);
  assert.is(clock.running.length, 1, "the third still waits");
  sequence = 3;
  check?.();
  assert.is(await waits[2], true);
  assert.equal([reads, clock.running.length], [3, 0]);
  const later = watch.wait(isAt(3), 2_000, new EventEmitter());
  assert.equal([clock.started, clock.running.length], [2, 1]);
  clock.running[0]?.();
  assert.is(await later, true);
  assert.is(clock.running.length, 0);
});

test("a wait ends when its time is over", async (clock) => {
  const watch = createCommitWatch(() => readerAt(() => positionAt(1)));
  const waiting = watch.wait(isAt(2), 2_000, new EventEmitter());
  const [check] = clock.running;
  clock.now += 1_999;
  check?.();
  assert.is(clock.running.length, 1);
  clock.now += 1;
  check?.();
  assert.is(await waiting, false);
});

test("a wait ends when the response closes, and leaves no listener on a response", async (clock) => {
  const watch = createCommitWatch(() => readerAt(() => positionAt(1)));
  const response = new EventEmitter();
  const waiting = watch.wait(isAt(2), 2_000, response);
  response.emit("close");
  assert.is(await waiting, false);
  for (let at = 0; at < 20; at += 1) {
    const next = watch.wait(isAt(1), 2_000, response);
    clock.running[0]?.();
    await next;
  }
  assert.equal([response.listenerCount("close"), clock.running.length], [0, 0]);
});

test("a wait follows the live generation, and passes on that none can be read", async (clock) => {
  let current: Reader | undefined = readerAt(() => positionAt(1));
  const watch = createCommitWatch(() => current);
  const seen: (number | undefined)[] = [];
  const record = (position: Position | undefined): boolean => {
    seen.push(position?.sequence);
    return false;
  };
  void watch.wait(record, 2_000, new EventEmitter());
  const [check] = clock.running;
  check?.();
  current = readerAt(() => positionAt(7));
  check?.();
  current = readerAt(() => {
    throw new Error("the generation was closed");
  });
  check?.();
  current = undefined;
  check?.();
  assert.equal(seen, [1, 7, undefined, undefined]);
});

test.run();

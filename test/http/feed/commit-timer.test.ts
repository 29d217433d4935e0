import { suite } from "uvu";
import * as assert from "uvu/assert";
import { commitIntervalMs, createCommitTimer } from "../../../src/http/feed/commit-timer.ts";

/** Intervals that the test runs by hand. */
interface Intervals {
  running: (() => void)[];
  started: number;
}

const test = suite<Intervals>("commit timer");

const { setInterval: start, clearInterval: stop } = globalThis;

test.before.each((context) => {
  Object.assign(context, { running: [], started: 0 });
  Object.assign(globalThis, {
    setInterval: (check: () => void, ms: number) => {
      assert.is(ms, commitIntervalMs);
      context.running.push(check);
      context.started += 1;
      return check;
    },
    clearInterval: (check: () => void) => {
      context.running = context.running.filter((each) => each !== check);
    },
  });
});
test.after.each(() => {
  Object.assign(globalThis, { setInterval: start, clearInterval: stop });
});

test("all that wait share one timer, and none runs without them", (intervals) => {
  const timer = createCommitTimer();
  const calls: string[] = [];
  const [one, other] = ["one", "other"].map((name) => () => void calls.push(name));
  if (!one || !other) throw new Error("two checks");
  timer.start(one);
  timer.start(other);
  assert.equal([intervals.started, intervals.running.length], [1, 1]);
  intervals.running[0]?.();
  timer.stop(one);
  intervals.running[0]?.();
  assert.equal(calls, ["one", "other", "other"]);
  timer.stop(other);
  assert.is(intervals.running.length, 0);
  timer.start(one);
  assert.equal([intervals.started, intervals.running.length], [2, 1]);
});

test("a check that ends its own wait takes none from the others", (intervals) => {
  const timer = createCommitTimer();
  const calls: string[] = [];
  const ends = (): void => {
    calls.push("ends");
    timer.stop(ends);
  };
  timer.start(ends);
  timer.start(() => void calls.push("goes on"));
  for (let turn = 0; turn < 2; turn += 1) intervals.running[0]?.();
  assert.equal(calls, ["ends", "goes on", "goes on"]);
});

test.run();

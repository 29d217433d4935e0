import { suite } from "uvu";
import * as assert from "uvu/assert";
import { trackLag } from "../../src/projector/lag.ts";

const test = suite("how far a model is behind its log");

const start = Date.UTC(2026, 10, 20, 10);
const at = (sequence: number) => ({
  sequence,
  logTime: start,
  tally: { applied: sequence, stale: 0, repeated: 0, rejected: 0 },
});

/** A model at the end of a log of 100 events, each taken by the log when the clock, in seconds, began. */
const atTheEnd = () => {
  let seconds = 0;
  const clock = (): number => start + seconds * 1000;
  const lag = trackLag(clock, clock);
  lag.setGeneration("0001", at(100));
  lag.logEndSeen(100);
  lag.stateChanged("live");
  return {
    ...lag,
    wait: (more: number) => {
      seconds += more;
    },
  };
};

test("counts from the first event that is missing, however many more come", () => {
  const { logEndSeen, wait, events, seconds, applied } = atTheEnd();
  logEndSeen(101);
  wait(5);
  logEndSeen(102);
  wait(5);
  assert.equal([events(), seconds()], [2, 10]);
  applied(at(101));
  assert.equal([events(), seconds()], [1, 10], "the second may have come as early");
  applied(at(102));
  assert.equal([events(), seconds()], [0, 0]);
});

test("is never less than nothing: what was applied before its end was seen is the end", () => {
  const { applied, logEndSeen, events, last } = atTheEnd();
  applied(at(120));
  assert.equal([events(), last()], [0, 120]);
  logEndSeen(110);
  assert.equal([events(), last()], [0, 120], "the look was older than the batch");
});

test("knows of no less after a chunk in the middle of the log", () => {
  const { logEndSeen, received, events } = atTheEnd();
  logEndSeen(500);
  received(start, 200);
  assert.is(events(), 400);
});

test("counts from the oldest chunk that is not applied, however many came since", () => {
  const { wait, received, applied, seconds } = atTheEnd();
  wait(10);
  received(start, 150);
  received(start + 9_000, 200);
  assert.is(seconds(), 10);
  applied(at(150));
  assert.is(seconds(), 1);
  wait(1);
  applied(at(180));
  assert.is(seconds(), 2, "a chunk that is applied in part counts");
  applied(at(200));
  assert.is(seconds(), 0);
});

test("an answer that is older than a chunk says nothing of the end of the log", () => {
  const { logEndSeen, received, events, last } = atTheEnd();
  const before = last();
  received(start, 200);
  logEndSeen(100, before);
  assert.equal([events(), last()], [100, 200]);
  logEndSeen(100, last());
  assert.equal([events(), last()], [0, 100], "a log that went back is seen as it is");
});

test("grows while the log is out of sight, and no longer", () => {
  const { logUnavailable, stateChanged, logEndSeen, wait, seconds } = atTheEnd();
  logUnavailable();
  wait(7);
  assert.is(seconds(), 7);
  logEndSeen(100);
  stateChanged("replaying");
  wait(60);
  assert.is(seconds(), 0);
  stateChanged("waiting");
  assert.is(seconds(), 60, "since it was seen");
});

test("ends where the model that was to be replaced goes on at its end after all", () => {
  const { stateChanged, wait, seconds } = atTheEnd();
  stateChanged("rebuilding");
  wait(60);
  stateChanged("waiting");
  assert.is(seconds(), 60);
  stateChanged("live");
  assert.is(seconds(), 0);
});

test("is the age of the last event where another generation was never seen at the end of its log", () => {
  const { setGeneration, stateChanged, wait, seconds } = atTheEnd();
  wait(60);
  setGeneration("0002", at(100));
  stateChanged("rebuilding");
  assert.is(seconds(), 60);
});

test.run();

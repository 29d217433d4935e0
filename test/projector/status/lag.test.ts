import { suite } from "uvu";
import * as assert from "uvu/assert";
import { trackLag } from "../../../src/projector/status/lag.ts";

const test = suite("lag");

const start = Date.UTC(2026, 10, 20, 10);
const at = (sequence: number) => ({
  sequence,
  logTime: start,
  tally: { applied: sequence, stale: 0, repeated: 0, rejected: 0 },
});

/** A model at the end of a log of 100 events; the log took each at second 0 of the clock. */
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

test("the lag counts from the first missing event, however many follow", () => {
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

test("the lag is never negative: an applied event beyond the known end moves the end", () => {
  const { applied, logEndSeen, events, last } = atTheEnd();
  applied(at(120));
  assert.equal([events(), last()], [0, 120]);
  logEndSeen(110);
  assert.equal([events(), last()], [0, 120], "the observation of the end was older than the batch");
});

test("a chunk within the log does not move its known end", () => {
  const { logEndSeen, received, events } = atTheEnd();
  logEndSeen(500);
  received(start, 200);
  assert.is(events(), 400);
});

test("the lag counts from the oldest chunk that is not applied, however many followed", () => {
  const { wait, received, applied, seconds } = atTheEnd();
  wait(10);
  received(start, 150);
  received(start + 9_000, 200);
  assert.is(seconds(), 10);
  applied(at(150));
  assert.is(seconds(), 1);
  wait(1);
  applied(at(180));
  assert.is(seconds(), 2, "a partly applied chunk counts");
  applied(at(200));
  assert.is(seconds(), 0);
});

test("an observation of the log's end that is older than a chunk is ignored", () => {
  const { logEndSeen, received, events, last } = atTheEnd();
  const before = last();
  received(start, 200);
  logEndSeen(100, before);
  assert.equal([events(), last()], [100, 200]);
  logEndSeen(100, last());
  assert.equal([events(), last()], [0, 100], "a log that went back is accepted");
});

test("the lag grows only while the log is unreachable", () => {
  const { logUnavailable, stateChanged, logEndSeen, wait, seconds } = atTheEnd();
  logUnavailable();
  wait(7);
  assert.is(seconds(), 7);
  logEndSeen(100);
  stateChanged("replaying");
  wait(60);
  assert.is(seconds(), 0);
  stateChanged("waiting");
  assert.is(seconds(), 60, "since the last observation");
});

test("the lag ends when the model that was to be replaced goes on at the end of the log", () => {
  const { stateChanged, wait, seconds } = atTheEnd();
  stateChanged("rebuilding");
  wait(60);
  stateChanged("waiting");
  assert.is(seconds(), 60);
  stateChanged("live");
  assert.is(seconds(), 0);
});

test("the lag is the age of the last event for a generation that never reached the end of its log", () => {
  const { setGeneration, stateChanged, wait, seconds } = atTheEnd();
  wait(60);
  setGeneration("0002", at(100));
  stateChanged("rebuilding");
  assert.is(seconds(), 60);
});

test.run();

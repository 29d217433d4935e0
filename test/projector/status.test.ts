import { suite } from "uvu";
import * as assert from "uvu/assert";
import { trackProgress } from "../../src/projector/status.ts";
import type { Checkpoint } from "../../src/read-model/checkpoint.ts";

const test = suite("what a projector knows of itself");

const start = Date.UTC(2026, 10, 20, 10);
const checkpointAt = (sequence: number): Checkpoint => ({
  sequence,
  logTime: start + sequence,
  lastEventTime: start,
  identity: { name: "SHOP", created: "2026-11-01T00:00:00.000Z" },
  fingerprints: [],
  tally: { applied: sequence, stale: 0, repeated: 0, rejected: 0 },
  projections: "",
});

/** A projector that reads a log of 100 events, and its clock in seconds. */
const reading = () => {
  let seconds = 0;
  const progress = trackProgress(() => start + seconds * 1000);
  progress.begin("0001", checkpointAt(10));
  progress.enter("replaying");
  progress.sawEnd(100);
  return { ...progress, at: (next: number) => void (seconds = next) };
};

test("is stalled when the log holds more and nothing of it is applied for some seconds", () => {
  const { at, status, applied, sawEnd, enter } = reading();
  at(4);
  assert.is(status().state, "replaying");
  at(6);
  sawEnd(100);
  enter("replaying");
  assert.is(status().state, "stalled");
  assert.match(status().reason ?? "", "the log holds 90 more events, and none was applied");
  assert.is(status().since, new Date(start).toISOString());
  applied(checkpointAt(20), 0);
  assert.is(status().state, "replaying");
  assert.is(status().reason, null);
});

test("is not stalled at the end of the log, however long nothing comes", () => {
  const { at, status, applied, sawEnd, enter } = reading();
  applied(checkpointAt(100), 0);
  enter("live");
  at(3600);
  assert.is(status().state, "live");
  sawEnd(101);
  assert.is(status().state, "live");
  at(3604);
  assert.is(status().state, "live");
  at(3606);
  assert.is(status().state, "stalled");
});

test("is no longer stalled, but waiting or faulted, when it knows why", () => {
  const { at, status, lostSight, sawEnd, enter } = reading();
  at(60);
  lostSight("connection refused");
  assert.is(status().state, "waiting");
  assert.is(status().logReachable, false);
  sawEnd(100);
  enter("replaying");
  assert.is(status().logReachable, true);
  assert.is(status().state, "replaying", "it gets its time again");
  enter("faulted", "a projection failed");
  at(120);
  assert.is(status().state, "faulted");
});

test("tells how long the rest takes at the present rate, and nothing where it cannot be told", () => {
  const { status, applied } = reading();
  assert.is(status().etaSeconds, null);
  applied(checkpointAt(60), 0);
  assert.is(status().eventsPerSecond, 10);
  assert.is(status().etaSeconds, 4);
  assert.is(status().checkpointTime, new Date(start + 60).toISOString());
  applied(checkpointAt(100), 0);
  assert.is(status().etaSeconds, 0);
});

test.run();

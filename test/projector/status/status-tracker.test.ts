import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createStatusTracker } from "../../../src/projector/status/status-tracker.ts";
import type { Checkpoint } from "../../../src/read-model/schema/checkpoint.ts";

const test = suite("status tracker");

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
  const progress = createStatusTracker(() => start + seconds * 1000);
  progress.setGeneration("0001", checkpointAt(10));
  progress.setState("replaying");
  progress.logEndSeen(100);
  return {
    ...progress,
    at: (next: number) => {
      seconds = next;
    },
  };
};

test("the state is stalled when the log has more events and none is applied for some seconds", () => {
  const { at, status, applied, logEndSeen, setState } = reading();
  at(4);
  assert.is(status().state, "replaying");
  at(6);
  logEndSeen(100);
  setState("replaying");
  assert.is(status().state, "stalled");
  assert.match(status().reason ?? "", "the log holds 90 more events, and none was applied");
  assert.is(status().since, new Date(start).toISOString());
  applied(checkpointAt(20), 0);
  assert.is(status().state, "replaying");
  assert.is(status().reason, null);
});

test("the state at the end of the log is not stalled, however long no event arrives", () => {
  const { at, status, applied, logEndSeen, setState } = reading();
  applied(checkpointAt(100), 0);
  setState("live");
  at(3600);
  assert.is(status().state, "live");
  logEndSeen(101);
  assert.is(status().state, "live");
  at(3604);
  assert.is(status().state, "live");
  at(3606);
  assert.is(status().state, "stalled");
});

test("during a rebuild the lag is that of the live generation, whatever the new one has read", () => {
  const { at, status, applied, setGeneration, logEndSeen, received, setState } = reading();
  applied(checkpointAt(100), 0);
  setState("live");
  at(60);
  setState("rebuilding", "another log");
  setGeneration("0002", checkpointAt(0));
  at(70);
  logEndSeen(50);
  assert.is(status().lagSeconds, 10);
  received(start + 69_000, 50);
  applied(checkpointAt(50), 0);
  assert.is(status().lagSeconds, 10);
  // The disk is full for a while.
  setState("faulted", "no room");
  setState("rebuilding", "another log");
  assert.is(status().lagSeconds, 10);
  // The rebuild was given up and begun again: the previous generation is still live.
  setGeneration("0001", checkpointAt(100));
  setState("waiting", "the log became another");
  setState("rebuilding", "another log");
  at(80);
  assert.is(status().lagSeconds, 20);
  setGeneration("0002", checkpointAt(0));
  applied(checkpointAt(50), 0);
  setGeneration("0002", checkpointAt(50));
  setState("replaying");
  assert.is(status().lagSeconds, 0);
});

test("without a known end of the log the age of a model under rebuild is that of its last event", () => {
  let seconds = 3_600;
  const { setGeneration, setState, status } = createStatusTracker(() => start + seconds * 1_000);
  setGeneration("0001", checkpointAt(1_000));
  setState("rebuilding", "the projections changed");
  seconds += 60;
  assert.is(status().lagSeconds, 3_659);
});

test("the end of another log counts only when the model was at the end of its own", () => {
  let seconds = 3_600;
  const { setGeneration, setState, logEndSeen, caughtUp, status } = createStatusTracker(
    () => start + seconds * 1_000,
  );
  setGeneration("0001", checkpointAt(1_000));
  setState("replaying");
  logEndSeen(1_000);
  setState("rebuilding", "another log");
  seconds += 60;
  assert.is(status().lagSeconds, 3_659);
  setGeneration("0002", checkpointAt(1_000));
  setState("replaying");
  logEndSeen(1_000);
  caughtUp();
  setState("rebuilding", "the projections changed");
  seconds += 60;
  assert.is(status().lagSeconds, 60);
});

test("a known reason turns stalled into waiting or faulted", () => {
  const { at, status, logUnavailable, logEndSeen, setState } = reading();
  at(60);
  logUnavailable("connection refused");
  assert.is(status().state, "waiting");
  assert.is(status().logReachable, false);
  logEndSeen(100);
  setState("replaying");
  assert.is(status().logReachable, true);
  assert.is(status().state, "replaying", "the time until stalled begins again");
  setState("faulted", "a projection failed");
  at(120);
  assert.is(status().state, "faulted");
  logUnavailable("connection refused");
  assert.is(
    status().reason,
    "a projection failed",
    "an unreachable log is not the reason of this fault",
  );
});

test("a repeated fault keeps its time; after progress it gets a new one", () => {
  const { at, status, setState, applied, currentFault } = reading();
  const iso = (seconds: number): string => new Date(start + seconds * 1000).toISOString();
  const sinceAfter = (seconds: number, reason: string): string => {
    at(seconds);
    setState("faulted", reason);
    return status().since;
  };
  const tryAgain = (seconds: number): void => {
    at(seconds);
    setState("replaying");
    setState("rebuilding", "another log");
    assert.is(status().since, iso(seconds));
  };
  assert.is(sinceAfter(1, "no room"), iso(1));
  tryAgain(2);
  assert.is(currentFault(), "no room");
  assert.is(sinceAfter(3, "no room"), iso(1));
  tryAgain(4);
  assert.is(sinceAfter(5, "too few products"), iso(5));
  setState("live");
  assert.is(currentFault(), null);
  assert.is(sinceAfter(6, "too few products"), iso(6));
  setState("replaying");
  applied(checkpointAt(20), 0);
  assert.is(sinceAfter(7, "too few products"), iso(7));
});

test("the lag grows while the log is unreachable, also at the end of the log", () => {
  const { at, status, applied, logUnavailable, logEndSeen, setState } = reading();
  applied(checkpointAt(100), 0);
  setState("live");
  at(60);
  assert.is(status().lagSeconds, 0);
  logEndSeen(100);
  at(65);
  logUnavailable("connection refused");
  assert.is(status().lagSeconds, 5);
  at(120);
  assert.equal([status().lagEvents, status().lagSeconds], [0, 60]);
  logEndSeen(100);
  setState("live");
  assert.is(status().lagSeconds, 0);
});

test("the ETA follows the current rate, and is null when it is unknown", () => {
  const { status, applied } = reading();
  assert.is(status().etaSeconds, null);
  applied(checkpointAt(60), 0);
  assert.is(status().eventsPerSecond, 10);
  assert.is(status().etaSeconds, 4);
  assert.is(status().checkpointTime, new Date(start + 60).toISOString());
  applied(checkpointAt(100), 0);
  assert.is(status().etaSeconds, 0);
});

test("is faulted while the disk blocks its work, and shows its state again after that", () => {
  const { at, status, block, unblock, setState } = reading();
  setState("rebuilding", "another log");
  at(1);
  block("write", "no room");
  assert.equal([status().state, status().reason], ["faulted", "no room"]);
  setState("rebuilding", "yet another log");
  at(2);
  block("write", "no room");
  assert.is(status().since, new Date(start + 1_000).toISOString());
  unblock("promotion");
  assert.is(status().state, "faulted", "other work is blocked");
  unblock("write");
  assert.equal([status().state, status().reason], ["rebuilding", "yet another log"]);
  setState("live");
  block("promotion", "no link");
  unblock("promotion");
  assert.equal([status().state, status().reason], ["replaying", null]);
});

test("is waiting from the first answer that the log does not give until the next that it gives", () => {
  const { at, status, logUnavailable, logEndSeen, setState } = reading();
  setState("live");
  at(1);
  logUnavailable("connection refused");
  at(2);
  logUnavailable("no answer");
  assert.match(status().reason ?? "", /^no answer; reads go on/);
  assert.is(status().since, new Date(start + 1_000).toISOString());
  logEndSeen(100);
  assert.equal([status().state, status().reason], ["replaying", null]);
});

test.run();

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createProjectorMonitor, dataAge } from "../../../src/ops/health/projector-monitor.ts";
import { type ReadinessInput, unreadyReasons } from "../../../src/ops/health/readiness.ts";
import type { ProjectorStatus } from "../../../src/projector/status/status.ts";

const test = suite("projector monitor");

const start = Date.parse("2026-10-01T08:00:00.000Z");
const secondsLater = (seconds: number): string => new Date(start + seconds * 1_000).toISOString();

const status = (more: Partial<ProjectorStatus> = {}): ProjectorStatus => ({
  state: "live",
  reason: null,
  since: "2026-10-01T08:00:00.000Z",
  checkpoint: 10,
  logLast: 10,
  lagEvents: 0,
  lagSeconds: 0,
  eventsPerSecond: 0,
  etaSeconds: 0,
  logReachable: true,
  counts: null,
  checkpointTime: "2026-10-01T08:00:00.000Z",
  generation: "0001",
  tally: { applied: 10, stale: 0, repeated: 0, rejected: 0 },
  redelivered: 0,
  ...more,
});

/** A monitor whose clock is in seconds, and stops until it is set. */
const watched = () => {
  let seconds = 0;
  const now = () => seconds * 1000;
  const watch = createProjectorMonitor(now, () => start + now());
  return {
    ...watch,
    at: (next: number) => {
      seconds = next;
    },
  };
};

test("the monitor shows the reported lag while reports arrive", () => {
  const { onStatus, current, at } = watched();
  at(1);
  onStatus(status({ lagEvents: 3, lagSeconds: 2.5 }));
  assert.is(current().lagSeconds, 2.5);
  assert.is(current().state, "live");
});

test("the lag of a silent projector grows", () => {
  const { onStatus, current, at } = watched();
  onStatus(status());
  at(2.9);
  assert.is(current().state, "live");
  at(30);
  assert.is(current().state, "silent");
  assert.is(current().lagSeconds, 30);
});

test("the lag of a dead projector grows from its last report on, with the reason", () => {
  const { onStatus, onExit, current, at } = watched();
  onStatus(status({ lagSeconds: 1 }));
  onExit("its process ended (killed by SIGKILL)");
  at(2);
  assert.is(current().lagSeconds, 3);
  assert.is(current().reason, "its process ended (killed by SIGKILL)");
});

test("`since` is the begin of the silence, not of the last state", () => {
  const { onStatus, current, at } = watched();
  assert.is(current().since, null);
  onStatus(status());
  at(7);
  onStatus(status());
  assert.is(current().since, secondsLater(0));
  at(20);
  assert.is(current().state, "silent");
  assert.is(current().since, secondsLater(7));
});

test("the small lag of a projector that dies before it reaches the log is not believed", () => {
  const { onStatus, onExit, current, at } = watched();
  onStatus(status());
  for (let second = 10; second <= 90; second += 10) {
    at(second);
    onStatus(status({ state: "starting", logLast: 0, checkpoint: 0 }));
    onExit("its process ended (exit code 70)");
  }
  onStatus(status({ state: "replaying" }));
  assert.is(current().lagSeconds, 90);
  onStatus(status({ state: "live" }));
  assert.is(current().lagSeconds, 0);
});

test("answers are as old as the lag; without a view of the log, as old as the last event", () => {
  const { onStatus, onExit, current, at } = watched();
  const now = Date.parse("2026-10-01T09:00:00.000Z");
  assert.is(dataAge(current(), now), undefined);
  onStatus(
    status({ state: "starting", logReachable: false, checkpointTime: null, generation: null }),
  );
  assert.is(dataAge(current(), now), undefined);
  onStatus(status({ state: "waiting", logReachable: false, lagSeconds: 2 }));
  at(2);
  assert.is(dataAge(current(), now), 3_600);
  onStatus(status({ state: "waiting", logReachable: false, checkpointTime: null }));
  assert.is(dataAge(current(), now), 2);
  onStatus(status({ lagSeconds: 0 }));
  assert.is(dataAge(current(), now), 0);
  onExit("its process ended");
  at(12);
  assert.is(dataAge(current(), now), 10);
});

/** Status of the newest generation at the end of the log, after an hour of events. */
const afterAnHour = () => {
  const watch = watched();
  watch.at(3_600);
  watch.onStatus(status({ generation: "0002", checkpointTime: secondsLater(3_600) }));
  return watch;
};
const previousGeneration = {
  generation: "0001",
  checkpoint: 600,
  checkpointTime: secondsLater(600),
};

test("a previous generation that replaces a damaged one is as old as its last event", () => {
  for (const state of ["waiting", "faulted", "replaying"] as const) {
    const { onStatus, onExit, current, at } = afterAnHour();
    assert.is(current().lagSeconds, 0);
    onExit("its process ended (killed by SIGBUS)");
    onStatus(status({ ...previousGeneration, state: "starting" }));
    onStatus(status({ ...previousGeneration, state, lagSeconds: 1, eventsPerSecond: 5 }));
    at(3_610);
    assert.is(current().lagSeconds, 3_010, state);
    assert.is(dataAge(current(), start + 3_610_000), 3_010, state);
    onStatus(
      status({ ...previousGeneration, state: "replaying", checkpointTime: secondsLater(3_000) }),
    );
    assert.is(current().lagSeconds, 610, "as much as was applied since");
    onStatus(status({ ...previousGeneration, checkpointTime: secondsLater(3_600) }));
    assert.is(current().lagSeconds, 0, "it is at the end of the log");
    onStatus(status({ ...previousGeneration, state: "waiting" }));
    assert.is(current().lagSeconds, 0, "as it was before");
  }
});

test("its age stays while another generation is filled, until that one answers", () => {
  const { onStatus, current, at } = afterAnHour();
  const filled = { generation: "0003", state: "rebuilding" as const };
  onStatus(status({ ...filled, checkpointTime: secondsLater(900) }));
  assert.is(current().lagSeconds, 0);
  onStatus(status({ ...previousGeneration, state: "rebuilding", checkpoint: 50_000 }));
  onStatus(
    status({ ...filled, generation: "0004", checkpointTime: secondsLater(5), lagSeconds: 1 }),
  );
  onStatus(status({ ...filled, generation: "0004", checkpointTime: secondsLater(3_600) }));
  at(3_610);
  assert.is(current().lagSeconds, 3_010);
  onStatus(status({ ...filled, generation: "0004", state: "replaying", lagSeconds: 2 }));
  onStatus(status({ generation: "0004", lagSeconds: 2 }));
  assert.is(current().lagSeconds, 2);
});

test("its age stays while the projector continues with it, until it has caught up", () => {
  const { onStatus, current, at } = afterAnHour();
  onStatus(status({ ...previousGeneration, lagEvents: 3_000, eventsPerSecond: 5 }));
  assert.is(current().lagSeconds, 3_000);
  onStatus(status({ ...previousGeneration, state: "waiting", lagEvents: 3_000 }));
  at(3_610);
  assert.is(current().lagSeconds, 3_010);
  onStatus(status({ ...previousGeneration, checkpointTime: secondsLater(3_600) }));
  assert.is(current().lagSeconds, 0);
});

test("a generation after a rollback that has caught up is as old as the lag", () => {
  const { onStatus, current } = afterAnHour();
  onStatus(
    status({ ...previousGeneration, state: "replaying", checkpointTime: secondsLater(3_600) }),
  );
  assert.is(current().lagSeconds, 0);
});

test("the progress of a rebuild does not change the age of the live generation", () => {
  const { onStatus, onExit, current, at } = watched();
  onStatus(status());
  onExit("its process ended (killed by SIGKILL)");
  at(60);
  onStatus(
    status({ generation: "0002", state: "rebuilding", eventsPerSecond: 900, lagSeconds: 1 }),
  );
  assert.is(current().lagSeconds, 60);
});

const facts = (more: Partial<ReadinessInput> = {}): ReadinessInput => {
  const { onStatus, current } = watched();
  onStatus(status());
  return {
    modelLoaded: true,
    quarantined: [],
    http: { listening: 1, answering: 1 },
    maxLag: 60,
    projector: current(),
    ...more,
  };
};
const seen = (more: Partial<ProjectorStatus>, later = 0): ReadinessInput["projector"] => {
  const { onStatus, current, at } = watched();
  onStatus(status(more));
  at(later);
  return current();
};

test("a service that keeps up has no reason to be unready", () => {
  assert.equal(unreadyReasons(facts()), []);
  assert.equal(unreadyReasons(facts({ projector: seen({ lagSeconds: 59.9, lagEvents: 1 }) })), []);
});

test("every reason is a plain sentence", () => {
  const against = (more: Partial<ReadinessInput>) => unreadyReasons(facts(more)).join("\n");
  assert.match(against({ modelLoaded: false }), "no read model is loaded yet");
  assert.match(
    against({ modelLoaded: false, projector: seen({ logLast: 0, checkpoint: 0 }) }),
    "the event log is empty",
  );
  assert.match(
    against({ modelLoaded: false, projector: seen({ state: "replaying", logLast: 99 }) }),
    "at event 10 of 99",
  );
  assert.match(against({ http: { listening: 1, answering: 0 } }), "no HTTP process answers");
  assert.match(
    against({ http: { listening: 3, answering: 2 } }),
    "1 of 3 HTTP processes have no read model yet",
  );
  assert.match(
    against({ projector: seen({ state: "faulted", reason: "the log was rolled back" }) }),
    "the projector applies no more events: the log was rolled back",
  );
  assert.match(against({ projector: seen({}, 11) }), "has not reported for 11 seconds");
  assert.match(
    against({ projector: seen({ lagSeconds: 61, lagEvents: 5 }) }),
    "61 seconds behind the event log; the limit is 60",
  );
});

test("the reason of a long lag includes why no event is applied, when the projector is stalled or waiting", () => {
  const lagging = (state: ProjectorStatus["state"]) =>
    unreadyReasons(
      facts({
        projector: seen({ state, lagSeconds: 61, lagEvents: 5, reason: "none was applied" }),
      }),
    );
  const lag = "the model may be 61 seconds behind the event log; the limit is 60 (--max-lag)";
  assert.equal(lagging("stalled"), [`${lag}: none was applied`]);
  assert.equal(lagging("waiting"), [`${lag}: none was applied`]);
  assert.equal(lagging("replaying"), [lag]);
});

test.run();

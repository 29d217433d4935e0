import type { ModelCounts } from "../../read-model/reader/model-counts.ts";
import type { Checkpoint } from "../../read-model/schema/checkpoint.ts";
import { trackLag } from "./lag.ts";
import type { ProjectorState, ProjectorStatus } from "./status.ts";
import { type BlockedWork, createStatusOverlay, type ShownState } from "./status-overlay.ts";

export type StatusTracker = ReturnType<typeof createStatusTracker>;

/** Time behind the log without an applied event after which the projector is `stalled`. */
const stallTimeoutMs = 5_000;

/**
 * Tracks the state and the lag of the projector, and reports them as a status.
 * @param now wall clock, in milliseconds since 1970, for timestamps
 * @param elapsed monotonic clock, in milliseconds, for durations
 */
export const createStatusTracker = (now: () => number, elapsed: () => number = now) => {
  const overlay = createStatusOverlay(now);
  let redelivered = 0;
  let isLogReachable = false;
  let stallClock = { since: now(), from: elapsed() };
  let counts: ModelCounts | null = null;
  const lag = trackLag(now, elapsed);
  const rate = trackRate(elapsed);

  const resetIdleStart = (): void => {
    stallClock = { since: now(), from: elapsed() };
  };
  /** Updates the log end. The stall timeout starts when the lag becomes positive. */
  const updateLag = (update: () => void): void => {
    const wasBehind = lag.events() > 0;
    update();
    if (!wasBehind && lag.events() > 0) resetIdleStart();
  };
  const isStalled = (): boolean =>
    overlay.isReading() && lag.events() > 0 && elapsed() - stallClock.from > stallTimeoutMs;
  const shown = (): ShownState =>
    isStalled() && overlay.shown().state !== "faulted"
      ? { state: "stalled", reason: formatStall(lag.events()), since: stallClock.since }
      : overlay.shown();
  const setState = (next: ProjectorState, why: string | null = null): void => {
    if (!overlay.isReading()) resetIdleStart();
    if (next === "waiting") isLogReachable = false;
    lag.stateChanged(next);
    overlay.set(next, why);
  };
  return {
    /** Sets the state. A fault that a retry does not end keeps its `since`. */
    setState,
    block: overlay.block,
    /** Shows the state again. A follower is behind the log by then. */
    unblock(work: BlockedWork): void {
      if (overlay.unblock(work)) resetIdleStart();
    },
    /** Returns the reason of the current fault, which lasts until a retry has succeeded. @returns null without a fault */
    currentFault: overlay.fault,
    setGeneration: lag.setGeneration,
    caughtUp: lag.caughtUp,
    received(oldest: number, last: number): void {
      updateLag(() => lag.received(oldest, last));
    },
    applied(checkpoint: Checkpoint, batchRedelivered: number): void {
      const events = checkpoint.sequence - lag.position().sequence;
      rate.count(events);
      if (events > 0) resetIdleStart();
      if (overlay.isReading()) overlay.clearFault();
      redelivered += batchRedelivered;
      lag.applied(checkpoint);
    },
    logEndSeen(end: number, before?: number): void {
      isLogReachable = true;
      if (overlay.hasOutage()) setState("replaying");
      updateLag(() => lag.logEndSeen(end, before));
    },
    /** Records that the end of the log is unavailable. It shows `waiting` until the log answers, or the next state. */
    logUnavailable(why: string): void {
      isLogReachable = false;
      const reason = `${why}; reads go on, and the projector continues when the log is back`;
      if (overlay.logFailed(reason)) lag.logUnavailable();
    },
    setCounts(current: ModelCounts): void {
      counts = current;
    },
    status(): ProjectorStatus {
      const { sequence, logTime, tally } = lag.position();
      const { state, reason, since } = shown();
      return {
        state,
        reason,
        since: toIso(since),
        checkpoint: sequence,
        checkpointTime: logTime > 0 ? toIso(logTime) : null,
        logLast: lag.last(),
        lagEvents: lag.events(),
        lagSeconds: lag.seconds(),
        eventsPerSecond: rate.perSecond(),
        etaSeconds: estimateEta(lag.events(), rate.perSecond()),
        logReachable: isLogReachable,
        generation: lag.generation(),
        tally,
        redelivered,
        counts,
      };
    },
  };
};

const toIso = (time: number): string => new Date(time).toISOString();

const formatStall = (behind: number): string =>
  `the log holds ${behind} more ${behind === 1 ? "event" : "events"}, and none was applied for ${stallTimeoutMs / 1000} seconds; the projector keeps trying`;

/** Measures the events per second over a sliding window of 5 s. */
const trackRate = (now: () => number) => {
  const windowMs = 5_000;
  let samples: { readonly time: number; readonly events: number }[] = [];
  return {
    count(events: number) {
      const time = now();
      samples = [...samples.filter((sample) => time - sample.time < windowMs), { time, events }];
    },
    perSecond() {
      const recent = samples.filter((sample) => now() - sample.time < windowMs);
      return Math.round(recent.reduce((sum, { events }) => sum + events, 0) / (windowMs / 1000));
    },
  };
};

/** Estimates the seconds to the end of the log at a rate. @returns null at rate 0 */
const estimateEta = (behind: number, perSecond: number): number | null => {
  if (behind === 0) return 0;
  return perSecond > 0 ? Math.ceil(behind / perSecond) : null;
};

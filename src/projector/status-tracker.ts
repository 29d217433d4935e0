import type { ModelCounts } from "../read-model/reader/model-counts.ts";
import type { Checkpoint } from "../read-model/schema/checkpoint.ts";
import { type Lag, trackLag } from "./lag.ts";
import type { ProjectorState, ProjectorStatus } from "./status.ts";
import { etaOf, trackRate } from "./throughput.ts";

/** Follows what the projector does, and tells it as a status. */
export interface Progress extends Pick<Lag, "begin" | "isWhole" | "received" | "sawEnd"> {
  /** A fault that another try does not end is the same as before, with the same `since`. */
  enter(state: ProjectorState, reason?: string): void;
  /** The reason of the fault that no try has ended yet: it is so while the next one begins, too. */
  fault(): string | null;
  applied(checkpoint: Checkpoint, redelivered: number): void;
  /** The end of the log could not be seen, and why. */
  lostSight(why: string): void;
  /** What the live generation holds, as just counted. */
  counted(counts: ModelCounts): void;
  status(): ProjectorStatus;
}

/** Milliseconds behind the log without a single event applied that are no mere pause. */
const stalledAfter = 5_000;

/**
 * @param now the wall clock, in milliseconds since 1970: when something was
 * @param elapsed a clock in milliseconds that nobody sets: how long something takes, whatever the wall clock does
 */
export const trackProgress = (now: () => number, elapsed: () => number = now): Progress => {
  let state: ProjectorState = "starting";
  let reason: string | null = null;
  let since = now();
  let fault: { readonly reason: string | null; readonly since: number } | null = null;
  let redelivered = 0;
  let isSeen = false;
  let still = { since: now(), from: elapsed() };
  let counts: ModelCounts | null = null;
  const lag = trackLag(now, elapsed);
  const rate = trackRate(elapsed);

  const stillFromNow = (): void => {
    still = { since: now(), from: elapsed() };
  };
  /** Behind the log counts from the moment there is something to be behind of. */
  const seeing = (see: () => void): void => {
    const wasBehind = lag.events() > 0;
    see();
    if (!wasBehind && lag.events() > 0) stillFromNow();
  };
  const sinceOf = (next: ProjectorState, why: string | null): number =>
    next === "faulted" && fault?.reason === why ? fault.since : now();
  const isReading = (): boolean => state === "live" || state === "replaying";
  const isStalled = (): boolean =>
    isReading() && lag.events() > 0 && elapsed() - still.from > stalledAfter;
  const condition = (): Pick<ProjectorStatus, "state" | "reason" | "since"> =>
    isStalled()
      ? { state: "stalled", reason: stall(lag.events()), since: iso(still.since) }
      : { state, reason, since: iso(since) };
  return {
    enter(next, why) {
      if (!isReading()) stillFromNow();
      if (next !== state) since = sinceOf(next, why ?? null);
      if (next === "faulted") fault = { reason: why ?? null, since };
      else if (next === "live") fault = null;
      if (next === "waiting") isSeen = false;
      lag.entered(next);
      state = next;
      reason = why ?? null;
    },
    fault: () => fault?.reason ?? null,
    begin: lag.begin,
    isWhole: lag.isWhole,
    received(oldest, last) {
      seeing(() => lag.received(oldest, last));
    },
    applied(checkpoint, again) {
      const events = checkpoint.sequence - lag.standing().sequence;
      rate.count(events);
      if (events > 0) stillFromNow();
      if (isReading()) fault = null;
      redelivered += again;
      lag.applied(checkpoint);
    },
    sawEnd(end, before) {
      isSeen = true;
      seeing(() => lag.sawEnd(end, before));
    },
    lostSight(why) {
      isSeen = false;
      if (isReading()) since = now();
      else if (state !== "waiting") return;
      lag.lostSight();
      state = "waiting";
      reason = `${why}; reads go on, and the projector goes on when it is back`;
    },
    counted(known) {
      counts = known;
    },
    status() {
      const { sequence, logTime, tally } = lag.standing();
      return {
        ...condition(),
        checkpoint: sequence,
        checkpointTime: logTime > 0 ? iso(logTime) : null,
        logLast: lag.last(),
        lagEvents: lag.events(),
        lagSeconds: lag.seconds(),
        eventsPerSecond: rate.perSecond(),
        etaSeconds: etaOf(lag.events(), rate.perSecond()),
        logReachable: isSeen,
        generation: lag.generation(),
        tally,
        redelivered,
        counts,
      };
    },
  };
};

const iso = (time: number): string => new Date(time).toISOString();

const stall = (behind: number): string =>
  `the log holds ${behind} more ${behind === 1 ? "event" : "events"}, and none was applied for ${stalledAfter / 1000} seconds; it goes on trying`;

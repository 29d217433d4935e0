import type { Checkpoint, Tally } from "../read-model/checkpoint.ts";
import type { ModelCounts } from "../read-model/counts.ts";
import { etaOf, trackRate } from "./rate.ts";

/**
 * starting: before the log was reached for the first time · replaying: catching up · live: at the end of the log ·
 * stalled: the log holds more, and nothing of it was applied for some seconds · waiting: the log cannot be reached ·
 * rebuilding: filling a new generation · faulted: nothing more is applied.
 */
export const projectorStates = [
  "starting",
  "replaying",
  "live",
  "stalled",
  "waiting",
  "rebuilding",
  "faulted",
] as const;
export type ProjectorState = (typeof projectorStates)[number];

/** What a projector knows of itself; crosses process borders as JSON. */
export interface ProjectorStatus {
  readonly state: ProjectorState;
  /** What is wrong and what to do about it; null while nothing is. */
  readonly reason: string | null;
  /** ISO 8601: since when it is in this state. */
  readonly since: string;
  /** Log sequence the model includes. */
  readonly checkpoint: number;
  /** ISO 8601: when the log took the event at the checkpoint; null before the first. */
  readonly checkpointTime: string | null;
  /** Log sequence of the newest event; the last one known while the log is away. */
  readonly logLast: number;
  readonly lagEvents: number;
  /**
   * Age of the oldest event that is not applied yet; 0 at the end of the log. While a new generation is filled, what the
   * one that answers may be behind.
   */
  readonly lagSeconds: number;
  readonly eventsPerSecond: number;
  /** Until the end of the log at this rate; 0 at the end, null while it cannot be told. */
  readonly etaSeconds: number | null;
  /** The log answered when it was last asked. */
  readonly logReachable: boolean;
  /** Name of the generation being written, e.g. `0001`. */
  readonly generation: string | null;
  readonly tally: Tally;
  /** Records delivered again and skipped, since this process began. */
  readonly redelivered: number;
  /** What the live generation holds, as last counted; null before the first is live. */
  readonly counts: ModelCounts | null;
}

/** Follows what the projector does, and tells it as a status. */
export interface Progress {
  /** A fault that another try does not end is the same as before, with the same `since`. */
  enter(state: ProjectorState, reason?: string): void;
  /** The reason of the fault that no try has ended yet: it is so while the next one begins, too. */
  fault(): string | null;
  /** The generation that is written, and where it stands. */
  begin(generation: string, checkpoint: Checkpoint): void;
  /** Where it stands the log ends, as was just seen. */
  isWhole(): void;
  /** A chunk was received: the log's time of its first record, and the sequence of its last. */
  received(oldest: number, last: number): void;
  applied(checkpoint: Checkpoint, redelivered: number): void;
  /** The end of the log, as just seen. */
  sawEnd(last: number): void;
  /** The end of the log could not be seen, and why. */
  lostSight(why: string): void;
  /** What the live generation holds, as just counted. */
  counted(counts: ModelCounts): void;
  status(): ProjectorStatus;
}

const nothing: Tally = { applied: 0, stale: 0, repeated: 0, rejected: 0 };

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
  let generation: string | null = null;
  let checkpoint: Known = { sequence: 0, logTime: 0, tally: nothing };
  let logLast = 0;
  let redelivered = 0;
  let behindSince: number | null = null;
  let seenAt = elapsed();
  let isSeen = false;
  /** It was seen at the end of its log: since then it is known what it is behind of. */
  let wasWhole = false;
  let still = { since: now(), from: elapsed() };
  let counts: ModelCounts | null = null;
  /** While another generation is filled, the one that answers falls behind: how far it was, and when. Milliseconds. */
  let falling: {
    readonly generation: string | null;
    readonly by: number;
    readonly from: number;
  } | null = null;
  const rate = trackRate(elapsed);
  const stillFromNow = (): void => {
    still = { since: now(), from: elapsed() };
  };

  const settle = (): void => {
    logLast = Math.max(logLast, checkpoint.sequence);
    if (logLast === checkpoint.sequence) behindSince = null;
    else behindSince ??= elapsed();
  };
  const lagSeconds = (): number => {
    const blind = state === "waiting" ? elapsed() - seenAt : 0;
    const behind = behindSince === null ? 0 : elapsed() - behindSince;
    const fallen = falling === null ? 0 : falling.by + elapsed() - falling.from;
    return Math.max(0, Math.max(blind, behind, fallen) / 1000);
  };
  /** Of a model that nobody has seen at the end of its log nothing newer is known than its last event. */
  const startFalling = (): void => {
    const age = wasWhole || checkpoint.logTime === 0 ? 0 : Math.max(0, now() - checkpoint.logTime);
    falling ??= { generation, by: Math.max(1_000 * lagSeconds(), age), from: elapsed() };
  };
  /** Behind the log counts from the moment there is something to be behind of. */
  const sawLast = (last: number): void => {
    if (logLast === checkpoint.sequence && last > logLast) stillFromNow();
    logLast = last;
  };
  const sinceOf = (next: ProjectorState, why: string | null): number =>
    next === "faulted" && fault?.reason === why ? fault.since : now();
  const isReading = (): boolean => state === "live" || state === "replaying";
  const isStalled = (): boolean =>
    isReading() && logLast > checkpoint.sequence && elapsed() - still.from > stalledAfter;
  const standing = (): Pick<ProjectorStatus, "state" | "reason" | "since"> =>
    isStalled()
      ? { state: "stalled", reason: stall(logLast - checkpoint.sequence), since: iso(still.since) }
      : { state, reason, since: iso(since) };
  return {
    enter(next, why) {
      if (!isReading()) stillFromNow();
      if (next !== state) since = sinceOf(next, why ?? null);
      if (next === "faulted") fault = { reason: why ?? null, since };
      else if (next === "live") fault = null;
      if (next === "rebuilding") startFalling();
      else if (next === "live") falling = null;
      // A full disk may interrupt it.
      else if (next !== "faulted" && falling?.generation !== generation) falling = null;
      if (next === "waiting") isSeen = false;
      if (next === "live") wasWhole = true;
      state = next;
      reason = why ?? null;
    },
    fault: () => fault?.reason ?? null,
    begin(name, known) {
      if (name !== generation) wasWhole = false;
      generation = name;
      checkpoint = known;
      settle();
    },
    isWhole() {
      wasWhole = true;
    },
    received(oldest, last) {
      sawLast(Math.max(logLast, last));
      // Only the wall clock knows how old a record of the log is: it is asked once, when the record comes.
      behindSince = elapsed() - Math.max(0, now() - oldest);
    },
    applied(known, again) {
      rate.count(known.sequence - checkpoint.sequence);
      if (known.sequence > checkpoint.sequence) stillFromNow();
      if (isReading()) fault = null;
      checkpoint = known;
      redelivered += again;
      settle();
    },
    sawEnd(last) {
      seenAt = elapsed();
      isSeen = true;
      sawLast(last);
      settle();
    },
    lostSight(why) {
      isSeen = false;
      if (isReading()) since = now();
      else if (state !== "waiting") return;
      state = "waiting";
      reason = `${why}; reads go on, and the projector goes on when it is back`;
    },
    counted(known) {
      counts = known;
    },
    status: () => ({
      ...standing(),
      checkpoint: checkpoint.sequence,
      checkpointTime: checkpoint.logTime > 0 ? iso(checkpoint.logTime) : null,
      logLast,
      lagEvents: logLast - checkpoint.sequence,
      lagSeconds: lagSeconds(),
      eventsPerSecond: rate.perSecond(),
      etaSeconds: etaOf(logLast - checkpoint.sequence, rate.perSecond()),
      logReachable: isSeen,
      generation,
      tally: checkpoint.tally,
      redelivered,
      counts,
    }),
  };
};

type Known = Pick<Checkpoint, "sequence" | "logTime" | "tally">;

const iso = (time: number): string => new Date(time).toISOString();

const stall = (behind: number): string =>
  `the log holds ${behind} more ${behind === 1 ? "event" : "events"}, and none was applied for ${stalledAfter / 1000} seconds; it goes on trying`;

import type { Checkpoint, Tally } from "../read-model/checkpoint.ts";

/**
 * starting: before the log was reached for the first time · replaying: catching up · live: at the end of the log ·
 * waiting: the log cannot be reached · rebuilding: filling a new generation · faulted: nothing more is applied.
 */
export type ProjectorState =
  | "starting"
  | "replaying"
  | "live"
  | "waiting"
  | "rebuilding"
  | "faulted";

/** What a projector knows of itself; crosses process borders as JSON. */
export interface ProjectorStatus {
  readonly state: ProjectorState;
  /** What is wrong and what to do about it; null while nothing is. */
  readonly reason: string | null;
  /** ISO 8601: since when it is in this state. */
  readonly since: string;
  /** Log sequence the model includes. */
  readonly checkpoint: number;
  /** Log sequence of the newest event; the last one known while the log is away. */
  readonly logLast: number;
  readonly lagEvents: number;
  /** Age of the oldest event that is not applied yet; 0 at the end of the log. */
  readonly lagSeconds: number;
  readonly eventsPerSecond: number;
  /** Name of the generation being written, e.g. `0001`. */
  readonly generation: string | null;
  readonly tally: Tally;
  /** Records delivered again and skipped, since this process began. */
  readonly redelivered: number;
}

/** Follows what the projector does, and tells it as a status. All times in milliseconds since 1970. */
export interface Progress {
  enter(state: ProjectorState, reason?: string): void;
  /** The generation that is written, and where it stands. */
  begin(generation: string, checkpoint: Checkpoint): void;
  /** A chunk was received: the log's time of its first record, and the sequence of its last. */
  received(oldest: number, last: number): void;
  applied(checkpoint: Checkpoint, redelivered: number): void;
  /** The end of the log, as just seen. */
  sawEnd(last: number): void;
  /** The end of the log could not be seen, and why. */
  lostSight(why: string): void;
  status(): ProjectorStatus;
}

const nothing: Tally = { applied: 0, stale: 0, repeated: 0, rejected: 0 };

export const trackProgress = (now: () => number): Progress => {
  let state: ProjectorState = "starting";
  let reason: string | null = null;
  let since = now();
  let generation: string | null = null;
  let checkpoint: Pick<Checkpoint, "sequence" | "tally"> = { sequence: 0, tally: nothing };
  let logLast = 0;
  let redelivered = 0;
  let behindSince: number | null = null;
  let seenAt = now();
  const rate = trackRate(now);

  const settle = (): void => {
    logLast = Math.max(logLast, checkpoint.sequence);
    if (logLast === checkpoint.sequence) behindSince = null;
    else behindSince ??= now();
  };
  const lagSeconds = (): number => {
    const blind = state === "waiting" ? now() - seenAt : 0;
    const behind = behindSince === null ? 0 : now() - behindSince;
    return Math.max(0, Math.max(blind, behind) / 1000);
  };
  return {
    enter(next, why) {
      if (next !== state) since = now();
      state = next;
      reason = why ?? null;
    },
    begin(name, known) {
      generation = name;
      checkpoint = known;
      settle();
    },
    received(oldest, last) {
      logLast = Math.max(logLast, last);
      behindSince = Math.min(oldest, now());
    },
    applied(known, again) {
      rate.count(known.sequence - checkpoint.sequence);
      checkpoint = known;
      redelivered += again;
      settle();
    },
    sawEnd(last) {
      seenAt = now();
      logLast = last;
      settle();
    },
    lostSight(why) {
      if (state === "live" || state === "replaying") since = now();
      else if (state !== "waiting") return;
      state = "waiting";
      reason = `${why}; reads go on, and the projector goes on when it is back`;
    },
    status: () => ({
      state,
      reason,
      since: new Date(since).toISOString(),
      checkpoint: checkpoint.sequence,
      logLast,
      lagEvents: logLast - checkpoint.sequence,
      lagSeconds: lagSeconds(),
      eventsPerSecond: rate.perSecond(),
      generation,
      tally: checkpoint.tally,
      redelivered,
    }),
  };
};

/** Events per second over the last few seconds. */
const trackRate = (now: () => number) => {
  const window = 5_000;
  let marks: { readonly at: number; readonly events: number }[] = [];
  return {
    count(events: number) {
      const at = now();
      marks = [...marks.filter((mark) => at - mark.at < window), { at, events }];
    },
    perSecond() {
      const recent = marks.filter((mark) => now() - mark.at < window);
      return Math.round(recent.reduce((sum, { events }) => sum + events, 0) / (window / 1000));
    },
  };
};

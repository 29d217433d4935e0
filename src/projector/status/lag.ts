import { type Checkpoint, noEvents } from "../../read-model/schema/checkpoint.ts";
import type { ProjectorState } from "./status.ts";

type Position = Pick<Checkpoint, "sequence" | "logTime" | "tally">;

/** Tracks the lag of a model behind its log. */
export interface Lag {
  /** Sets the generation that is written, and its position. */
  setGeneration(generation: string, position: Position): void;
  /** Records that the position is the end of the log. */
  caughtUp(): void;
  /** Records a received chunk: the log's time of its first record, and the sequence of its last. */
  received(oldest: number, last: number): void;
  applied(position: Position): void;
  /**
   * Records the end of the log.
   * @param before `last()` when the request was sent; if it has grown since, a smaller `end` is outdated
   */
  logEndSeen(end: number, before?: number): void;
  logUnavailable(): void;
  stateChanged(state: ProjectorState): void;
  generation(): string | null;
  position(): Position;
  /** Returns the log sequence of the latest event, or the last one seen while the log is unavailable. */
  last(): number;
  events(): number;
  seconds(): number;
}

/**
 * Combines three lags, of which the largest counts: of waiting events, of a log that does not answer, and of a rebuild.
 * @param now wall clock, in milliseconds since 1970
 * @param elapsed monotonic clock, in milliseconds
 */
export const trackLag = (now: () => number, elapsed: () => number): Lag => {
  let generation: string | null = null;
  /** True once the model has reached the end of its log: the log end is then current. */
  let hasCaughtUp = false;
  const backlog = trackBacklog(now, elapsed);
  const outage = trackOutage(elapsed);
  const rebuild = trackRebuild(elapsed);

  const lagMs = (): number => Math.max(0, outage.lagMs(), backlog.lagMs(), rebuild.lagMs());
  /** Computes the age of the last event of a model that never caught up. Milliseconds. */
  const modelAge = (): number => {
    const { logTime } = backlog.position();
    return hasCaughtUp || logTime === 0 ? 0 : Math.max(0, now() - logTime);
  };
  return {
    setGeneration(name, position) {
      if (name !== generation) hasCaughtUp = false;
      generation = name;
      backlog.restart(position);
    },
    caughtUp() {
      hasCaughtUp = true;
    },
    received: backlog.received,
    applied: backlog.applied,
    logEndSeen(end, before) {
      outage.logSeen();
      backlog.logEndSeen(end, before);
    },
    logUnavailable() {
      outage.set(true);
    },
    stateChanged(state) {
      if (state === "rebuilding") rebuild.start(generation, Math.max(lagMs(), modelAge()));
      else if (state === "live") rebuild.end();
      // A full disk (`faulted`) may interrupt a rebuild, which then goes on.
      else if (state !== "faulted") rebuild.endUnlessOf(generation);
      if (state === "live") hasCaughtUp = true;
      outage.set(state === "waiting");
    },
    generation: () => generation,
    position: backlog.position,
    last: backlog.last,
    events: backlog.events,
    seconds: () => lagMs() / 1000,
  };
};

/** Tracks the events between a position and the end of its log, and how long the oldest has waited. */
const trackBacklog = (now: () => number, elapsed: () => number) => {
  let position: Position = { sequence: 0, logTime: 0, tally: noEvents };
  let last = 0;
  let behindSince: number | null = null;
  /** Received chunks that are not fully applied: last sequence of each, and arrival time of its first event. */
  let unapplied: readonly { readonly last: number; readonly since: number }[] = [];

  const recompute = (): void => {
    last = Math.max(last, position.sequence);
    unapplied = unapplied.filter((chunk) => chunk.last > position.sequence);
    behindSince = unapplied[0]?.since ?? behindSince;
    if (last === position.sequence) behindSince = null;
    else behindSince ??= elapsed();
  };
  const moveTo = (current: Position): void => {
    position = current;
    recompute();
  };
  return {
    restart(current: Position): void {
      // The follower reads received but unapplied chunks again.
      unapplied = [];
      moveTo(current);
    },
    applied: moveTo,
    received(oldest: number, newest: number): void {
      last = Math.max(last, newest);
      // Only the wall clock gives the age of a record. It is read once, when the record arrives.
      const since = elapsed() - Math.max(0, now() - oldest);
      unapplied = [...unapplied, { last: newest, since }];
      recompute();
    },
    logEndSeen(end: number, before = last): void {
      last = last > before ? Math.max(last, end) : end;
      recompute();
    },
    position: () => position,
    last: () => last,
    events: () => last - position.sequence,
    lagMs: () => (behindSince === null ? 0 : elapsed() - behindSince),
  };
};

/** Tracks how long the log has not answered: events may have arrived since. */
const trackOutage = (elapsed: () => number) => {
  let seenAt = elapsed();
  let isLogHidden = false;
  return {
    logSeen(): void {
      seenAt = elapsed();
    },
    set(isHidden: boolean): void {
      isLogHidden = isHidden;
    },
    lagMs: () => (isLogHidden ? elapsed() - seenAt : 0),
  };
};

/** Tracks the lag of the live generation during a rebuild, which fills another generation. */
const trackRebuild = (elapsed: () => number) => {
  let rebuild:
    | { readonly generation: string | null; readonly initialMs: number; readonly from: number }
    | undefined;
  const end = (): void => {
    rebuild = undefined;
  };
  return {
    /** @param initialMs lag at the start; ignored while a rebuild runs */
    start(generation: string | null, initialMs: number): void {
      rebuild ??= { generation, initialMs, from: elapsed() };
    },
    end,
    endUnlessOf(generation: string | null): void {
      if (rebuild?.generation !== generation) end();
    },
    lagMs: () => (rebuild === undefined ? 0 : rebuild.initialMs + elapsed() - rebuild.from),
  };
};

import { type Checkpoint, noEvents } from "../../read-model/schema/checkpoint.ts";
import type { ProjectorState } from "./status.ts";

/** Position of a model in its log, as the status reports it. */
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
  /** Records that the end of the log is unavailable. */
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
 * @param now wall clock, in milliseconds since 1970
 * @param elapsed monotonic clock, in milliseconds
 */
export const trackLag = (now: () => number, elapsed: () => number): Lag => {
  let generation: string | null = null;
  let position: Position = {
    sequence: 0,
    logTime: 0,
    tally: noEvents,
  };
  let last = 0;
  let behindSince: number | null = null;
  let seenAt = elapsed();
  let isLogHidden = false;
  /** True once the model has reached the end of its log: the log end is then current. */
  let hasCaughtUp = false;
  /** Lag of the live generation at the start of a rebuild, which fills another generation. Milliseconds. */
  let rebuildLag: {
    readonly generation: string | null;
    readonly initial: number;
    readonly from: number;
  } | null = null;

  /** Received chunks that are not fully applied: last sequence of each, and arrival time of its first event. */
  let unapplied: readonly { readonly last: number; readonly since: number }[] = [];

  const recompute = (): void => {
    last = Math.max(last, position.sequence);
    unapplied = unapplied.filter((chunk) => chunk.last > position.sequence);
    behindSince = unapplied[0]?.since ?? behindSince;
    if (last === position.sequence) behindSince = null;
    else behindSince ??= elapsed();
  };
  const lagMs = (): number => {
    const hidden = isLogHidden ? elapsed() - seenAt : 0;
    const behind = behindSince === null ? 0 : elapsed() - behindSince;
    const rebuild = rebuildLag === null ? 0 : rebuildLag.initial + elapsed() - rebuildLag.from;
    return Math.max(0, hidden, behind, rebuild);
  };
  /** Starts the rebuild lag. The lag of a model that never caught up is the age of its last event. */
  const startRebuildLag = (): void => {
    const age = hasCaughtUp || position.logTime === 0 ? 0 : Math.max(0, now() - position.logTime);
    rebuildLag ??= { generation, initial: Math.max(lagMs(), age), from: elapsed() };
  };
  return {
    setGeneration(name, current) {
      if (name !== generation) hasCaughtUp = false;
      generation = name;
      position = current;
      // The follower reads received but unapplied chunks again.
      unapplied = [];
      recompute();
    },
    caughtUp() {
      hasCaughtUp = true;
    },
    received(oldest, newest) {
      last = Math.max(last, newest);
      // Only the wall clock gives the age of a record. It is read once, when the record arrives.
      const since = elapsed() - Math.max(0, now() - oldest);
      unapplied = [...unapplied, { last: newest, since }];
      recompute();
    },
    applied(current) {
      position = current;
      recompute();
    },
    logEndSeen(end, before = last) {
      seenAt = elapsed();
      last = last > before ? Math.max(last, end) : end;
      recompute();
    },
    logUnavailable() {
      isLogHidden = true;
    },
    stateChanged(state) {
      if (state === "rebuilding") startRebuildLag();
      else if (state === "live") rebuildLag = null;
      // A full disk (`faulted`) may interrupt a rebuild, which then goes on.
      else if (state !== "faulted" && rebuildLag?.generation !== generation) rebuildLag = null;
      if (state === "live") hasCaughtUp = true;
      isLogHidden = state === "waiting";
    },
    generation: () => generation,
    position: () => position,
    last: () => last,
    events: () => last - position.sequence,
    seconds: () => lagMs() / 1000,
  };
};

import { type Checkpoint, noEvents } from "../../read-model/schema/checkpoint.ts";
import type { ProjectorState } from "./status.ts";

type Position = Pick<Checkpoint, "sequence" | "logTime" | "tally">;

/**
 * Tracks the lag of a model behind its log: the largest of the lags of waiting events, of a log that does not answer, and of the
 * live generation during a rebuild, which fills another generation.
 * @param now wall clock, in milliseconds since 1970
 * @param elapsed monotonic clock, in milliseconds
 */
export const trackLag = (now: () => number, elapsed: () => number) => {
  let generation: string | null = null;
  let position: Position = { sequence: 0, logTime: 0, tally: noEvents };
  let last = 0;
  /** Arrival of the oldest event between the position and the end of the log. */
  let behindSince: number | null = null;
  /** Received chunks that are not fully applied: last sequence of each, and arrival time of its first event. */
  let unapplied: readonly { readonly last: number; readonly since: number }[] = [];
  /** True once the model has reached the end of its log: the log end is then current. */
  let hasCaughtUp = false;
  /** Events may have arrived since the log answered last. */
  let [logSeenAt, isLogUnavailable] = [elapsed(), false];
  /** Generation that was written, and its lag at the start of the rebuild. */
  let rebuild: { readonly of: string | null; readonly lagMs: number; readonly at: number } | null =
    null;

  const msSince = (start: number): number => elapsed() - start;
  const lagMs = (): number =>
    Math.max(
      0,
      isLogUnavailable ? msSince(logSeenAt) : 0,
      behindSince === null ? 0 : msSince(behindSince),
      rebuild ? rebuild.lagMs + msSince(rebuild.at) : 0,
    );
  /** Computes the age of the last event of a model that never caught up. Milliseconds. */
  const modelAge = (): number =>
    hasCaughtUp || position.logTime === 0 ? 0 : Math.max(0, now() - position.logTime);
  const recompute = (): void => {
    last = Math.max(last, position.sequence);
    unapplied = unapplied.filter((chunk) => chunk.last > position.sequence);
    behindSince = unapplied[0]?.since ?? behindSince;
    if (last === position.sequence) behindSince = null;
    else behindSince ??= elapsed();
  };
  const applied = (current: Position): void => {
    position = current;
    recompute();
  };
  return {
    /** Sets the generation that is written, and its position. The follower reads received but unapplied chunks again. */
    setGeneration(name: string, current: Position): void {
      if (name !== generation) hasCaughtUp = false;
      generation = name;
      unapplied = [];
      applied(current);
    },
    /** Records that the position is the end of the log. */
    caughtUp(): void {
      hasCaughtUp = true;
    },
    applied,
    /** Records a received chunk: the log's time of its first record, and the sequence of its last. */
    received(oldest: number, newest: number): void {
      last = Math.max(last, newest);
      // Only the wall clock gives the age of a record. It is read once, when the record arrives.
      const since = elapsed() - Math.max(0, now() - oldest);
      unapplied = [...unapplied, { last: newest, since }];
      recompute();
    },
    /** @param before `last()` when the request was sent; if it has grown since, a smaller `end` is outdated */
    logEndSeen(end: number, before = last): void {
      logSeenAt = elapsed();
      last = last > before ? Math.max(last, end) : end;
      recompute();
    },
    logUnavailable(): void {
      isLogUnavailable = true;
    },
    stateChanged(state: ProjectorState): void {
      if (state === "rebuilding")
        rebuild ??= { of: generation, lagMs: Math.max(lagMs(), modelAge()), at: elapsed() };
      // A full disk (`faulted`) may interrupt a rebuild, which then goes on.
      else if (state === "live" || (state !== "faulted" && rebuild?.of !== generation))
        rebuild = null;
      if (state === "live") hasCaughtUp = true;
      isLogUnavailable = state === "waiting";
    },
    generation: () => generation,
    position: () => position,
    /** Returns the log sequence of the latest event, or the last one seen while the log is unavailable. */
    last: () => last,
    events: () => last - position.sequence,
    seconds: () => lagMs() / 1000,
  };
};

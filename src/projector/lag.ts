import type { Checkpoint } from "../read-model/schema/checkpoint.ts";
import type { ProjectorState } from "./status.ts";

/** Where a model stands, as far as a projector tells of it. */
type Standing = Pick<Checkpoint, "sequence" | "logTime" | "tally">;

/** Follows how far a model is behind its log. */
export interface Lag {
  /** The generation that is written, and where it stands. */
  begin(generation: string, standing: Standing): void;
  /** Where it stands the log ends, as was just seen. */
  isWhole(): void;
  /** A chunk was received: the log's time of its first record, and the sequence of its last. */
  received(oldest: number, last: number): void;
  applied(standing: Standing): void;
  /**
   * The end of the log, as just seen.
   * @param before `last()` when the log was asked: where more became known since then, a smaller answer is older
   */
  sawEnd(end: number, before?: number): void;
  /** The end of the log cannot be seen any more. */
  lostSight(): void;
  entered(state: ProjectorState): void;
  generation(): string | null;
  standing(): Standing;
  /** Log sequence of the newest event; the last one known while the log is away. */
  last(): number;
  events(): number;
  seconds(): number;
}

/** @param now, @param elapsed as `trackProgress` has them */
export const trackLag = (now: () => number, elapsed: () => number): Lag => {
  let generation: string | null = null;
  let standing: Standing = {
    sequence: 0,
    logTime: 0,
    tally: { applied: 0, stale: 0, repeated: 0, rejected: 0 },
  };
  let last = 0;
  let behindSince: number | null = null;
  let seenAt = elapsed();
  let isBlind = false;
  /** It was seen at the end of its log: since then it is known what it is behind of. */
  let wasWhole = false;
  /** While another generation is filled, the one that answers falls behind: how far it was, and when. Milliseconds. */
  let falling: {
    readonly generation: string | null;
    readonly by: number;
    readonly from: number;
  } | null = null;

  /** Chunks that were received and are not applied as a whole: the last sequence of each, and when its first event came. */
  let unapplied: readonly { readonly last: number; readonly since: number }[] = [];

  const settle = (): void => {
    last = Math.max(last, standing.sequence);
    unapplied = unapplied.filter((chunk) => chunk.last > standing.sequence);
    behindSince = unapplied[0]?.since ?? behindSince;
    if (last === standing.sequence) behindSince = null;
    else behindSince ??= elapsed();
  };
  const milliseconds = (): number => {
    const blind = isBlind ? elapsed() - seenAt : 0;
    const behind = behindSince === null ? 0 : elapsed() - behindSince;
    const fallen = falling === null ? 0 : falling.by + elapsed() - falling.from;
    return Math.max(0, blind, behind, fallen);
  };
  /** Of a model that nobody has seen at the end of its log nothing newer is known than its last event. */
  const startFalling = (): void => {
    const age = wasWhole || standing.logTime === 0 ? 0 : Math.max(0, now() - standing.logTime);
    falling ??= { generation, by: Math.max(milliseconds(), age), from: elapsed() };
  };
  return {
    begin(name, known) {
      if (name !== generation) wasWhole = false;
      generation = name;
      standing = known;
      // What was received and not applied is read again.
      unapplied = [];
      settle();
    },
    isWhole() {
      wasWhole = true;
    },
    received(oldest, newest) {
      last = Math.max(last, newest);
      // Only the wall clock knows how old a record of the log is: it is asked once, when the record comes.
      const since = elapsed() - Math.max(0, now() - oldest);
      unapplied = [...unapplied, { last: newest, since }];
      settle();
    },
    applied(known) {
      standing = known;
      settle();
    },
    sawEnd(end, before = last) {
      seenAt = elapsed();
      last = last > before ? Math.max(last, end) : end;
      settle();
    },
    lostSight() {
      isBlind = true;
    },
    entered(state) {
      if (state === "rebuilding") startFalling();
      else if (state === "live") falling = null;
      // A full disk may interrupt it.
      else if (state !== "faulted" && falling?.generation !== generation) falling = null;
      if (state === "live") wasWhole = true;
      isBlind = state === "waiting";
    },
    generation: () => generation,
    standing: () => standing,
    last: () => last,
    events: () => last - standing.sequence,
    seconds: () => milliseconds() / 1000,
  };
};

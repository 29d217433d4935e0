import { VitrineError } from "../../errors.ts";
import type { LogBounds } from "../../event-log/event-log.ts";
import type { Comparison } from "../../read-model/compare/compare.ts";
import { keepComparison } from "../../read-model/compare/comparison-file.ts";
import type { BuildingPhase } from "../../read-model/generations/build-progress.ts";
import type { DataDirectory } from "../../read-model/generations/data-directory.ts";
import { tables } from "../../read-model/schema/tables.ts";
import type { ProjectorWorld } from "../context.ts";
import { type Generation, openGeneration } from "../open-generation.ts";
import { type ComparingWorld, compareLive } from "./compare-at-checkpoint.ts";
import type { Former } from "./comparison-client.ts";
import { type Limit, type ReplayWorld, replay, wholeBounds } from "./replay.ts";
import type { Workplace } from "./scratch.ts";

/** Dependencies of a command that builds a candidate generation while the live one serves readers. */
export interface BuildWorld extends Pick<ProjectorWorld, "eventLog" | "rendering" | "now"> {
  readonly directory: DataDirectory;
  readonly place: Workplace;
  /** Receives the current sequence, the last sequence, and the bytes of the events read. */
  readonly onProgress: (at: number, of: number, bytes: number) => void;
}

/** Describes a candidate generation, and its differences from the live one. */
export interface Built {
  /** Undefined when there was no live generation, or its file is damaged. */
  readonly comparison: Comparison | undefined;
  /** Damage of the live generation's file; undefined when it is intact. */
  readonly damage: VitrineError | undefined;
  /** Visible products of the live generation, or 0 when they cannot be read, and of the candidate. */
  readonly products: { readonly before: number; readonly after: number };
  /** False when the log does not continue the live generation, so that the two were compared at different events. */
  readonly isContinued: boolean;
  /** Last description of the live generation; undefined when it cannot be read. */
  readonly former: Former | undefined;
  /** True when the log keeps only the latest event of a subject. The effects of the deleted events are missing then. */
  readonly isCompacted: boolean;
}

/**
 * Replays the log into the scratch directory of a command, and compares the result with the live generation at its checkpoint.
 * It then replays to the end of the log, if `isToEnd` is set. The generation is closed when the promise resolves or rejects.
 * @param begin fills the empty generation before the replay
 * @throws `divergence` when the log was trimmed; `event_log`, `projection`, `not_writable` as `replay` does; the reason of the
 * signal when it aborts first
 */
export const buildBeside = async (
  context: BuildWorld,
  isToEnd: boolean,
  begin?: (generation: Generation, replayContext: ReplayWorld) => Promise<void>,
): Promise<Built> => {
  const bounds = await wholeBounds(context);
  const generation = openGeneration(context.place.path);
  try {
    const replayContext = openReplay(context, bounds);
    await begin?.(generation, replayContext);
    const advanceTo = async (limit: Limit): Promise<boolean> => {
      await replay(replayContext, generation, limit);
      return !replayContext.signal.aborted;
    };
    const live = context.directory.live();
    const compareContext = toCompareContext(context, advanceTo, replayContext.tellComparing);
    const result = live ? await compareLive(compareContext, live, generation) : undefined;
    context.place.signal.throwIfAborted();
    if (isToEnd) await advanceTo({});
    context.place.signal.throwIfAborted();
    if (live && result?.comparison) {
      keepComparison(context.place.path, result.comparison, live, context.now());
    }
    const { store } = generation;
    return {
      comparison: result?.comparison,
      damage: result?.damage,
      products: {
        before: result?.former?.products ?? 0,
        after: store.get(tables.counters, "products") ?? 0,
      },
      isContinued: result?.isContinued ?? true,
      former: result?.former,
      isCompacted: bounds.first > 1 || countReadEvents(generation) < getSequence(generation),
    };
  } finally {
    await generation.store.close();
  }
};

const toCompareContext = (
  { eventLog, place: scratch }: BuildWorld,
  advanceTo: (limit: Limit) => Promise<boolean>,
  onAligned: () => void,
): ComparingWorld => ({
  eventLog,
  place: scratch.path,
  signal: scratch.signal,
  bringOn: advanceTo,
  onLevel: onAligned,
});

/** Creates the context of a replay that reports its progress to the terminal and to the status. */
export const openReplay = (
  { eventLog, rendering, place: scratch, onProgress }: Omit<BuildWorld, "directory" | "now">,
  { first, last }: LogBounds,
): ReplayWorld & { readonly tellComparing: () => void } => {
  let bytes = 0;
  let at = first - 1;
  const { signal, announce } = scratch;
  const report = (phase: BuildingPhase): void =>
    announce.tell({ phase, at, of: Math.max(at, last), bytes });
  report("replaying");
  return {
    eventLog,
    rendering,
    signal,
    onRead(sequence, more) {
      at = sequence;
      bytes += more;
      onProgress(at, Math.max(at, last), bytes);
      report("replaying");
    },
    tellComparing: () => report("comparing"),
  };
};

const getCheckpoint = ({ store }: Generation) => store.get(tables.meta, "checkpoint");

const getSequence = (generation: Generation): number => getCheckpoint(generation)?.sequence ?? 0;

/** Counts the events of the log that the generation has read. */
const countReadEvents = (generation: Generation): number => {
  const { applied, stale, repeated, rejected } = getCheckpoint(generation)?.tally ?? emptyTally;
  return applied + stale + repeated + rejected;
};

const emptyTally = { applied: 0, stale: 0, repeated: 0, rejected: 0 };

import type { VitrineError } from "../../errors.ts";
import type { LogBounds } from "../../event-log/event-log.ts";
import type { Comparison } from "../../read-model/compare/compare.ts";
import { writeComparison } from "../../read-model/compare/comparison-file.ts";
import type { BuildPhase } from "../../read-model/generations/build-progress.ts";
import type { DataDirectory } from "../../read-model/generations/data-directory.ts";
import { noEvents } from "../../read-model/schema/checkpoint.ts";
import { tables } from "../../read-model/schema/tables.ts";
import { readCheckpoint } from "../../read-model/store/store.ts";
import type { ProjectorContext } from "../context.ts";
import { type Generation, openGeneration } from "../open-generation.ts";
import { type CompareContext, compareAtCheckpoint } from "./compare-at-checkpoint.ts";
import type { Baseline } from "./comparison-client.ts";
import { type ReplayContext, type ReplayLimit, replay, requireCompleteLog } from "./replay.ts";
import type { ScratchContext } from "./scratch.ts";

/** Dependencies of a command that builds a candidate generation while the live one serves readers. */
export interface BuildContext extends Pick<ProjectorContext, "eventLog" | "rendering" | "now"> {
  readonly directory: DataDirectory;
  readonly scratch: ScratchContext;
  /** Receives the current sequence, the last sequence, and the bytes of the events read. */
  readonly onProgress: (at: number, of: number, bytes: number) => void;
}

/** Describes a candidate generation, and its differences from the live one. */
export interface CandidateReport {
  /** Undefined when there was no live generation, or its file is damaged. */
  readonly comparison: Comparison | undefined;
  /** Damage of the live generation's file; undefined when it is intact. */
  readonly damage: VitrineError | undefined;
  /** Visible products of the live generation, or 0 when they cannot be read, and of the candidate. */
  readonly products: { readonly before: number; readonly after: number };
  /** False when the log does not continue the live generation, so that the two were compared at different events. */
  readonly isContinued: boolean;
  /** Last description of the live generation; undefined when it cannot be read. */
  readonly baseline: Baseline | undefined;
  /** True when the log keeps only the latest event of a subject. The effects of the deleted events are missing then. */
  readonly isCompacted: boolean;
}

/**
 * Replays the log into the scratch directory of a command, and compares the result with the live generation at its checkpoint.
 * It then replays to the end of the log, if `isToEnd` is set. The generation is closed when the promise resolves or rejects.
 * @throws `divergence` when the log was trimmed; `event_log`, `projection`, `not_writable` as `replay` does; the reason of the
 * signal when it aborts first
 */
export const buildCandidate = async (
  context: BuildContext,
  isToEnd: boolean,
): Promise<CandidateReport> => {
  const bounds = await requireCompleteLog(context);
  const generation = openGeneration(context.scratch.path);
  try {
    const replayContext = createReplayContext(context, bounds);
    const advanceTo = async (limit: ReplayLimit): Promise<boolean> => {
      await replay(replayContext, generation, limit);
      return !replayContext.signal.aborted;
    };
    const live = context.directory.live();
    const compareContext = toCompareContext(context, advanceTo, replayContext.reportComparing);
    const result = live ? await compareAtCheckpoint(compareContext, live, generation) : undefined;
    context.scratch.signal.throwIfAborted();
    if (isToEnd) await advanceTo({});
    context.scratch.signal.throwIfAborted();
    if (live && result?.comparison) {
      writeComparison(context.scratch.path, result.comparison, live, context.now());
    }
    const { store } = generation;
    return {
      comparison: result?.comparison,
      damage: result?.damage,
      products: {
        before: result?.baseline?.products ?? 0,
        after: store.get(tables.counters, "products") ?? 0,
      },
      isContinued: result?.isContinued ?? true,
      baseline: result?.baseline,
      isCompacted: bounds.first > 1 || countReadEvents(generation) < getSequence(generation),
    };
  } finally {
    await generation.store.close();
  }
};

const toCompareContext = (
  { eventLog, scratch }: BuildContext,
  advanceTo: (limit: ReplayLimit) => Promise<boolean>,
  onAligned: () => void,
): CompareContext => ({
  eventLog,
  scratchPath: scratch.path,
  signal: scratch.signal,
  advanceTo,
  onAligned,
});

/** Creates the context of a replay that reports its progress to the terminal and to the status. */
export const createReplayContext = (
  { eventLog, rendering, scratch, onProgress }: Omit<BuildContext, "directory" | "now">,
  { first, last }: LogBounds,
): ReplayContext & { readonly reportComparing: () => void } => {
  let bytes = 0;
  let at = first - 1;
  const { signal, announce } = scratch;
  const report = (phase: BuildPhase): void =>
    announce.update({ phase, at, of: Math.max(at, last), bytes });
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
    reportComparing: () => report("comparing"),
  };
};

const getCheckpoint = ({ store }: Generation) => readCheckpoint(store);

const getSequence = (generation: Generation): number => getCheckpoint(generation)?.sequence ?? 0;

const countReadEvents = (generation: Generation): number => {
  const { applied, stale, repeated, rejected } = getCheckpoint(generation)?.tally ?? noEvents;
  return applied + stale + repeated + rejected;
};

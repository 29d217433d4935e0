import type { LogBounds } from "../../event-log/event-log.ts";
import { closeAfter } from "../../platform/async.ts";
import { writeComparison } from "../../read-model/compare/comparison-file.ts";
import type { BuildPhase } from "../../read-model/generations/build-progress.ts";
import type { DataDirectory } from "../../read-model/generations/data-directory.ts";
import { probeGeneration } from "../../read-model/integrity/probe.ts";
import type { Checkpoint } from "../../read-model/schema/checkpoint.ts";
import { tables } from "../../read-model/schema/tables.ts";
import { openStore, readCheckpoint } from "../../read-model/store/store.ts";
import type { ProjectorContext } from "../context.ts";
import { findDivergence, nextHistory } from "../continuity/continuity.ts";
import { openGeneration } from "../open-generation.ts";
import {
  type BaselineComparison,
  compareAtCheckpoint,
  noComparison,
} from "./compare-at-checkpoint.ts";
import { type ReplayContext, type ReplayLimit, replay, requireCompleteLog } from "./replay.ts";
import type { ScratchContext } from "./scratch.ts";

/** Dependencies of a command that builds a candidate generation while the live one serves readers. */
export interface BuildContext extends Pick<ProjectorContext, "eventLog" | "rendering" | "now"> {
  readonly directory: DataDirectory;
  readonly scratch: ScratchContext;
  /** Receives the current sequence, the last sequence, and the bytes of the events read. */
  readonly onProgress: (at: number, of: number, bytes: number) => void;
}

/** Describes a candidate generation, and its comparison with the live one; none when there is no live generation. */
export interface CandidateReport extends BaselineComparison {
  /** Visible products of the live generation, or 0 when they cannot be read, and of the candidate. */
  readonly products: { readonly before: number; readonly after: number };
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
  const generation = openGeneration(context.scratch.path, await readHistory(context));
  try {
    const replayContext = createReplayContext(context, bounds);
    const advanceTo = async (limit: ReplayLimit): Promise<boolean> => {
      await replay(replayContext, generation, limit);
      return !replayContext.signal.aborted;
    };
    const live = context.directory.live();
    const { eventLog, scratch } = context;
    const compareContext = {
      ...{ eventLog, scratchPath: scratch.path, signal: scratch.signal },
      ...{ advanceTo, onAligned: replayContext.reportComparing },
    };
    const compared = live ? await compareAtCheckpoint(compareContext, live, generation) : undefined;
    const result = compared ?? noComparison;
    scratch.signal.throwIfAborted();
    if (isToEnd) await advanceTo({});
    scratch.signal.throwIfAborted();
    if (live && result.comparison)
      writeComparison(scratch.path, result.comparison, live, context.now());
    const after = generation.store.get(tables.counters, "products") ?? 0;
    const reached = readCheckpoint(generation.store);
    return {
      ...result,
      products: { before: result.baseline?.products ?? 0, after },
      isCompacted: bounds.first > 1 || (reached !== undefined && hasGaps(reached)),
    };
  } finally {
    await generation.store.close();
  }
};

/** Reads the history of the log, which the candidate takes over from the live generation unless the log went back since. */
const readHistory = async ({
  directory,
  eventLog,
}: Pick<BuildContext, "directory" | "eventLog">): Promise<string | undefined> => {
  const checkpoint = await readLiveCheckpoint(directory.live());
  return checkpoint && nextHistory(checkpoint, await findDivergence(checkpoint, eventLog));
};

/** @returns undefined without a live generation, and for a damaged one, which the candidate replaces */
const readLiveCheckpoint = async (live: string | undefined): Promise<Checkpoint | undefined> => {
  // Reading a damaged page could end this process.
  if (live === undefined || (await probeGeneration(live, "quick")) !== undefined) return undefined;
  return closeAfter(openStore(live, { readOnly: true }), readCheckpoint);
};

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

/** Checks whether fewer events were read than the checkpoint has sequences. */
const hasGaps = ({ sequence, tally }: Checkpoint): boolean =>
  tally.applied + tally.stale + tally.repeated + tally.rejected < sequence;

import { VitrineError } from "../../errors.ts";
import type { EventLog } from "../../event-log/event-log.ts";
import type { Comparison } from "../../read-model/compare/compare.ts";
import { findDivergence } from "../continuity/continuity.ts";
import type { Generation } from "../open-generation.ts";
import {
  type Baseline,
  type ComparisonWorker,
  startComparisonWorker,
} from "./comparison-client.ts";
import type { ReplayLimit } from "./replay.ts";

/** Result of the comparison of a candidate with the live generation. */
export interface BaselineComparison {
  /** Undefined when the live generation is damaged, see `damage`. */
  readonly comparison: Comparison | undefined;
  /** Damage of the live generation; undefined when it could be read. */
  readonly damage: VitrineError | undefined;
  /** The live generation at the compared snapshot. For a damaged one its last description, or undefined. */
  readonly baseline: Baseline | undefined;
  /** False when the log does not continue the live generation, which was then compared with a candidate at the log end. */
  readonly isContinued: boolean;
}

export const noComparison: BaselineComparison = {
  ...{ comparison: undefined, damage: undefined, baseline: undefined, isContinued: true },
};

export interface CompareContext {
  readonly eventLog: EventLog;
  /** Path of an existing directory for temporary files. */
  readonly scratchPath: string;
  readonly signal: AbortSignal;
  /** Replays the log into the candidate, up to a limit. @returns false when the signal aborted */
  readonly advanceTo: (limit: ReplayLimit) => Promise<boolean>;
  /** Called when the candidate has reached the checkpoint of the live generation. */
  readonly onAligned?: () => void;
}

/** Maximum number of events that the live generation is ahead when it is pinned, so that the rest is read quickly. */
const maxGapToPin = 2_000;

/**
 * Replays a candidate to the checkpoint of the live generation, and compares the two there, while another process may write to
 * the live one. A live generation that the log no longer continues is compared at the end of the log. Damage of the live
 * generation is a result, and not an error.
 * @returns undefined when the signal aborted
 * @throws as `bringOn` does; `comparison_unavailable` when the live generation cannot be read for a reason other than damage
 */
export const compareAtCheckpoint = async (
  context: CompareContext,
  liveDirectory: string,
  candidate: Generation,
): Promise<BaselineComparison | undefined> => {
  let worker: ComparisonWorker | undefined;
  let baseline: Baseline | undefined;
  try {
    worker = await startComparisonWorker(liveDirectory, context.scratchPath, context.signal);
    baseline = await worker.describe();
    const isContinued = await continues(context.eventLog, baseline);
    const pinned = isContinued
      ? await alignWith(context, worker, baseline)
      : await pinAtEnd(context, worker);
    if (!pinned) return undefined;
    baseline = pinned;
    context.onAligned?.();
    const comparison = await worker.compare(candidate.store.directory);
    return { comparison, damage: undefined, baseline: pinned, isContinued };
  } catch (error) {
    if (context.signal.aborted) return undefined;
    if (!(error instanceof VitrineError && error.code === "model_damaged")) throw error;
    return { comparison: undefined, damage: error, baseline, isContinued: true };
  } finally {
    worker?.close();
  }
};

/** Maximum number of replays that chase the live generation before it is pinned at any gap. */
const maxAlignRounds = 20;

const continues = async (eventLog: EventLog, { checkpoint }: Baseline): Promise<boolean> =>
  checkpoint !== undefined && !(await findDivergence(checkpoint, eventLog));

const pinAtEnd = async (
  context: CompareContext,
  worker: ComparisonWorker,
): Promise<Baseline | undefined> => ((await context.advanceTo({})) ? worker.pin() : undefined);

/**
 * Replays the candidate to the checkpoint of the live generation, and pins the live generation there.
 * @returns undefined when the signal aborted
 */
const alignWith = async (
  context: CompareContext,
  worker: ComparisonWorker,
  described: Baseline,
): Promise<Baseline | undefined> => {
  let baseline = described;
  let gap = Number.POSITIVE_INFINITY;
  for (let round = 0; round < maxAlignRounds && gap > maxGapToPin; round += 1) {
    const sequence = getSequence(baseline);
    if (!(await context.advanceTo({ sequence }))) return undefined;
    baseline = await worker.describe();
    gap = getSequence(baseline) - sequence;
  }
  const pinned = await worker.pin();
  return (await context.advanceTo({ sequence: getSequence(pinned) })) ? pinned : undefined;
};

const getSequence = ({ checkpoint }: Baseline): number => checkpoint?.sequence ?? 0;

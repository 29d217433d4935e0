import { VitrineError } from "../../errors.ts";
import type { EventLog } from "../../event-log/event-log.ts";
import type { Comparison } from "../../read-model/compare/compare.ts";
import { checkLog } from "../continuity.ts";
import type { Generation } from "../open-generation.ts";
import { type Apart, type Former, openApart } from "./comparison-client.ts";
import type { Limit } from "./replay.ts";

/** Result of the comparison of a candidate with the live generation. */
export interface Found {
  /** Undefined when the live generation is damaged, see `damage`. */
  readonly comparison: Comparison | undefined;
  /** Damage of the live generation; undefined when it could be read. */
  readonly damage: VitrineError | undefined;
  /** The live generation at the compared snapshot. For a damaged one its last description, or undefined. */
  readonly former: Former | undefined;
  /** False when the log does not continue the live generation, which was then compared with a candidate at the log end. */
  readonly isContinued: boolean;
}

export interface ComparingWorld {
  readonly eventLog: EventLog;
  /** Path of an existing directory for temporary files. */
  readonly place: string;
  readonly signal: AbortSignal;
  /** Replays the log into the candidate, up to a limit. @returns false when the signal aborted */
  readonly bringOn: (limit: Limit) => Promise<boolean>;
  /** Called when the candidate has reached the checkpoint of the live generation. */
  readonly onLevel?: () => void;
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
export const compareLive = async (
  context: ComparingWorld,
  liveDirectory: string,
  candidate: Generation,
): Promise<Found | undefined> => {
  let worker: Apart | undefined;
  let baseline: Former | undefined;
  try {
    worker = await openApart(liveDirectory, context.place, context.signal);
    baseline = await worker.look();
    const isContinued = await continues(context.eventLog, baseline);
    const pinned = isContinued ? await alignWith(context, worker) : await pinAtEnd(context, worker);
    if (!pinned) return undefined;
    baseline = pinned;
    context.onLevel?.();
    const comparison = await worker.compare(candidate.store.directory);
    return { comparison, damage: undefined, former: pinned, isContinued };
  } catch (error) {
    if (context.signal.aborted) return undefined;
    if (!(error instanceof VitrineError && error.code === "model_damaged")) throw error;
    return { comparison: undefined, damage: error, former: baseline, isContinued: true };
  } finally {
    worker?.close();
  }
};

/** Maximum number of replays that chase the live generation before it is pinned at any gap. */
const maxAlignRounds = 20;

const continues = async (eventLog: EventLog, { checkpoint }: Former): Promise<boolean> =>
  checkpoint !== undefined && !(await checkLog(checkpoint, eventLog));

const pinAtEnd = async (context: ComparingWorld, worker: Apart): Promise<Former | undefined> =>
  (await context.bringOn({})) ? worker.pin() : undefined;

/**
 * Replays the candidate to the checkpoint of the live generation, and pins the live generation there.
 * @returns undefined when the signal aborted
 */
const alignWith = async (context: ComparingWorld, worker: Apart): Promise<Former | undefined> => {
  let baseline = await worker.look();
  let gap = Number.POSITIVE_INFINITY;
  for (let round = 0; round < maxAlignRounds && gap > maxGapToPin; round += 1) {
    const sequence = getSequence(baseline);
    if (!(await context.bringOn({ sequence }))) return undefined;
    baseline = await worker.look();
    gap = getSequence(baseline) - sequence;
  }
  const pinned = await worker.pin();
  return (await context.bringOn({ sequence: getSequence(pinned) })) ? pinned : undefined;
};

const getSequence = ({ checkpoint }: Former): number => checkpoint?.sequence ?? 0;

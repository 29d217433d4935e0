import { readModelCounts } from "../read-model/reader/model-counts.ts";
import type { ProjectorContext } from "./context.ts";
import type { Generation } from "./open-generation.ts";

const intervalsMs = { reclaim: 30_000, count: 2_000 };

/**
 * Frees slots of dead readers and counts the live generation, at intervals.
 * @param current returns the generation that the projector has open
 * @returns the function that stops both
 */
export const startHousekeeping = (
  context: ProjectorContext,
  current: () => Generation,
): (() => void) => {
  const reclaiming = setInterval(() => reclaim(context, current()), intervalsMs.reclaim);
  const counting = setInterval(() => count(context, current()), intervalsMs.count);
  return () => {
    clearInterval(reclaiming);
    clearInterval(counting);
  };
};

/** Frees LMDB reader slots of dead processes. It fails when the generation was closed by a swap or a reopening, which is harmless. */
const reclaim = ({ logger, operator }: ProjectorContext, { store }: Generation): void => {
  try {
    store.reclaimReaders();
    operator.reclaimReaders();
  } catch (error) {
    logger.debug({ err: error }, "slots of readers that died cannot be freed");
  }
};

/** Reports the model counts of the live generation. A generation that is still being filled has no readers. */
const count = (
  { directory, operator, progress, logger }: ProjectorContext,
  { store }: Generation,
): void => {
  try {
    if (directory.live() === store.directory) progress.setCounts(readModelCounts(store, operator));
  } catch (error) {
    logger.debug({ err: error }, "the live generation cannot be counted");
  }
};

import { messageOf } from "../errors.ts";
import type { ProjectorContext } from "./context.ts";
import type { ContinuityWatch } from "./continuity/continuity-watch.ts";
import type { Generation } from "./open-generation.ts";
import type { RunContext } from "./run-context.ts";

/**
 * Shows a followed generation as live at the end of the log. A generation is promoted when it first reaches the end of a log
 * with events.
 */
export const updateAtLogEnd = async (
  context: RunContext,
  generation: Generation,
  watch: ContinuityWatch,
): Promise<void> => {
  const { monitor, progress } = context;
  // Do not report `live` before continuity was verified once.
  if (!watch.isVerified() || watch.signal.aborted) return;
  const isShorter = (monitor.end() ?? 0) < progress.status().checkpoint;
  if (isShorter || isReadyForPromotion(context, generation)) {
    // A log that ends before the checkpoint is another one. A promotion cannot be undone by a later comparison.
    await watch.verify();
    if (watch.signal.aborted) return;
  }
  if (progress.status().lagEvents > 0) return progress.unblock("promotion");
  if (!isReadyForPromotion(context, generation)) return progress.setState("live");
  // `runProjector` opens the generation again, and the next poll shows it as live.
  if (promoteGeneration(context, generation)) context.interrupt.abort();
};

/** Checks whether a generation that is not live has applied all events seen in the log. */
const isReadyForPromotion = (
  { directory, progress }: ProjectorContext,
  { store }: Generation,
): boolean => {
  const { lagEvents, checkpoint } = progress.status();
  return lagEvents === 0 && checkpoint > 0 && directory.live() !== store.directory;
};

/** @returns false when the links of the directory cannot be written; the next poll tries again */
const promoteGeneration = (
  { directory, progress, logger }: ProjectorContext,
  { name, store }: Generation,
): boolean => {
  try {
    directory.swap(store.directory);
  } catch (error) {
    const reason = `the generation cannot go live: ${messageOf(error)}; make room on the disk of ${store.directory}`;
    if (progress.currentFault() !== reason) logger.error({ err: error, reason }, "trying again");
    progress.block("promotion", reason);
    return false;
  }
  progress.unblock("promotion");
  logger.info(
    { generation: name, checkpoint: progress.status().checkpoint },
    "the generation is live",
  );
  return true;
};

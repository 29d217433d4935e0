import { type Built, buildBeside } from "../../../projector/rebuild/build-candidate.ts";
import { projectionNamed, replayOnly } from "../../../projector/rebuild/replay-projection.ts";
import { inScratch, type Workplace } from "../../../projector/rebuild/scratch.ts";
import { createRendering } from "../../../projector/rendering/index.ts";
import { openToRead } from "../../event-log.ts";
import type { ModelDirectory } from "../../model-directory.ts";
import type { LogConfig } from "../../shared-options.ts";
import { type ReplayProgress, replayProgress } from "../../terminal/replay-progress.ts";
import { giveWay } from "./lower-priority.ts";

export interface Building {
  readonly config: LogConfig;
  readonly model: ModelDirectory;
  /** Command that builds. */
  readonly doing: "rebuild" | "verify";
  /** The one projection to rebuild; all when absent. */
  readonly only?: string | undefined;
  /** Continues to the end of the log after the comparison. */
  readonly isToEnd: boolean;
  readonly showProgress: boolean;
  readonly signal: AbortSignal;
}

/** A built candidate, its scratch directory, and the time and bytes of its replay. */
export interface BuiltThere extends Built {
  readonly place: Workplace;
  readonly read: ReturnType<ReplayProgress["read"]>;
}

/**
 * Builds a candidate in `scratch/` and compares it with the live generation.
 * @param use works with the candidate, which is deleted afterwards unless it was adopted
 * @throws VitrineError as `buildCandidate` and `withScratch`
 */
export const buildInScratch = async <T>(
  { config, model, doing, only, isToEnd, showProgress, signal }: Building,
  use: (built: BuiltThere) => Promise<T>,
): Promise<T> => {
  const projection = only === undefined ? undefined : projectionNamed(only);
  const { directory, live } = model;
  giveWay();
  return inScratch(directory, doing, signal, async (scratch) => {
    const eventLog = await openToRead(config);
    try {
      const bar = replayProgress("replaying", await eventLog.bounds(), showProgress);
      const rendering = createRendering();
      const context = {
        eventLog,
        rendering,
        now: Date.now,
        directory,
        place: scratch,
        onProgress: bar.at,
      };
      const built = await buildBeside(
        context,
        isToEnd,
        projection &&
          ((generation, replaying) => replayOnly(projection, live, generation, replaying)),
      ).finally(bar.end);
      // Awaited here, because a rejection during the close of the log would be unhandled.
      return await use({ ...built, place: scratch, read: bar.read() });
    } finally {
      await eventLog.close();
    }
  });
};

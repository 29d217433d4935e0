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
  /** The command. */
  readonly doing: "rebuild" | "verify";
  /** The one projection to build anew; all when absent. */
  readonly only?: string | undefined;
  /** Go on to the end of the log after the comparison. */
  readonly isToEnd: boolean;
  readonly showProgress: boolean;
  readonly signal: AbortSignal;
}

/** What was built, where, and in which time. */
export interface BuiltThere extends Built {
  readonly place: Workplace;
  readonly read: ReturnType<ReplayProgress["read"]>;
}

/**
 * Builds a generation in `scratch/` and compares it with the live one.
 * @param use what to do with it; it is gone afterwards, unless it was admitted
 * @throws VitrineError as `buildBeside` and `inScratch`
 */
export const buildInScratch = async <T>(
  { config, model, doing, only, isToEnd, showProgress, signal }: Building,
  use: (built: BuiltThere) => Promise<T>,
): Promise<T> => {
  const projection = only === undefined ? undefined : projectionNamed(only);
  const { directory, live } = model;
  giveWay();
  return inScratch(directory, doing, signal, async (place) => {
    const eventLog = await openToRead(config);
    try {
      const bar = replayProgress("replaying", await eventLog.bounds(), showProgress);
      const rendering = createRendering();
      const world = { eventLog, rendering, now: Date.now, directory, place, onProgress: bar.at };
      const built = await buildBeside(
        world,
        isToEnd,
        projection &&
          ((generation, replaying) => replayOnly(projection, live, generation, replaying)),
      ).finally(bar.end);
      // Awaited here: it may be refused while the log is being closed, when nobody would hear of it.
      return await use({ ...built, place, read: bar.read() });
    } finally {
      await eventLog.close();
    }
  });
};

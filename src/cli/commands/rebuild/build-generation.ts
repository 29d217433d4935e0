import { constants, getPriority, setPriority } from "node:os";
import {
  buildCandidate,
  type CandidateReport,
} from "../../../projector/rebuild/build-candidate.ts";
import { type ScratchContext, withScratch } from "../../../projector/rebuild/scratch.ts";
import { createHtmlRenderer } from "../../../projector/rendering/index.ts";
import { withEventLog } from "../../event-log.ts";
import type { ModelDirectory } from "../../model-directory.ts";
import type { LogConfig } from "../../shared-options.ts";
import { type ReplayProgress, replayProgress } from "../../terminal/progress-bar.ts";

interface CandidateBuildOptions {
  readonly config: LogConfig;
  readonly model: ModelDirectory;
  readonly doing: "rebuild" | "verify";
  /** Continues to the end of the log after the comparison. */
  readonly isToEnd: boolean;
  readonly showProgress: boolean;
  readonly signal: AbortSignal;
}

export interface CandidateBuild extends CandidateReport {
  readonly scratch: ScratchContext;
  readonly read: ReturnType<ReplayProgress["read"]>;
}

/**
 * Builds a candidate in `scratch/` and compares it with the live generation.
 * @param use works with the candidate, which is deleted afterwards unless it was adopted
 * @throws VitrineError as `buildCandidate` and `withScratch`
 */
export const buildInScratch = async <T>(
  { config, model, doing, isToEnd, showProgress, signal }: CandidateBuildOptions,
  use: (built: CandidateBuild) => Promise<T>,
): Promise<T> => {
  const { directory } = model;
  lowerPriority();
  return withScratch(directory, doing, signal, (scratch) =>
    withEventLog(config, async (eventLog) => {
      const bar = replayProgress("replaying", await eventLog.bounds(), showProgress);
      const rendering = createHtmlRenderer();
      const context = {
        eventLog,
        rendering,
        now: Date.now,
        directory,
        scratch,
        onProgress: bar.update,
      };
      const built = await buildCandidate(context, isToEnd).finally(bar.end);
      return use({ ...built, scratch, read: bar.read() });
    }),
  );
};

const { PRIORITY_BELOW_NORMAL: below } = constants.priority;

/**
 * Lowers the priority of this process in favour of processes that answer requests.
 * It still gets a sixth of a busy core, so that it ends and reaches the end of a growing log, and all of an idle core.
 * A lower priority that was set before stays, because raising it needs a privilege.
 */
export const lowerPriority = (): void => {
  if (getPriority() < below) setPriority(below);
};

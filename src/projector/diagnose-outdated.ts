import type { Checkpoint } from "../read-model/schema/checkpoint.ts";
import { type Divergence, findDivergence } from "./continuity/continuity.ts";
import type { Generation } from "./open-generation.ts";
import { outdatedDivergence } from "./projection-version.ts";
import { retryWhileUnavailable } from "./retry-while-unavailable.ts";
import type { RunContext } from "./run-context.ts";

/**
 * Builds the divergence of an outdated generation, and reports when the generation has applied all of its log: a rebuild then
 * begins without a lag.
 * @returns undefined when the signal aborted before the log answered
 */
export const diagnoseOutdated = (
  context: RunContext,
  generation: Generation,
  written: Checkpoint,
): Promise<Divergence | undefined> =>
  retryWhileUnavailable(context, async () => {
    const { eventLog, monitor, progress } = context;
    const divergence = await outdatedDivergence(generation, eventLog);
    await monitor.pollEnd();
    const isAtEnd = monitor.end() === written.sequence;
    if (isAtEnd && !(await findDivergence(written, eventLog))) progress.caughtUp();
    return divergence;
  });

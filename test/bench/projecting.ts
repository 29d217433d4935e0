import type * as Log from "../../src/event-log/event-log.ts";
import { built } from "./built.ts";

const { createLogger } = await built<typeof import("../../src/log.ts")>("log");
const { createHtmlRenderer } = await built<typeof import("../../src/projector/rendering/index.ts")>(
  "projector/rendering/index",
);
const { runProjector } = await built<typeof import("../../src/projector/run.ts")>("projector/run");
const { createStatusTracker } = await built<
  typeof import("../../src/projector/status/status-tracker.ts")
>("projector/status/status-tracker");
const { openDataDirectory } = await built<
  typeof import("../../src/read-model/generations/data-directory.ts")
>("read-model/generations/data-directory");
const { prepareOperatorState } = await built<
  typeof import("../../src/read-model/operator/create.ts")
>("read-model/operator/create");

const rendering = createHtmlRenderer();

/**
 * Runs the projector of production on an empty data directory, until the model includes the log's sequence `last`.
 * @throws when it did not get there, or took an event for a bad one
 */
export const project = async (
  directory: string,
  eventLog: Log.EventLog,
  last: number,
): Promise<void> => {
  const ended = new AbortController();
  const progress = createStatusTracker(Date.now);
  const data = openDataDirectory(directory);
  const operator = await prepareOperatorState(data, () => undefined);
  await runProjector({
    directory: data,
    operator,
    eventLog,
    rendering,
    logger: createLogger("error", "bench"),
    progress: {
      ...progress,
      setState(state, reason) {
        progress.setState(state, reason);
        if (state === "faulted") ended.abort();
        // The generation is live from the moment the end of the log was seen.
        if (state === "live" && progress.status().checkpoint >= last) ended.abort();
      },
    },
    now: Date.now,
    onDivergence: "stop",
    // As `vitrine serve` has them.
    pollIntervalMs: 500,
    continuityIntervalMs: 30_000,
    signal: ended.signal,
  });
  await operator.close();
  const { checkpoint, tally, reason } = progress.status();
  if (checkpoint < last) throw new Error(`the replay ended at ${checkpoint} of ${last}: ${reason}`);
  if (tally.rejected > 0) throw new Error(`the replay refused ${tally.rejected} events`);
};

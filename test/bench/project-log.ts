import type * as Log from "../../src/event-log/event-log.ts";
import { importBuilt } from "./import-built.ts";

const { createLogger } = await importBuilt<typeof import("../../src/log.ts")>("log");
const { createHtmlRenderer } = await importBuilt<
  typeof import("../../src/projector/rendering/index.ts")
>("projector/rendering/index");
const { runProjector } =
  await importBuilt<typeof import("../../src/projector/run.ts")>("projector/run");
const { createStatusTracker } = await importBuilt<
  typeof import("../../src/projector/status/status-tracker.ts")
>("projector/status/status-tracker");
const { openDataDirectory } = await importBuilt<
  typeof import("../../src/read-model/generations/data-directory.ts")
>("read-model/generations/data-directory");
const { prepareOperatorState } = await importBuilt<
  typeof import("../../src/read-model/operator/create.ts")
>("read-model/operator/create");

const { openEventLog } =
  await importBuilt<typeof import("../../src/event-log/open.ts")>("event-log/open");

const rendering = createHtmlRenderer();

/** Appends messages to the journal of a data directory. @returns the journal, still open */
export const appendMessages = async (
  dataDir: string,
  messages: readonly Log.NewMessage[],
): Promise<Log.EventLog> => {
  openDataDirectory(dataDir);
  const eventLog = await openEventLog("journal:", { dataDir, now: Date.now });
  await eventLog.append(messages);
  return eventLog;
};

/** Appends messages to the journal of a data directory, and projects them there. */
export const projectMessages = async (
  dataDir: string,
  messages: readonly Log.NewMessage[],
): Promise<void> => {
  const eventLog = await appendMessages(dataDir, messages);
  await projectLog(dataDir, eventLog, messages.length);
  await eventLog.close();
};

/**
 * Runs the projector on a data directory until the model includes the log's sequence `last`.
 * @throws when it stops before that sequence, or rejects an event
 */
export const projectLog = async (
  directory: string,
  eventLog: Log.EventLog,
  last: number,
): Promise<void> => {
  const stop = new AbortController();
  const status = createStatusTracker(Date.now);
  const data = openDataDirectory(directory);
  const operator = await prepareOperatorState(data, () => undefined);
  await runProjector({
    directory: data,
    operator,
    eventLog,
    rendering,
    logger: createLogger("error", "bench"),
    progress: {
      ...status,
      setState(state, reason) {
        status.setState(state, reason);
        if (state === "faulted") stop.abort();
        // The projector makes the generation live when it reaches the end of the log.
        if (state === "live" && status.status().checkpoint >= last) stop.abort();
      },
    },
    now: Date.now,
    onDivergence: "stop",
    // The intervals of `vitrine serve`.
    pollIntervalMs: 500,
    continuityIntervalMs: 30_000,
    signal: stop.signal,
  });
  await operator.close();
  const { checkpoint, tally, reason } = status.status();
  if (checkpoint < last) throw new Error(`the replay ended at ${checkpoint} of ${last}: ${reason}`);
  if (tally.rejected > 0) throw new Error(`the replay rejected ${tally.rejected} events`);
};

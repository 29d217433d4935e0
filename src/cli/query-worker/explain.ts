import { explainEntity } from "../../projector/explain/explain.ts";
import type { Explanation } from "../../projector/explain/explanation.ts";
import { createHtmlRenderer } from "../../projector/rendering/index.ts";
import type { Store } from "../../read-model/store/store.ts";
import { openLogToRead } from "../event-log.ts";
import type { LogConfig } from "../shared-options.ts";

/**
 * Opens the event log, explains an entity and closes the log.
 * @throws VitrineError `usage` or `event_log`
 */
export const explainFromLog = async (
  config: LogConfig,
  store: Store,
  subject: string,
): Promise<Explanation> => {
  const eventLog = await openLogToRead(config);
  try {
    return await explainEntity(eventLog, store, createHtmlRenderer(), subject);
  } finally {
    await eventLog.close();
  }
};

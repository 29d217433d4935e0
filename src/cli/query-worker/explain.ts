import { explainEntity } from "../../projector/explain/explain.ts";
import type { Explanation } from "../../projector/explain/explanation.ts";
import { createRendering } from "../../projector/rendering/index.ts";
import type { Store } from "../../read-model/store/store.ts";
import { openToRead } from "../event-log.ts";
import type { LogConfig } from "../shared-options.ts";

/**
 * Opens the event log, explains an entity and closes the log.
 * @throws VitrineError `usage` or `event_log`
 */
export const explainOn = async (
  config: LogConfig,
  store: Store,
  subject: string,
): Promise<Explanation> => {
  const eventLog = await openToRead(config);
  try {
    return await explainEntity(eventLog, store, createRendering(), subject);
  } finally {
    await eventLog.close();
  }
};

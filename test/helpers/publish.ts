import type { CloudEvent } from "../../src/events/envelope.ts";
import { journalIn } from "./backups.ts";
import { append } from "./projector.ts";

/**
 * Appends events to the journal of a data directory, as `vitrine publish` does, but without its process: for events that a test only
 * starts from.
 */
export const publishTo = async (dataDir: string, events: readonly CloudEvent[]): Promise<void> => {
  const log = journalIn(dataDir);
  await append(log, ...events);
  await log.close();
};

import { VitrineError } from "../errors.ts";
import type { EventLog } from "../event-log/event-log.ts";
import type { DeadLetter } from "../read-model/schema/checkpoint.ts";
import { openLogToRead } from "./event-log.ts";
import type { LogConfig } from "./shared-options.ts";

/** Reads the time at which the log stored an event: ISO 8601; null when the log does not hold it, or is unreachable. */
export type ReadLogTime = (
  letter: Pick<DeadLetter, "sequence" | "subject">,
) => Promise<string | null>;

/**
 * Opens the log for its times, which only the log holds, and closes it after their use.
 * @param isNeeded false when no time will be read: the log then stays closed
 */
export const withLogTimes = async <T>(
  config: LogConfig,
  isNeeded: boolean,
  use: (readTime: ReadLogTime) => Promise<T>,
): Promise<T> => {
  const eventLog = isNeeded ? await openIfReachable(config) : undefined;
  const readTime: ReadLogTime = async ({ sequence, subject }) => {
    const record = await eventLog?.get(sequence);
    return record?.subject === subject ? new Date(record.time).toISOString() : null;
  };
  return use(readTime).finally(() => eventLog?.close());
};

/** Opens the log if it is reachable, because a list is useful without times. */
const openIfReachable = async (config: LogConfig): Promise<EventLog | undefined> => {
  try {
    return await openLogToRead(config);
  } catch (error) {
    if (error instanceof VitrineError && error.code !== "usage") return undefined;
    throw error;
  }
};

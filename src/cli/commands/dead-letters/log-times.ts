import { VitrineError } from "../../../errors.ts";
import type { EventLog } from "../../../event-log/event-log.ts";
import type { DeadLetter } from "../../../read-model/schema/checkpoint.ts";
import { openLogToRead } from "../../event-log.ts";
import type { LogConfig } from "../../shared-options.ts";

/** Reads the log times of events, which only the log holds. */
export interface LogTimes {
  /** @returns ISO 8601; null when the log does not hold the event, or is unreachable */
  get(letter: Pick<DeadLetter, "sequence" | "subject">): Promise<string | null>;
  close(): Promise<void>;
}

/** Opens the log for its times. @param isNeeded false when no time will be read: the log then stays closed */
export const openLogTimes = async (config: LogConfig, isNeeded: boolean): Promise<LogTimes> => {
  const eventLog = isNeeded ? await openIfReachable(config) : undefined;
  return {
    async get({ sequence, subject }) {
      const record = await eventLog?.get(sequence);
      return record?.subject === subject ? new Date(record.time).toISOString() : null;
    },
    close: async () => eventLog?.close(),
  };
};

/** Opens the log for its times, and closes it after their use. */
export const withLogTimes = async <T>(
  config: LogConfig,
  isNeeded: boolean,
  use: (readTime: LogTimes["get"]) => Promise<T>,
): Promise<T> => {
  const times = await openLogTimes(config, isNeeded);
  return use(times.get).finally(times.close);
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

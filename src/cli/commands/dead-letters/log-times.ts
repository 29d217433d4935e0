import { VitrineError } from "../../../errors.ts";
import type { EventLog } from "../../../event-log/event-log.ts";
import type { DeadLetter } from "../../../read-model/schema/checkpoint.ts";
import { openToRead } from "../../event-log.ts";
import type { LogConfig } from "../../shared-options.ts";

/** When the log took events: the log's to tell, not the model's. */
export interface LogTimes {
  /** ISO 8601; null when the log does not hold that event, or cannot be reached. */
  of(letter: Pick<DeadLetter, "sequence" | "subject">): Promise<string | null>;
  close(): Promise<void>;
}

/** @param wanted false when nothing will be asked: the log is left alone then */
export const openLogTimes = async (config: LogConfig, wanted: boolean): Promise<LogTimes> => {
  const eventLog = wanted ? await openIfThere(config) : undefined;
  return {
    async of({ sequence, subject }) {
      const record = await eventLog?.at(sequence);
      return record?.subject === subject ? new Date(record.time).toISOString() : null;
    },
    close: async () => eventLog?.close(),
  };
};

/** A list is worth showing without its times. */
const openIfThere = async (config: LogConfig): Promise<EventLog | undefined> => {
  try {
    return await openToRead(config);
  } catch (error) {
    if (error instanceof VitrineError && error.code !== "usage") return undefined;
    throw error;
  }
};

import type { EventLog } from "../event-log/event-log.ts";
import { type CloudEvent, toMessage } from "../events/envelope.ts";
import { lazy } from "../platform/memo.ts";

/** Publishes the events of all connections to one log, which is opened with the first of them. */
export interface Publisher {
  /** Resolves when the log has the events. Rejects when it cannot be reached. */
  append(events: readonly CloudEvent[]): Promise<void>;
  close(): Promise<void>;
}

export const createPublisher = (open: () => Promise<EventLog>): Publisher => {
  let opening: Promise<EventLog> | undefined;
  return {
    async append(events) {
      try {
        opening ??= open();
        const eventLog = await opening;
        await eventLog.append(events.map((event) => toMessage(event)));
      } catch (error) {
        // A log that could not be opened is opened again with the next attempt.
        if (!(await isOpen(opening))) opening = undefined;
        throw error;
      }
    },
    close: lazy(async () => {
      const eventLog = await opening?.catch(() => undefined);
      await eventLog?.close();
    }),
  };
};

const isOpen = async (opening: Promise<EventLog> | undefined): Promise<boolean> =>
  opening !== undefined && (await opening.then(Boolean, () => false));

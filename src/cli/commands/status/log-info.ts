import { existsSync } from "node:fs";
import { join } from "node:path";
import { messageOf, VitrineError } from "../../../errors.ts";
import type { EventLog, LogBounds, LogIdentity } from "../../../event-log/event-log.ts";
import { redactAddress } from "../../../event-log/open.ts";
import { raceAbort } from "../../../platform/async.ts";
import { findDivergence } from "../../../projector/continuity/continuity.ts";
import type { Checkpoint } from "../../../read-model/schema/checkpoint.ts";
import { openLogToRead } from "../../event-log.ts";
import type { LogConfig } from "../../shared-options.ts";

/** State of the event log, compared with a checkpoint. */
export interface LogInfo {
  readonly address: string;
  readonly reachable: boolean;
  /** Reason why the log is unreachable, with a hint. */
  readonly error?: string;
  readonly identity?: LogIdentity;
  readonly first?: number;
  readonly last?: number;
  /** Reason why the log does not continue the model; null when it does, or when there is no model yet. */
  readonly divergence?: string | null;
  readonly lagEvents?: number;
  /** Age in seconds of the oldest event that is not applied. */
  readonly lagSeconds?: number;
}

/** Reads the log repeatedly: opens it once, and again after a failure. */
export interface LogInfoReader {
  /** Reads the state of the log within seconds. @param now milliseconds since 1970 */
  read(checkpoint: Checkpoint | undefined, now: number): Promise<LogInfo>;
  close(): Promise<void>;
}

/** Short, because an operator waits. */
const timeoutMs = 8_000;

export const createLogInfoReader = (config: LogConfig): LogInfoReader => {
  let opened: Promise<EventLog> | undefined;
  const open = (): Promise<EventLog> => {
    opened ??= openLogToRead(config);
    return opened;
  };
  const close = async (): Promise<void> => {
    const closing = opened;
    opened = undefined;
    await closing?.then(
      (eventLog) => eventLog.close(),
      () => undefined,
    );
  };
  return {
    async read(checkpoint, now) {
      const address = formatAddress(config);
      if (isJournalAbsent(config))
        return { address, reachable: true, ...describeAbsent(checkpoint) };
      try {
        const info = await raceAbort(
          readLog(open, checkpoint, now),
          AbortSignal.timeout(timeoutMs),
        );
        if (info) return info;
        throw new VitrineError("event_log", `no answer within ${timeoutMs / 1000} seconds`);
      } catch (error) {
        if (error instanceof VitrineError && error.code === "usage") throw error;
        void close();
        const hint = error instanceof VitrineError && error.hint ? `; ${error.hint}` : "";
        return { address, reachable: false, error: `${messageOf(error)}${hint}` };
      }
    },
    close,
  };
};

/** Describes an absent journal as empty. A model of another log diverges from it. */
const describeAbsent = (checkpoint: Checkpoint | undefined): Partial<LogInfo> => ({
  first: 1,
  last: 0,
  ...(checkpoint && checkpoint.sequence > 0
    ? {
        divergence: `the model follows the log ${checkpoint.identity.name}, and the data directory has no journal: name the log of the service with --events (EVENTS)`,
      }
    : { divergence: null, lagEvents: 0, lagSeconds: 0 }),
});

const formatAddress = ({ events, natsStream }: LogConfig): string =>
  events.startsWith("journal:") ? events : `${redactAddress(events)} stream ${natsStream}`;

/** True for the journal of a data directory into which no event was published yet. */
const isJournalAbsent = ({ events, dataDir }: LogConfig): boolean =>
  events === "journal:" && !existsSync(join(dataDir, "journal", "data.mdb"));

const readLog = async (
  open: () => Promise<EventLog>,
  checkpoint: Checkpoint | undefined,
  now: number,
): Promise<LogInfo> => {
  const eventLog = await open();
  const bounds = await eventLog.bounds();
  const divergence = checkpoint && (await findDivergence(checkpoint, eventLog));
  const applied = checkpoint?.sequence ?? 0;
  return {
    address: eventLog.address,
    reachable: true,
    identity: await eventLog.identity(),
    first: bounds.first,
    last: bounds.last,
    divergence: divergence?.reason ?? null,
    lagEvents: Math.max(0, bounds.last - applied),
    // When the log does not continue the model, its events say nothing of the lag in seconds.
    ...(!divergence && { lagSeconds: await measureLag(eventLog, bounds, applied, now) }),
  };
};

const measureLag = async (
  eventLog: EventLog,
  bounds: LogBounds,
  applied: number,
  now: number,
): Promise<number> => {
  if (applied >= bounds.last) return 0;
  const after = Math.max(applied, bounds.first - 1);
  for await (const [oldest] of eventLog.read({ after, follow: false })) {
    return oldest ? Math.max(0, (now - oldest.time) / 1000) : 0;
  }
  return 0;
};

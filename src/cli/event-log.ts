import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { VitrineError } from "../errors.ts";
import type { EventLog } from "../event-log/event-log.ts";
import { corruptJournal, dataFile } from "../event-log/journal/directory.ts";
import { assertIntact, probeJournal } from "../event-log/journal/integrity.ts";
import { openEventLog, resolveJournalDirectory } from "../event-log/open.ts";
import type { Logger } from "../log.ts";
import { closeAfter } from "../platform/async.ts";
import { retry } from "../platform/retry.ts";
import { type DataDirectory, openDataDirectory } from "../read-model/generations/data-directory.ts";
import { assertNotRootInForeignDirectory } from "../read-model/generations/directory-marker.ts";
import { readLiveCheckpoint } from "./live-store.ts";
import { assertNotFrozen } from "./model-directory.ts";
import type { LogConfig } from "./shared-options.ts";

/** Opens the log for reading; creates neither a stream nor a journal. */
export const openLogToRead = async (
  config: LogConfig,
  log?: Logger,
  signal?: AbortSignal,
): Promise<EventLog> => {
  await assertReadableJournal(config);
  const options = { ...logOptions(config, log), readOnly: true };
  return openEventLog(config.events, { ...options, ...(signal && { signal }) });
};

/** Opens the log for reading, uses it and closes it. */
export const withEventLog = async <T>(
  config: LogConfig,
  use: (eventLog: EventLog) => T | Promise<T>,
): Promise<T> => closeAfter(await openLogToRead(config), use);

/** True when the log is an existing journal. */
export const hasJournal = ({ events, dataDir }: LogConfig): boolean => {
  const journal = resolveJournalDirectory(events, dataDir);
  return journal !== undefined && existsSync(dataFile(journal));
};

/** Checks the journal before it is opened, because a damaged file kills the process that opens it. */
const assertReadableJournal = async ({ events, dataDir }: LogConfig): Promise<void> => {
  const journal = resolveJournalDirectory(events, dataDir);
  if (journal !== undefined) await assertIntact(journal);
};

/** Path of the file that marks the journal as suspect after a projector crash. */
const suspectMarkerPath = (dataDir: string): string => join(dataDir, "journal-suspected");

/**
 * Marks the journal as suspect, so that it is read fully before the next projector. A broker checks its own streams.
 */
export const markJournalSuspect = ({ events, dataDir }: LogConfig, why: string): void => {
  if (resolveJournalDirectory(events, dataDir) === undefined) return;
  try {
    writeFileSync(suspectMarkerPath(dataDir), why);
  } catch {
    // The disk is full. The next crash marks the journal again.
  }
};

/**
 * Reads a suspect journal fully before a projector uses it.
 * Otherwise a crash caused by the journal would be blamed on the intact model.
 * @throws VitrineError `log_damaged` when the journal is damaged; it stays marked
 */
export const assertSuspectJournalIntact = async (
  { events, dataDir }: LogConfig,
  signal: AbortSignal,
): Promise<void> => {
  const journal = resolveJournalDirectory(events, dataDir);
  if (journal === undefined || !existsSync(suspectMarkerPath(dataDir))) return;
  const reason = await probeJournal(journal, "whole", { signal });
  if (signal.aborted) return;
  if (reason !== undefined) throw corruptJournal(journal, reason);
  rmSync(suspectMarkerPath(dataDir), { force: true });
};

const logOptions = (config: LogConfig, log?: Logger) => ({
  dataDir: config.dataDir,
  now: Date.now,
  stream: config.natsStream,
  nats: config.nats,
  ...(log && { log }),
});

/** Limits the wait, so that events are applied within two seconds of a broker's return. */
const openDelays = { firstDelayMs: 250, maxDelayMs: 1_000 };

/**
 * Opens the log for reading, and retries until it is reachable.
 * @returns undefined when the signal ends the wait
 * @param onAway called after each failed attempt with its cause and the wait in milliseconds; the next attempt starts
 * when the promise resolves
 */
export const openWithRetry = async (
  config: LogConfig,
  log: Logger,
  signal: AbortSignal,
  onAway: (why: VitrineError, waitMs: number) => Promise<void>,
): Promise<EventLog | undefined> => {
  if (signal.aborted) return undefined;
  let lastMessage = "";
  return retry(() => openLogToRead(config, log, signal), {
    ...openDelays,
    isRetryable: isLogUnavailable,
    async wait(delayMs, error) {
      if (!isLogUnavailable(error) || signal.aborted) return false;
      // A repeated failure is logged as a warning only once.
      const level = error.message === lastMessage ? "debug" : "warn";
      lastMessage = error.message;
      log[level](
        { reason: error.message, hint: error.hint, retryInMs: delayMs },
        "the event log cannot be reached; trying again",
      );
      await onAway(error, delayMs);
      return false;
    },
    signal,
  });
};

export const isLogUnavailable = (error: unknown): error is VitrineError =>
  error instanceof VitrineError && error.code === "event_log";

/** Opens the log for appending, uses it and closes it. */
export const withLogToAppend = async <T>(
  config: LogConfig,
  use: (eventLog: EventLog) => T | Promise<T>,
): Promise<T> => closeAfter(await openLogToAppend(config), use);

/**
 * Opens the log for appending; creates it when it is absent.
 * No journal is created for a model of another log, because the service would never read it.
 * @throws VitrineError `divergence` when the model follows another log
 */
export const openLogToAppend = async (config: LogConfig): Promise<EventLog> => {
  if (usesOwnJournal(config)) await assertFollowsNoOtherLog(config.dataDir);
  return openOrCreate(config);
};

/**
 * Creates an absent journal and checks that the log is reachable.
 * An unreachable broker is accepted if the directory ever had a model. Without one there is nothing to serve, so the
 * start fails at once. A damaged journal always fails: it takes no events, and its events exist nowhere else.
 */
export const assertLogReachable = async (
  config: LogConfig,
  directory: DataDirectory,
): Promise<void> => {
  if (directory.frozenAt()) return;
  const isJournal = config.events.startsWith("journal:");
  try {
    const eventLog = await (isJournal ? openOrCreate(config) : openLogToRead(config));
    await eventLog.close();
  } catch (error) {
    const hadModel = directory.resumable() !== undefined || directory.quarantined().length > 0;
    if (!isLogUnavailable(error) || !hadModel) throw error;
  }
};

const usesOwnJournal = (config: LogConfig): boolean => config.events === "journal:";

const assertFollowsNoOtherLog = async (dataDir: string): Promise<void> => {
  if (existsSync(join(dataDir, "journal"))) return;
  const followed = (await readLiveCheckpoint(dataDir))?.identity.name;
  if (followed === undefined || followed.startsWith("journal-")) return;
  throw new VitrineError(
    "divergence",
    `the model in ${dataDir} follows the event log ${followed}, and does not read events from a journal`,
    "name that log with --events (EVENTS), or another data directory with --data-dir",
  );
};

const openOrCreate = async (config: LogConfig): Promise<EventLog> => {
  // Claim the data directory first: a directory with a journal and no owner counts as foreign.
  if (usesOwnJournal(config)) assertNotFrozen(openDataDirectory(config.dataDir));
  if (usesOwnJournal(config)) assertNotRootInForeignDirectory(config.dataDir);
  await assertReadableJournal(config);
  return openEventLog(config.events, logOptions(config));
};

import { existsSync } from "node:fs";
import { join } from "node:path";
import { VitrineError } from "../errors.ts";
import type { EventLog } from "../event-log/event-log.ts";
import { openEventLog } from "../event-log/open.ts";
import { closeAfter } from "../platform/async.ts";
import { type DataDirectory, openDataDirectory } from "../read-model/generations/data-directory.ts";
import { assertNotRootInForeignDirectory } from "../read-model/generations/directory-marker.ts";
import { assertReadableJournal, isLogUnavailable, logOptions, openLogToRead } from "./event-log.ts";
import { readLiveCheckpoint } from "./live-store.ts";
import { assertNotFrozen } from "./model-directory.ts";
import type { LogConfig } from "./shared-options.ts";

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

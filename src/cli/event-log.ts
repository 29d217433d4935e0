import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { VitrineError } from "../errors.ts";
import type { EventLog } from "../event-log/event-log.ts";
import { damaged, dataFile } from "../event-log/journal/directory.ts";
import { mustBeSound, probeJournal } from "../event-log/journal/integrity.ts";
import { journalDirectoryOf, openEventLog } from "../event-log/open.ts";
import type { Logger } from "../log.ts";
import { type DataDirectory, openDataDirectory } from "../read-model/generations/data-directory.ts";
import { readCheckpoint } from "./commands/status/model-info.ts";
import { mustFollow } from "./model-directory.ts";
import type { LogConfig } from "./shared-options.ts";

/** True for the journal inside the data directory. */
const isOwn = (config: LogConfig): boolean => config.events === "journal:";

/** Opens the log to read it; neither a stream nor a journal is made. */
export const openToRead = async (config: LogConfig, log?: Logger): Promise<EventLog> => {
  await journalMustBeSound(config);
  return openEventLog(config.events, { ...worldOf(config, log), readOnly: true });
};

/**
 * Opens the log to append to it; what is not there is made, but no journal beside the model of another log: nobody would
 * follow it.
 * @throws VitrineError `divergence` where one would be
 */
export const openToAppend = async (config: LogConfig): Promise<EventLog> => {
  if (isOwn(config)) await mustNotFollowAnother(config.dataDir);
  return openOrMake(config);
};

/** Whether the log is a journal that was made already. */
export const hasJournal = ({ events, dataDir }: LogConfig): boolean => {
  const journal = journalDirectoryOf(events, dataDir);
  return journal !== undefined && existsSync(dataFile(journal));
};

const mustNotFollowAnother = async (dataDir: string): Promise<void> => {
  if (existsSync(join(dataDir, "journal"))) return;
  const followed = (await readCheckpoint(dataDir))?.identity.name;
  if (followed === undefined || followed.startsWith("journal-")) return;
  throw new VitrineError(
    "divergence",
    `the model in ${dataDir} follows the event log ${followed}: it would not hear of what is told to a journal beside it`,
    "name that log with --events (EVENTS); or another data directory with --data-dir, for a service of its own",
  );
};

const openOrMake = async (config: LogConfig): Promise<EventLog> => {
  // The journal's parent must be claimed first: a directory with a journal and no owner is a foreign one.
  if (isOwn(config)) mustFollow(openDataDirectory(config.dataDir));
  await journalMustBeSound(config);
  return openEventLog(config.events, worldOf(config));
};

/** Opening a damaged one would end this process by a signal. */
const journalMustBeSound = async ({ events, dataDir }: LogConfig): Promise<void> => {
  const journal = journalDirectoryOf(events, dataDir);
  if (journal !== undefined) await mustBeSound(journal);
};

/** Where it is noted that a projector died of what may have been a page of its journal. */
const noteIn = (dataDir: string): string => join(dataDir, "journal-suspected");

/** Has the journal read through before a projector reads it again; a stream is its broker's. */
export const suspectJournal = ({ events, dataDir }: LogConfig, why: string): void => {
  if (journalDirectoryOf(events, dataDir) === undefined) return;
  try {
    writeFileSync(noteIn(dataDir), why);
  } catch {
    // A full disk: whoever dies of it again says so again.
  }
};

/**
 * Reads a suspected journal through: what ends its readers would be laid to the model, which is whole.
 * @throws VitrineError `log_damaged` when it is damaged; it stays suspected
 */
export const suspectedMustBeSound = async (
  { events, dataDir }: LogConfig,
  signal: AbortSignal,
): Promise<void> => {
  const journal = journalDirectoryOf(events, dataDir);
  if (journal === undefined || !existsSync(noteIn(dataDir))) return;
  const reason = await probeJournal(journal, "whole", signal);
  if (signal.aborted) return;
  if (reason !== undefined) throw damaged(journal, reason);
  rmSync(noteIn(dataDir), { force: true });
};

const worldOf = (config: LogConfig, log?: Logger) => ({
  dataDir: config.dataDir,
  now: Date.now,
  stream: config.natsStream,
  nats: config.nats,
  ...(log && { log }),
});

/**
 * Makes an absent journal, and finds out whether the log can be reached. A deployment that ever had a model starts
 * without its broker; one that never had has nothing to show, so it says at once what is wrong. A damaged journal
 * is refused in any case: nothing could be appended, and its events are nowhere else.
 */
export const mustReachLog = async (config: LogConfig, directory: DataDirectory): Promise<void> => {
  if (directory.until()) return;
  const isJournal = config.events.startsWith("journal:");
  try {
    const eventLog = await (isJournal ? openOrMake(config) : openToRead(config));
    await eventLog.close();
  } catch (error) {
    const away = error instanceof VitrineError && error.code === "event_log";
    const hadModel = directory.current() !== undefined || directory.quarantined().length > 0;
    if (!away || !hadModel) throw error;
  }
};

/** Longest wait between two tries, in milliseconds: of a broker that is back events are applied within two seconds. */
const longestPause = 1_000;

/**
 * Opens the log to read it, trying until it is there. Undefined when the signal ends the wait.
 * @param onAway called at each try that failed, with the cause and how long to wait, in milliseconds; the next
 * try comes when it resolves.
 */
export const openAtLast = async (
  config: LogConfig,
  log: Logger,
  signal: AbortSignal,
  onAway: (why: VitrineError, pause: number) => Promise<void>,
): Promise<EventLog | undefined> => {
  let told = "";
  for (let pause = 250; !signal.aborted; pause = Math.min(pause * 2, longestPause)) {
    try {
      return await openToRead(config, log);
    } catch (error) {
      if (!(error instanceof VitrineError && error.code === "event_log")) throw error;
      // Tried again and again, it is told once.
      const level = error.message === told ? "debug" : "warn";
      told = error.message;
      log[level](
        { reason: error.message, hint: error.hint, retryInMs: pause },
        "the event log cannot be reached; trying again",
      );
      await onAway(error, pause);
    }
  }
  return undefined;
};

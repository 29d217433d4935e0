import { constants, existsSync } from "node:fs";
import { chmod, copyFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, VitrineError } from "../../../errors.ts";
import { openJournal } from "../../../event-log/journal/index.ts";
import { syncPath } from "../../../platform/durable-fs.ts";
import { checkLog } from "../../../projector/continuity.ts";
import { write } from "../../../projector/rebuild/replay.ts";
import {
  dataFile,
  forgetReaders,
  measure,
  mustBe,
} from "../../../read-model/generations/backup.ts";
import { backupPaths, type Manifest } from "../../../read-model/generations/backup-manifest.ts";
import type { DataDirectory } from "../../../read-model/generations/data-directory.ts";
import { rowsOfModel } from "../../../read-model/operator/model-rows.ts";
import {
  noOperatorState,
  type OperatorState,
  openOperatorCopy,
} from "../../../read-model/operator/state.ts";
import type { Checkpoint } from "../../../read-model/schema/checkpoint.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import { openStore } from "../../../read-model/store/store.ts";
import { openToRead } from "../../event-log.ts";
import { mustBeLogOf } from "../../same-log.ts";
import type { LogConfig } from "../../shared-options.ts";
import { tokenSecretFile } from "../../tokens/secret.ts";

/** A backup, copied and verified, beside what it will take the place of. */
export interface Copy {
  readonly backup: string;
  /** Directory of the model. */
  readonly model: string;
  readonly checkpoint: Checkpoint;
  /** Directory of the journal, when that is restored too. */
  readonly journal: string | undefined;
  /** Directory of the operator state; undefined for a backup of an earlier version. */
  readonly operator: string | undefined;
  /** File of the secret of tokens, when the backup has one. */
  readonly secret: string | undefined;
}

/**
 * Copies a backup's files into scratch directories and compares each copy with what the manifest says of it.
 * @param model an empty scratch directory
 * @throws VitrineError `backup_damaged`; `not_writable` when there is no room
 */
export const bringCopy = async (
  backup: string,
  manifest: Manifest,
  model: string,
  directory: DataDirectory,
  config: LogConfig,
): Promise<Copy> => {
  const bring = (path: string, to: string) => bringFile(backup, manifest, path, to);
  await bring(join(backupPaths.model, dataFile), join(model, dataFile));
  let journal: string | undefined;
  if (isJournalWanted(manifest, directory, config)) {
    journal = directory.createScratch("restore-journal");
    await bring(join(backupPaths.journal, dataFile), join(journal, dataFile));
  }
  let operator: string | undefined;
  const operatorFile = join(backupPaths.operator, dataFile);
  if (manifest.files.some(({ path }) => path === operatorFile)) {
    operator = directory.createScratch("restore-operator");
    await bring(operatorFile, join(operator, dataFile));
  }
  let secret: string | undefined;
  if (manifest.files.some(({ path }) => path === backupPaths.tokenSecret)) {
    secret = join(directory.createScratch("restore-secret"), tokenSecretFile);
    await bring(backupPaths.tokenSecret, secret);
  }
  return { backup, model, journal, operator, secret, checkpoint: await checkpointIn(model) };
};

const bringFile = async (
  backup: string,
  manifest: Manifest,
  path: string,
  to: string,
): Promise<void> => {
  const wanted = manifest.files.find((file) => file.path === path);
  if (!wanted) throw damaged(backup, `its manifest does not tell of ${path}`);
  try {
    // A copy that shares its blocks with the backup, where the disk can do that.
    await copyFile(join(backup, path), to, constants.COPYFILE_FICLONE);
    // Where the backup was kept may have given it to others.
    await chmod(to, 0o600);
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") {
      throw damaged(backup, `${path} is missing`);
    }
    throw new VitrineError(
      "not_writable",
      `cannot copy ${join(backup, path)}: ${messageOf(cause)}`,
    );
  }
  mustBe(wanted, await measure(to), backup);
  syncPath(to);
};

const damaged = (backup: string, how: string): VitrineError =>
  new VitrineError(
    "backup_damaged",
    `the backup ${backup} is damaged: ${how}`,
    "take another backup",
  );

/** The journal inside the data directory is restored where there is none; one that is there is never replaced. */
const isJournalWanted = (
  manifest: Manifest,
  { path }: DataDirectory,
  config: LogConfig,
): boolean => {
  if (config.events !== "journal:" || existsSync(join(path, "journal", dataFile))) return false;
  if (manifest.journal) return true;
  const { name } = manifest.checkpoint.identity;
  throw new VitrineError(
    "usage",
    `the backup follows the event log ${name}, and holds no journal`,
    "name that log with --events, such as nats://host:port",
  );
};

const checkpointIn = async (model: string): Promise<Checkpoint> => {
  const store = openStore(model, { readOnly: true });
  try {
    const checkpoint = store.get(tables.meta, "checkpoint");
    if (checkpoint) return checkpoint;
    throw new VitrineError("backup_damaged", "the model of the backup has no checkpoint");
  } finally {
    await store.close();
    forgetReaders(model);
  }
};

/**
 * Makes sure that the log the service will read continues the model.
 * @returns how many events it holds past the checkpoint
 * @throws VitrineError `divergence` when it does not, `event_log` when it cannot be asked
 */
export const mustContinue = async (copy: Copy, config: LogConfig): Promise<number> => {
  const { backup, checkpoint, journal } = copy;
  const eventLog = journal
    ? openJournal({ directory: journal, readOnly: true, now: Date.now })
    : await openToRead(config);
  try {
    await mustBeLogOf(
      checkpoint,
      eventLog,
      `${backup} is of another event log`,
      "name the log it was made from with --events, or restore into another data directory",
    );
    const divergence = await checkLog(checkpoint, eventLog);
    if (divergence) {
      throw new VitrineError(
        "divergence",
        `the event log does not continue the backup: ${divergence.reason}`,
        "restore a younger backup; or none: the model is made again from the event log",
      );
    }
    return (await eventLog.bounds()).last - checkpoint.sequence;
  } finally {
    await eventLog.close();
    if (journal) forgetReaders(journal);
  }
};

/**
 * Adds to the operator state of the data directory what a backup knows: its own, and what its model tells, which holds all of it
 * in a backup of an earlier version. Nothing is taken back, so that a token that was revoked since stays so.
 */
export const addRowsOfBackup = async (
  { model, operator: copied }: Copy,
  operator: OperatorState,
): Promise<void> => {
  const store = openStore(model, { readOnly: true });
  const copy = copied === undefined ? noOperatorState : openOperatorCopy(copied);
  try {
    write({ store: operator }, () => operator.add([...copy.rows(), ...rowsOfModel(store)]));
  } finally {
    await copy.close();
    await store.close();
    forgetReaders(model);
  }
};

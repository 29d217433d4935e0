import { constants, existsSync } from "node:fs";
import { chmod, copyFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, VitrineError } from "../../../errors.ts";
import { openJournal } from "../../../event-log/journal/index.ts";
import { prepareCopy } from "../../../gateway/inbox/copy.ts";
import { listConnections } from "../../../gateway/inbox/operate.ts";
import { closeAfter } from "../../../platform/async.ts";
import { fsyncPath } from "../../../platform/durable-fs.ts";
import { findDivergence } from "../../../projector/continuity/continuity.ts";
import {
  assertMatches,
  dataFile,
  hashFile,
  removeLockFile,
} from "../../../read-model/generations/backup.ts";
import {
  type BackupManifest,
  backupPaths,
} from "../../../read-model/generations/backup-manifest.ts";
import type { DataDirectory } from "../../../read-model/generations/data-directory.ts";
import type { Checkpoint } from "../../../read-model/schema/checkpoint.ts";
import { readCheckpoint } from "../../../read-model/store/store.ts";
import { openLogToRead } from "../../event-log.ts";
import { readGeneration } from "../../live-store.ts";
import { assertModelFollowsLog } from "../../same-log.ts";
import type { LogConfig } from "../../shared-options.ts";
import { tokenSecretFile } from "../../tokens/secret.ts";
import { connectionsOf } from "../backup/copy-connections.ts";

/** A backup, copied to scratch and verified. */
export interface StagedBackup {
  readonly backup: string;
  readonly model: string;
  readonly checkpoint: Checkpoint;
  /** Directory of the journal; undefined when it is not restored. */
  readonly journal: string | undefined;
  /** Directory of the operator state; undefined for a backup of an earlier version. */
  readonly operator: string | undefined;
  /** File of the token secret; undefined when the backup has none. */
  readonly secret: string | undefined;
  /** Directory of each connection that is restored, by its name. */
  readonly connections: ReadonlyMap<string, string>;
}

/**
 * Copies a backup's files into scratch directories and verifies each copy against the manifest.
 * @param model an empty scratch directory
 * @throws VitrineError `backup_damaged`; `not_writable` when there is no space
 */
export const stageBackup = async (
  backup: string,
  manifest: BackupManifest,
  model: string,
  directory: DataDirectory,
  config: LogConfig,
): Promise<StagedBackup> => {
  const stage = (path: string, to: string) => stageFile(backup, manifest, path, to);
  await stage(join(backupPaths.model, dataFile), join(model, dataFile));
  let journal: string | undefined;
  if (shouldRestoreJournal(manifest, directory, config)) {
    journal = directory.createScratch("restore-journal");
    await stage(join(backupPaths.journal, dataFile), join(journal, dataFile));
  }
  let operator: string | undefined;
  const operatorFile = join(backupPaths.operator, dataFile);
  if (manifest.files.some(({ path }) => path === operatorFile)) {
    operator = directory.createScratch("restore-operator");
    await stage(operatorFile, join(operator, dataFile));
  }
  let secret: string | undefined;
  if (manifest.files.some(({ path }) => path === backupPaths.tokenSecret)) {
    secret = join(directory.createScratch("restore-secret"), tokenSecretFile);
    await stage(backupPaths.tokenSecret, secret);
  }
  const connections = await stageConnections(manifest, directory, stage);
  return {
    backup,
    model,
    journal,
    operator,
    secret,
    connections,
    checkpoint: await readStagedCheckpoint(model),
  };
};

/**
 * Stages the connections that the data directory does not have. An existing one is never replaced, because its inbox may
 * have deliveries that nothing else has.
 */
const stageConnections = async (
  { files }: BackupManifest,
  directory: DataDirectory,
  stage: (path: string, to: string) => Promise<void>,
): Promise<ReadonlyMap<string, string>> => {
  const existing = listConnections(directory.path);
  const staged = new Map<string, string>();
  for (const name of connectionsOf(files).filter((each) => !existing.includes(each))) {
    const scratch = directory.createScratch("restore-connection");
    await stage(join(backupPaths.connections, name, dataFile), join(scratch, dataFile));
    await prepareCopy(scratch);
    staged.set(name, scratch);
  }
  return staged;
};

const stageFile = async (
  backup: string,
  manifest: BackupManifest,
  path: string,
  to: string,
): Promise<void> => {
  const expected = manifest.files.find((file) => file.path === path);
  if (!expected) throw damagedBackup(backup, `its manifest does not list ${path}`);
  try {
    // The copy shares its blocks with the backup if the file system supports that.
    await copyFile(join(backup, path), to, constants.COPYFILE_FICLONE);
    // The storage of the backup may have given other users access.
    await chmod(to, 0o600);
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") {
      throw damagedBackup(backup, `${path} is missing`);
    }
    throw new VitrineError(
      "not_writable",
      `cannot copy ${join(backup, path)}: ${messageOf(cause)}`,
    );
  }
  assertMatches(expected, await hashFile(to), backup);
  fsyncPath(to);
};

const damagedBackup = (backup: string, reason: string): VitrineError =>
  new VitrineError(
    "backup_damaged",
    `the backup ${backup} is damaged: ${reason}`,
    "take another backup",
  );

/**
 * True when the journal is restored. An existing journal is never replaced.
 * @throws VitrineError `usage` when the backup holds no journal
 */
const shouldRestoreJournal = (
  manifest: BackupManifest,
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

const readStagedCheckpoint = async (model: string): Promise<Checkpoint> => {
  const checkpoint = await readGeneration(model, readCheckpoint);
  removeLockFile(model);
  if (checkpoint) return checkpoint;
  throw new VitrineError("backup_damaged", "the model of the backup has no checkpoint");
};

/**
 * Asserts that the log of the service continues the model.
 * @returns how many events it holds past the checkpoint
 * @throws VitrineError `divergence` when it does not, `event_log` when it is unreachable
 */
export const assertBackupContinues = async (
  copy: StagedBackup,
  config: LogConfig,
): Promise<number> => {
  const { backup, checkpoint, journal } = copy;
  const eventLog = journal
    ? openJournal({ directory: journal, readOnly: true, now: Date.now })
    : await openLogToRead(config);
  return closeAfter(eventLog, async () => {
    await assertModelFollowsLog(
      checkpoint,
      eventLog,
      `${backup} is of another event log`,
      "name the log that the backup was made from with --events, or restore into another data directory",
    );
    const divergence = await findDivergence(checkpoint, eventLog);
    if (divergence) {
      throw new VitrineError(
        "divergence",
        `the event log does not continue the backup: ${divergence.reason}`,
        "restore a newer backup, or none: vitrine serve builds the model from the event log",
      );
    }
    return (await eventLog.bounds()).last - checkpoint.sequence;
  }).finally(() => {
    if (journal) removeLockFile(journal);
  });
};

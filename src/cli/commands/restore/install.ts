import { existsSync, linkSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf, VitrineError } from "../../../errors.ts";
import { connectionsDirectory, noteFileOf } from "../../../gateway/inbox/tables.ts";
import { isAuxiliaryFile } from "../../../lmdb/environment.ts";
import { closeAfter } from "../../../platform/async.ts";
import { fsyncPath, mkdirDurable } from "../../../platform/durable-fs.ts";
import { mapWriteError } from "../../../projector/rebuild/replay.ts";
import { removeLockFile } from "../../../read-model/generations/backup.ts";
import type { DataDirectory } from "../../../read-model/generations/data-directory.ts";
import { readModelRows } from "../../../read-model/operator/model-rows.ts";
import {
  emptyOperatorState,
  type OperatorState,
  openOperatorCopy,
} from "../../../read-model/operator/state.ts";
import { readGeneration } from "../../live-store.ts";
import { isSecret, tokenSecretFile } from "../../tokens/secret.ts";
import type { StagedBackup } from "./stage-backup.ts";

/** Installs the journal by one rename, if the data directory has none. */
export const installJournal = ({ journal }: StagedBackup, directory: DataDirectory): void => {
  if (!journal) return;
  installDirectory(journal, join(directory.path, "journal"), [
    "the journal",
    "check whether another command published into the data directory meanwhile; the backup is intact",
  ]);
};

/** Installs each connection by one rename. The note of a lost inbox of its name goes with it. */
export const installConnections = (
  { connections }: StagedBackup,
  { path }: DataDirectory,
): void => {
  for (const [name, scratch] of connections) {
    const to = join(connectionsDirectory(path), name);
    mkdirDurable(dirname(to));
    rmSync(noteFileOf(to), { force: true });
    removeLockFiles(scratch);
    installDirectory(scratch, to, [`the connection ${name}`, `move ${to} away`]);
  }
};

const installDirectory = (
  scratch: string,
  to: string,
  [subject, hint]: readonly [string, string],
): void => {
  // A directory without its data file is unfinished. LMDB's other files are removed, because a rename replaces only an
  // empty directory.
  if (existsSync(to)) removeLockFiles(to);
  fsyncPath(scratch);
  try {
    renameSync(scratch, to);
  } catch (cause) {
    const reason = `cannot install ${subject}: ${messageOf(cause)}`;
    throw new VitrineError("not_writable", reason, hint, cause);
  }
  fsyncPath(dirname(to));
};

const removeLockFiles = (directory: string): void => {
  for (const name of readdirSync(directory).filter(isAuxiliaryFile)) {
    rmSync(join(directory, name), { recursive: true, force: true });
  }
};

/** `kept`: the directory has the same secret already. `differs`: it has another one, which stays. */
export type SecretInstallation = "restored" | "kept" | "differs" | "none";

/** Installs the token secret if there is none, or an empty one, so that issued tokens work again. */
export const installSecret = (
  { secret }: StagedBackup,
  directory: DataDirectory,
): SecretInstallation => {
  if (!secret) return "none";
  const to = join(directory.path, tokenSecretFile);
  const current = existsSync(to) ? readFileSync(to) : Buffer.of();
  if (isSecret(current.toString()))
    return current.equals(readFileSync(secret)) ? "kept" : "differs";
  // A rename replaces an empty secret atomically. A link does not replace a secret that another process creates
  // meanwhile.
  if (existsSync(to)) renameSync(secret, to);
  else linkSync(secret, to);
  fsyncPath(directory.path);
  return "restored";
};

/**
 * Adds the operator rows of a backup: those of its operator state and those of its model.
 * In a backup of an earlier version the model holds all of them. Nothing is removed, so that a token revoked since
 * stays revoked.
 */
export const addBackupRows = async (
  { model, operator: copyDirectory }: StagedBackup,
  operator: OperatorState,
): Promise<void> => {
  const copy = copyDirectory === undefined ? emptyOperatorState : openOperatorCopy(copyDirectory);
  await closeAfter(copy, () =>
    readGeneration(model, (store) =>
      mapWriteError({ store: operator }, () =>
        operator.add([...copy.rows(), ...readModelRows(store)]),
      ),
    ),
  ).finally(() => removeLockFile(model));
};

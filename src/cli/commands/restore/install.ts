import { existsSync, linkSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { messageOf, VitrineError } from "../../../errors.ts";
import { isAuxiliaryFile } from "../../../lmdb/environment.ts";
import { fsyncPath } from "../../../platform/durable-fs.ts";
import type { DataDirectory } from "../../../read-model/generations/data-directory.ts";
import { isSecret, tokenSecretFile } from "../../tokens/secret.ts";
import type { StagedBackup } from "./stage-backup.ts";

/** Installs the journal by one rename, if the data directory has none. */
export const installJournal = ({ journal }: StagedBackup, directory: DataDirectory): void => {
  if (!journal) return;
  const to = join(directory.path, "journal");
  // A journal directory without its data file is unfinished. LMDB's other files are removed, because a rename replaces
  // only an empty directory.
  if (existsSync(to)) removeLockFiles(to);
  fsyncPath(journal);
  try {
    renameSync(journal, to);
  } catch (cause) {
    throw new VitrineError(
      "not_writable",
      `cannot install the journal: ${messageOf(cause)}`,
      "check whether another command published into the data directory meanwhile; the backup is intact",
      cause,
    );
  }
  fsyncPath(directory.path);
};

const removeLockFiles = (journal: string): void => {
  for (const name of readdirSync(journal).filter(isAuxiliaryFile)) {
    rmSync(join(journal, name), { recursive: true, force: true });
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

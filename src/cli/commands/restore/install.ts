import { existsSync, linkSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { messageOf, VitrineError } from "../../../errors.ts";
import { isBesideData } from "../../../lmdb/environment.ts";
import { syncPath } from "../../../platform/durable-fs.ts";
import type { DataDirectory } from "../../../read-model/generations/data-directory.ts";
import { isSecret, tokenSecretFile } from "../../tokens/secret.ts";
import type { Copy } from "./steps.ts";

/** Puts the journal where there is none, by one rename. */
export const placeJournal = ({ journal }: Copy, directory: DataDirectory): void => {
  if (!journal) return;
  const to = join(directory.path, "journal");
  // Without its file it is no journal but the start of one; a rename replaces no directory that holds anything.
  if (existsSync(to)) forgetBeginning(to);
  syncPath(journal);
  try {
    renameSync(journal, to);
  } catch (cause) {
    throw new VitrineError(
      "not_writable",
      `cannot put the journal in place: ${messageOf(cause)}`,
      "see whether somebody published into the data directory meanwhile; the backup is whole",
      cause,
    );
  }
  syncPath(directory.path);
};

const forgetBeginning = (journal: string): void => {
  for (const name of readdirSync(journal).filter(isBesideData)) {
    rmSync(join(journal, name), { recursive: true, force: true });
  }
};

/** `kept`: the directory has the same one already; `differs`: it has another one, which stays. */
export type SecretPlaced = "restored" | "kept" | "differs" | "none";

/** Puts the secret of tokens where there is none, or one that was emptied: tokens that agents hold are worth something again. */
export const placeSecret = ({ secret }: Copy, directory: DataDirectory): SecretPlaced => {
  if (!secret) return "none";
  const to = join(directory.path, tokenSecretFile);
  const kept = existsSync(to) ? readFileSync(to) : Buffer.of();
  if (isSecret(kept.toString())) return kept.equals(readFileSync(secret)) ? "kept" : "differs";
  // An emptied one is replaced in one step; where there was none, one that somebody makes meanwhile is not replaced.
  if (existsSync(to)) renameSync(secret, to);
  else linkSync(secret, to);
  syncPath(directory.path);
  return "restored";
};

import { createHash } from "node:crypto";
import { createReadStream, rmSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { messageOf, VitrineError } from "../../errors.ts";
import { openEnvironment } from "../../lmdb/environment.ts";
import { isCorruption } from "../../lmdb/error-codes.ts";
import { fsyncPath, mkdirDurable } from "../../platform/durable-fs.ts";

/** A file of a backup as its manifest lists it. */
export interface BackupFile {
  /** Path relative to the backup. */
  readonly path: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

/**
 * Copies one commit of an LMDB directory without its unused pages, while other processes read and write it. Durable on
 * return.
 * @param to directory that this function creates
 * @throws `model_damaged` when LMDB finds damage
 */
export const copyEnvironment = async (from: string, to: string): Promise<void> => {
  mkdirDurable(to);
  const env = openEnvironment({ path: from, readOnly: true });
  try {
    await env.root.backup(to, true);
  } catch (error) {
    if (!isCorruption(error)) throw error;
    throw new VitrineError(
      "model_damaged",
      `${from} is damaged: ${messageOf(error)}`,
      undefined,
      error,
    );
  } finally {
    await env.close();
  }
  fsyncPath(join(to, dataFile));
  fsyncPath(to);
};

export const dataFile = "data.mdb";

/** Removes the lock file that LMDB created when it opened a backup for reading; it is no part of the backup. */
export const removeLockFile = (directory: string): void =>
  rmSync(join(directory, "lock.mdb"), { force: true });

export const hashFile = async (path: string): Promise<Omit<BackupFile, "path">> => {
  const hash = createHash("sha256");
  let bytes = 0;
  await pipeline(createReadStream(path), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      hash.update(chunk);
    }
  });
  return { bytes, sha256: hash.digest("hex") };
};

/**
 * Asserts that a file has the size and hash of the manifest.
 * @throws VitrineError `backup_damaged` when it has not
 */
export const assertMatches = (
  expected: BackupFile,
  actual: Pick<BackupFile, "bytes" | "sha256">,
  backup: string,
): void => {
  if (expected.bytes === actual.bytes && expected.sha256 === actual.sha256) return;
  const how =
    expected.bytes === actual.bytes
      ? "its bytes are not the ones that were backed up"
      : `it has ${actual.bytes} bytes, ${expected.bytes} were backed up`;
  throw new VitrineError(
    "backup_damaged",
    `the backup ${backup} is damaged: ${expected.path}: ${how}`,
    "use another backup, or start without one: the service rebuilds the model from the event log",
  );
};

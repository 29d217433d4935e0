import { createHash } from "node:crypto";
import { createReadStream, rmSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { messageOf, VitrineError } from "../../errors.ts";
import { openEnvironment } from "../../lmdb/environment.ts";
import { isOfDamage } from "../../lmdb/error-codes.ts";
import { makeDirectory, syncPath } from "../../platform/durable-fs.ts";

/** A file of a backup, by its path inside. */
export interface BackupFile {
  readonly path: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

/**
 * Copies one moment of an LMDB directory into another, without its unused pages, while others read and write it.
 * Durable on return.
 * @param to made here
 */
export const copyEnvironment = async (from: string, to: string): Promise<void> => {
  makeDirectory(to);
  const env = openEnvironment({ path: from, readOnly: true, maxDbs: 40 });
  try {
    await env.root.backup(to, true);
  } catch (error) {
    if (!isOfDamage(error)) throw error;
    throw new VitrineError(
      "model_damaged",
      `${from} is damaged: ${messageOf(error)}`,
      undefined,
      error,
    );
  } finally {
    await env.close();
  }
  syncPath(join(to, dataFile));
  syncPath(to);
};

export const dataFile = "data.mdb";

/** What opening an LMDB directory to read it leaves behind; no part of a backup. */
export const forgetReaders = (directory: string): void =>
  rmSync(join(directory, "lock.mdb"), { force: true });

/** Bytes and hash of a file as it is now. */
export const measure = async (path: string): Promise<Omit<BackupFile, "path">> => {
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

/** @throws VitrineError `backup_damaged` when a file is not what was backed up */
export const mustBe = (
  wanted: BackupFile,
  found: Pick<BackupFile, "bytes" | "sha256">,
  backup: string,
): void => {
  if (wanted.bytes === found.bytes && wanted.sha256 === found.sha256) return;
  const how =
    wanted.bytes === found.bytes
      ? "its bytes are not the ones that were backed up"
      : `it has ${found.bytes} bytes, ${wanted.bytes} were backed up`;
  throw new VitrineError(
    "backup_damaged",
    `the backup ${backup} is damaged: ${wanted.path}: ${how}`,
    "take another backup; or start without one: the model is made again from the event log",
  );
};

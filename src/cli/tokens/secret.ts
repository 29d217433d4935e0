import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { messageOf, VitrineError } from "../../errors.ts";
import { syncPath } from "../../platform/durable-fs.ts";

/** In the data directory; only its owner may read it. */
export const tokenSecretFile = "token-secret";

/**
 * What tokens are signed with: the secret that was set, else the one kept in the data directory, which the first
 * that needs it makes. Whoever loses it makes all tokens worthless, so it belongs in the backup.
 * @param dataDir a claimed data directory
 * @throws VitrineError `not_writable`
 */
export const tokenSecretOf = (set: string | undefined, dataDir: string): string => {
  if (set !== undefined) return set;
  const path = join(dataDir, tokenSecretFile);
  return usable(path, () => {
    const secret = read(path) ?? make(path);
    closeToOthers(path);
    return secret;
  });
};

/**
 * Whether a secret of tokens is kept in a data directory.
 * @throws VitrineError `not_writable` where nothing can be signed with what is there
 */
export const keepsSecret = (dataDir: string): boolean => {
  const path = join(dataDir, tokenSecretFile);
  if (!existsSync(path)) return false;
  usable(path, () => read(path) ?? "");
  return true;
};

/** One that was emptied, or cut, is none. */
export const isSecret = (text: string): boolean => text.trim().length >= 16;

const usable = (path: string, take: () => string): string => {
  try {
    const secret = take();
    if (isSecret(secret)) return secret;
  } catch (cause) {
    throw unusable(path, messageOf(cause), cause);
  }
  throw unusable(path, "it is too short for a secret");
};

const unusable = (path: string, reason: string, cause?: unknown): VitrineError =>
  new VitrineError(
    "not_writable",
    `cannot use the secret of tokens in ${path}: ${reason}`,
    "restore it from a backup, or set TOKEN_SECRET; with another secret every token that was issued is worthless",
    cause,
  );

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
};

/** One that was put there by hand may be anybody's to read; that its group reads it may be meant. */
const closeToOthers = (path: string): void => {
  const { mode } = statSync(path);
  if (mode & 0o007) chmodSync(path, mode & 0o770);
};

/** Written aside and linked: of two that make it at once one is first, and nobody reads half a secret. */
const make = (path: string): string => {
  const fresh = `${path}.${process.pid}`;
  rmSync(fresh, { force: true });
  const file = openSync(fresh, "wx", 0o600);
  try {
    writeSync(file, `${randomBytes(32).toString("base64url")}\n`);
    fsyncSync(file);
    linkSync(fresh, path);
    syncPath(dirname(path));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    closeSync(file);
    rmSync(fresh, { force: true });
  }
  return read(path) ?? "";
};

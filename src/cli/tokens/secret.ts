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
import { fsyncPath } from "../../platform/durable-fs.ts";

/** File in the data directory that only its owner may read. */
export const tokenSecretFile = "token-secret";

/**
 * Returns the secret that signs tokens: the configured one, or the one of the data directory.
 * The first process that needs it creates it. Without it all tokens are worthless, so it belongs in the backup.
 * @param dataDir a claimed data directory
 * @throws VitrineError `not_writable`
 */
export const loadOrCreateSecret = (set: string | undefined, dataDir: string): string => {
  if (set !== undefined) return set;
  const path = join(dataDir, tokenSecretFile);
  return readUsable(path, () => {
    const secret = read(path) ?? createAtomically(path);
    restrictPermissions(path);
    return secret;
  });
};

/**
 * True when the data directory holds a token secret.
 * @throws VitrineError `not_writable` when this secret cannot sign tokens
 */
export const hasUsableSecret = (dataDir: string): boolean => {
  const path = join(dataDir, tokenSecretFile);
  if (!existsSync(path)) return false;
  readUsable(path, () => read(path) ?? "");
  return true;
};

/** False for an empty or truncated secret. */
export const isSecret = (text: string): boolean => text.trim().length >= 16;

const readUsable = (path: string, take: () => string): string => {
  try {
    const secret = take();
    if (isSecret(secret)) return secret;
  } catch (cause) {
    throw unusableSecret(path, messageOf(cause), cause);
  }
  throw unusableSecret(path, "it is too short for a secret");
};

const unusableSecret = (path: string, reason: string, cause?: unknown): VitrineError =>
  new VitrineError(
    "not_writable",
    `cannot use the secret of tokens in ${path}: ${reason}`,
    "restore it from a backup, or set TOKEN_SECRET; with another secret no issued token works",
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

/**
 * Removes the access of other users, which a secret installed by hand may grant. Access of its group may be intended
 * and stays.
 */
const restrictPermissions = (path: string): void => {
  const { mode } = statSync(path);
  if (mode & 0o007) chmodSync(path, mode & 0o770);
};

/** Writes a temporary file and links it: of two concurrent writers one wins, and no reader sees half a secret. */
const createAtomically = (path: string): string => {
  const temporary = `${path}.${process.pid}`;
  rmSync(temporary, { force: true });
  const file = openSync(temporary, "wx", 0o600);
  try {
    writeSync(file, `${randomBytes(32).toString("base64url")}\n`);
    fsyncSync(file);
    linkSync(temporary, path);
    fsyncPath(dirname(path));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    closeSync(file);
    rmSync(temporary, { force: true });
  }
  return read(path) ?? "";
};

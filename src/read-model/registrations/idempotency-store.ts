import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";

interface IdempotencyStoreOptions {
  /** Data directory. The store has its own directory in it, outside the generations, because no replay restores it. */
  readonly dataDir: string;
  /** Returns milliseconds since 1970. */
  readonly now: () => number;
  /** Called with an error that prevents the store from being read or written. */
  readonly onFault: (error: unknown) => void;
  /** Maximum number of keys in each of the 256 buckets; a new key replaces the client's oldest in a full bucket, or else the oldest. */
  readonly maxKeysPerBucket?: number;
}

/** Lifetime of a key in milliseconds. */
export const keyTtlMs = 24 * 60 * 60 * 1000;

/**
 * Opens the store of the label of each idempotency key (Contract §6), which all HTTP processes of a data directory share. A key is a
 * symbolic link, named by the digests of its client and of the key, and pointing to the digest of its label, because the system creates
 * links atomically and only one per name: of two racing requests one is first, and a crash leaves no partial entry. The client chooses
 * the bucket, so that its keys fill one.
 *
 * When the store cannot be used (a full disk, another file under the link's name), the key counts as new and `onFault` is
 * called: registration goes on, because equal key and label give the same token without the store.
 */
export const openIdempotencyStore = ({
  dataDir,
  now,
  onFault,
  maxKeysPerBucket = 400,
}: IdempotencyStoreOptions) => ({
  /** Stores the first label of a client's key. @returns true when `label` is the first label of the key */
  claim(client: string, key: string, label: string): boolean {
    const owner = digest(client, "hex").slice(0, 16);
    const name = `${owner}.${digest(key)}`;
    const bucket = join(dataDir, "registrations", owner.slice(0, 2));
    try {
      const stored = readLabel(bucket, name, now() - keyTtlMs);
      if (stored !== undefined) return stored === digest(label);
      evictKeys(bucket, owner, now() - keyTtlMs, maxKeysPerBucket);
      return createLink(join(bucket, name), digest(label));
    } catch (error) {
      onFault(error);
      return true;
    }
  },
});

/**
 * Reads the digest of the label stored for a key.
 * @returns undefined when there is none since `oldest`
 */
const readLabel = (bucket: string, name: string, oldest: number): string | undefined => {
  const path = join(bucket, name);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats && stats.mtimeMs >= oldest ? readlinkSync(path) : undefined;
};

/** Creates the link of a key. @returns false when another process has just created it with another label */
const createLink = (path: string, label: string): boolean => {
  try {
    symlinkSync(label, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return readlinkSync(path) === label;
  }
};

/** Deletes expired keys, and the oldest keys of a full bucket, those of the client first. Measured: 1 ms, because a bucket is small. */
const evictKeys = (bucket: string, owner: string, oldest: number, maxKeys: number): void => {
  mkdirSync(bucket, { recursive: true });
  const links = readdirSync(bucket).flatMap((name) => {
    const stats = lstatSync(join(bucket, name), { throwIfNoEntry: false });
    return stats ? [{ name, at: stats.mtimeMs }] : [];
  });
  const rank = ({ name, at }: (typeof links)[number]): number =>
    at < oldest ? 0 : name.startsWith(owner) ? 1 : 2;
  links.sort((a, b) => rank(a) - rank(b) || a.at - b.at);
  const expired = links.filter(({ at }) => at < oldest).length;
  const evicted = links.slice(0, Math.max(expired, links.length - (maxKeys - 1)));
  for (const { name } of evicted) deleteLink(join(bucket, name));
};

/** Deletes a link that another process may have deleted already. */
const deleteLink = (path: string): void => {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
};

/** In base64url, because file systems keep the target of a link of up to 59 characters without a block of its own. */
const digest = (text: string, form: "base64url" | "hex" = "base64url"): string =>
  createHash("sha256").update(text).digest(form);

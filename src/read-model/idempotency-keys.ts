import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Database, open, type RootDatabase } from "lmdb";

/** What is kept of the labels that idempotency keys came with (contract section 6). */
export interface IdempotencyBook {
  /** Remembers the first label of a key. @returns whether `label` is that one */
  claim(key: string, label: string): boolean;
  close(): Promise<void>;
}

interface BookWorld {
  /** In it the book has a directory of its own, beside the generations: no replay can bring it back. */
  readonly dataDir: string;
  /** A clock in milliseconds since 1970. */
  readonly now: () => number;
  /** How many keys are kept; past that the oldest is forgotten. */
  readonly most?: number;
}

/** A key is remembered for so long, in milliseconds. */
export const keyLifetime = 24 * 60 * 60 * 1000;

interface Claim {
  readonly label: string;
  readonly at: number;
}

interface Tables {
  readonly env: RootDatabase;
  /** maps the digest of a key to its first claim */
  readonly claims: Database<Claim, string>;
  /** the claims by age: [time, digest of the key] */
  readonly ages: Database<true, [number, string]>;
}

/**
 * Keeps which label a key came with. All HTTP processes of a data directory share the book: a look-up and its
 * entry are one transaction, so of two requests that race with one key, one is first. It is opened when the first
 * key comes, so that a service nobody registers at never touches it.
 */
export const openIdempotencyBook = ({
  dataDir,
  now,
  most = 100_000,
}: BookWorld): IdempotencyBook => {
  let opened: Tables | undefined;
  return {
    claim(key, label) {
      opened ??= openTables(join(dataDir, "registrations"));
      const tables = opened;
      return tables.env.transactionSync(() => {
        const oldest = now() - keyLifetime;
        forget(tables, oldest, most);
        const known = tables.claims.get(digest(key));
        if (known && known.at >= oldest) return known.label === digest(label);
        if (known) tables.ages.removeSync([known.at, digest(key)]);
        tables.claims.putSync(digest(key), { label: digest(label), at: now() });
        tables.ages.putSync([now(), digest(key)], true);
        return true;
      });
    },
    async close() {
      await opened?.env.flushed;
      await opened?.env.close();
    },
  };
};

const openTables = (path: string): Tables => {
  const env = open({ path, overlappingSync: false, maxReaders: 2048, encoding: "json" });
  const claims: Tables["claims"] = env.openDB({ name: "claims", encoding: "json" });
  const ages: Tables["ages"] = env.openDB({ name: "ages", encoding: "json" });
  return { env, claims, ages };
};

/** Makes room: a few at a time, but more than can have come since. */
const forget = ({ claims, ages }: Tables, oldest: number, most: number): void => {
  const { entryCount } = claims.getStats() as { readonly entryCount: number };
  const isFull = entryCount >= most;
  const [first, ...more] = [...ages.getKeys({ limit: 4 })];
  const gone = more.filter(([at]) => at < oldest);
  for (const age of first && (isFull || first[0] < oldest) ? [first, ...gone] : []) {
    claims.removeSync(age[1]);
    ages.removeSync(age);
  }
};

const digest = (text: string): string => createHash("sha256").update(text).digest("base64url");

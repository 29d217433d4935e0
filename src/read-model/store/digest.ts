import { createHash } from "node:crypto";
import { type DerivedTableName, operationalTables, tables } from "../schema/tables.ts";
import type { DatabaseOf } from "./read-tables.ts";

export type Digest = Readonly<Record<DerivedTableName, string>>;

/** Computes SHA-256 over the stored rows of each derived table, sorted by key. */
export const computeDigest = (database: DatabaseOf): Digest => {
  const derived = Object.entries(tables).filter(([name]) => !isOperational(name));
  const digests = derived.map(([name, table]) => {
    const hash = createHash("sha256");
    for (const { key, value } of database(table)?.getRange({}) ?? []) {
      hash.update(JSON.stringify(key)).update("\0").update(value).update("\n");
    }
    return [name, hash.digest("hex")] as const;
  });
  return Object.fromEntries(digests) as Digest;
};

const isOperational = (name: string): boolean => operationalTables.some((each) => each === name);

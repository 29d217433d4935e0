import { createHash } from "node:crypto";
import { type DerivedTableName, derivedTables } from "../schema/tables.ts";
import type { DatabaseOf } from "./read-tables.ts";

export type Digest = Readonly<Record<DerivedTableName, string>>;

/** Computes SHA-256 over the stored rows of each derived table, sorted by key. */
export const computeDigest = (database: DatabaseOf): Digest => {
  const digests = derivedTables.map((table) => {
    const hash = createHash("sha256");
    for (const { key, value } of database(table)?.getRange({}) ?? []) {
      hash.update(JSON.stringify(key)).update("\0").update(value).update("\n");
    }
    return [table.name, hash.digest("hex")] as const;
  });
  return Object.fromEntries(digests) as Digest;
};

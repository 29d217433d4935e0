import { createHash } from "node:crypto";
import { tables, uncompared } from "../schema/tables.ts";
import type { Digest } from "./store.ts";
import type { TableOf } from "./typed-tables.ts";

/** Computes SHA-256 over the stored rows of each derived table, sorted by key. */
export const digestOf = (database: TableOf): Digest => {
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

const isOperational = (name: string): boolean => uncompared.some((each) => each === name);

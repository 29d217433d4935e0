import { createHash } from "node:crypto";
import { tables, uncompared } from "../schema/tables.ts";
import type { Digest } from "./store.ts";
import type { TableOf } from "./typed-tables.ts";

/** SHA-256 of every row of each table that events tell of, as it is stored, in order of keys. */
export const digestOf = (of: TableOf): Digest => {
  const compared = Object.entries(tables).filter(([name]) => !isUncompared(name));
  const digests = compared.map(([name, table]) => {
    const hash = createHash("sha256");
    for (const { key, value } of of(table)?.getRange({}) ?? []) {
      hash.update(JSON.stringify(key)).update("\0").update(value).update("\n");
    }
    return [name, hash.digest("hex")] as const;
  });
  return Object.fromEntries(digests) as Digest;
};

const isUncompared = (name: string): boolean => uncompared.some((each) => each === name);

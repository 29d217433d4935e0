import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ErrorCode } from "../../errors.ts";
import type { ProcessNote } from "../../platform/process-identity.ts";

/**
 * What a command asks of the one writer of a data directory while it runs. An order is a file,
 * `orders/<id>.json`: it needs no port, may be given by whoever may write the directory, and outlives a projector
 * that is being started again, but not its asker: what nobody waits for any more is not done. It is taken by a rename and
 * answered in `orders/<id>.done`.
 */
export type Order =
  /** Make a generation that was built in `scratch/` the live one. */
  | { readonly kind: "adopt"; readonly scratch: string }
  /** Make the previous generation the live one. */
  | { readonly kind: "rollback" }
  /** Fold dead letters again, or all of them for null. */
  | { readonly kind: "retry"; readonly sequences: readonly number[] | null }
  /** Stop counting dead letters as open, or all of them for null. */
  | { readonly kind: "discard"; readonly sequences: readonly number[] | null };

/** What the file of an order holds. */
export interface Asked {
  readonly order: Order;
  readonly by: ProcessNote;
}

/** What the file of an answer holds. */
export type Answer =
  | { readonly ok: true; readonly told: unknown }
  | {
      readonly ok: false;
      readonly code: ErrorCode;
      readonly message: string;
      readonly hint: string;
    };

/** What the names of orders end with: as given, taken, and answered. */
export const ordered = ".json";
export const taken = ".taken";
export const answered = ".done";

/** True when an order waits. @param directory path of the data directory */
export const hasOrder = (directory: string): boolean => waiting(directory).length > 0;

/** Names of the orders that can be taken. */
export const waiting = (directory: string): readonly string[] =>
  names(directory, ordered).filter((name) => !stuck.has(join(ordersOf(directory), name)));

/**
 * Paths of orders that this process may not move, or that its disk does not let it: were they looked at again and again,
 * nothing else would be done. Each is a file that somebody wrote.
 */
const stuck = new Set<string>();

export const passOver = (path: string): void => void stuck.add(path);

/** Where the orders of a data directory stand. */
export const ordersOf = (directory: string): string => join(directory, "orders");

/** Names of the files that stand there. */
export const names = (directory: string, ending: string): readonly string[] => {
  try {
    return readdirSync(ordersOf(directory)).filter((name) => name.endsWith(ending));
  } catch {
    return []; // nobody ever gave an order
  }
};

/** Seen whole or not at all. */
export const writeWhole = (at: string, name: string, content: unknown): void => {
  const fresh = join(at, `.${name}.new`);
  writeFileSync(fresh, JSON.stringify(content));
  renameSync(fresh, join(at, name));
};

/** Undefined for a file that is not there, or not whole. */
export const read = <T>(at: string, name: string): T | undefined => {
  try {
    return JSON.parse(readFileSync(join(at, name), "utf8"));
  } catch {
    return undefined;
  }
};

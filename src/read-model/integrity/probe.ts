import { statSync } from "node:fs";
import { join } from "node:path";
import { VitrineError } from "../../errors.ts";
import { ownProgram } from "../../package-info.ts";
import { type Found, lookFromOutside } from "../../platform/child-probe.ts";
import { formerTables, type Table, tables } from "../schema/tables.ts";
import { openStore, type Store } from "../store/store.ts";

/**
 * Whether a generation can be read (contract section 2, a damaged model), found out in a process of its own.
 * @param depth `quick` reads the ends of every table, a sample between, and the keys of all products, which takes a
 *   fraction of a second for a million; `whole` reads every row, and checks every checksum.
 * @returns what is wrong with it; undefined when nothing is
 */
export const probe = (generation: string, depth: Depth, signal?: AbortSignal): Promise<Found> =>
  lookFromOutside(ownProgram("read-model/integrity/probe-process"), [generation, depth], signal);

export type Depth = "quick" | "whole";

/** Rows read from each end of a table, and at most as many between. */
const sample = 64;

/** The reading itself. What is damaged ends the process, or throws. */
export const readThrough = async (generation: string, depth: Depth): Promise<void> => {
  const file = statSync(join(generation, "data.mdb"), { throwIfNoEntry: false });
  if (!file) throw new VitrineError("model_damaged", `${generation} holds no data.mdb`);
  const store = openStore(generation, { readOnly: true });
  // A file cut off behind the pages a sample happens to meet: only reading all tells.
  const isShort = file.size < store.bytes();
  mustNameTables(store);
  for (const table of [...known, ...former] as readonly Table<never, unknown>[]) {
    if (!store.exists(table)) continue;
    if (depth === "whole" || isShort) readAll(store, table);
    else readSome(store, table);
  }
  if (depth === "quick") {
    for (const table of [tables.products, tables.cores]) {
      mustReachAll(store, table, keysIn(store, table));
    }
  }
  await store.close();
};

const known = Object.values(tables);
const former = Object.values(formerTables);

/**
 * A table whose name is lost would be taken for one that an earlier version did not know, and be empty. But that version
 * knew no other names either, and had the checkpoint.
 */
const mustNameTables = (store: Store): void => {
  const { names, count } = store.names();
  const lost = known.filter((table) => !store.exists(table));
  const strange = names.filter(
    (name) => ![...known, ...former].some((table) => table.name === name),
  );
  const isWhole = names.length === count && (lost.length === 0 || strange.length === 0);
  if (isWhole && store.exists(tables.meta)) return;
  throw new VitrineError(
    "model_damaged",
    `the list of tables is damaged: ${lost.map(({ name }) => name).join(", ") || "some"} cannot be found`,
  );
};

const readAll = (store: Store, table: Table<never, unknown>): void => {
  let rows = 0;
  for (const _ of store.entries(table)) rows += 1;
  mustReachAll(store, table, rows);
};

const keysIn = (store: Store, table: Table<number, unknown>): number => {
  let rows = 0;
  for (const _ of store.keys(table)) rows += 1;
  return rows;
};

/** A page that says it holds fewer rows than it does hides the others, and nothing that is read of it is wrong. */
const mustReachAll = (store: Store, table: { readonly name: string }, rows: number): void => {
  const expected = store.rows(table);
  if (rows === expected) return;
  throw new VitrineError(
    "model_damaged",
    `the table "${table.name}" is damaged: ${rows} of its ${expected} rows can be reached`,
  );
};

const readSome = (store: Store, table: Table<never, unknown>): void => {
  const first = read(store, table, { limit: sample });
  const last = read(store, table, { limit: sample, reverse: true });
  const [low, high] = [first, last].map((key) => (typeof key === "number" ? key : undefined));
  if (low === undefined || high === undefined) return;
  for (let step = 1; step < sample; step += 1) {
    read(store, table, { start: low + Math.floor(((high - low) * step) / sample), limit: 1 });
  }
};

/** Reads rows, and returns the key of the first. */
const read = (
  store: Store,
  table: Table<never, unknown>,
  range: Parameters<Store["entries"]>[1],
): unknown => {
  let first: unknown;
  for (const [key] of store.entries(table, range)) first ??= key;
  return first;
};

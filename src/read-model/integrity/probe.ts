import { statSync } from "node:fs";
import { join } from "node:path";
import { VitrineError } from "../../errors.ts";
import { probeUnlessMarked } from "../../lmdb/intact-marker.ts";
import { ownProgram } from "../../package-info.ts";
import {
  type ProbeOptions,
  type ProbeResult,
  runProbeProcess,
} from "../../platform/child-probe.ts";
import { modelLayout } from "../schema/checkpoint.ts";
import type { Key } from "../schema/codec.ts";
import { type KeyPrefix, type Table, tables } from "../schema/tables.ts";
import { readFlag } from "../store/damage-flag.ts";
import { openStore, readCheckpoint, type Store } from "../store/store.ts";
import type { Range } from "../store/table-access.ts";

/**
 * Checks in a child process whether a generation can be read. Contract §2: a damaged model.
 * @param depth `quick` reads both ends of every table, a sample between them, and the keys of all products, which takes a
 *   fraction of a second for a million products, unless the generation is unflagged and marked as intact; `whole` reads every
 *   row and verifies every checksum
 * @returns a description of the damage; undefined for an intact generation
 */
export const probeGeneration = (
  generation: string,
  depth: ModelProbeDepth,
  signal?: AbortSignal,
): Promise<ProbeResult> => {
  const probe = (options: ProbeOptions): Promise<ProbeResult> =>
    runProbeProcess(ownProgram("read-model/integrity/probe-process"), [generation, depth], options);
  if (depth === "whole" || readFlag(generation)) return probe({ signal });
  return probeUnlessMarked(generation, (onIntact) => probe({ signal, onIntact }));
};

export type ModelProbeDepth = "quick" | "whole";

/** Number of rows read from each end of a table, and the maximum between the ends. */
const sampleSize = 64;

/** Reads a generation within the child process. Damage throws or crashes the process. */
export const readFully = async (generation: string, depth: ModelProbeDepth): Promise<void> => {
  const file = statSync(join(generation, "data.mdb"), { throwIfNoEntry: false });
  if (!file) throw new VitrineError("model_damaged", `${generation} holds no data.mdb`);
  const store = openStore(generation, { readOnly: true });
  // A sample may miss that the end of the file is cut off, so a short file is read fully.
  const isShort = file.size < store.bytes();
  assertTableNames(store);
  for (const table of tableList) {
    if (!store.exists(table)) continue;
    if (depth === "whole" || isShort) assertRowCount(store, table, count(store.entries(table)));
    else readSample(store, table);
  }
  if (depth === "quick") {
    for (const table of [tables.products, tables.productCores]) {
      if (store.exists(table))
        assertRowCount(store, table, count(store.keys<number, unknown>(table)));
    }
  }
  await store.close();
};

const tableList = Object.values(tables) as readonly Table<Key, unknown>[];

/**
 * Asserts that no table name is lost, because a table without a name would look like one that an earlier version did not
 * have. A generation of another layout may have unknown names.
 */
const assertTableNames = (store: Store): void => {
  const { names, count: expected } = store.names();
  const missing = tableList.filter((table) => !store.exists(table));
  const unknown = names.filter((name) => !tableList.some((table) => table.name === name));
  const mayMiss = () => unknown.length === 0 || readCheckpoint(store)?.layout !== modelLayout;
  const isComplete = names.length === expected && store.exists(tables.meta);
  if (isComplete && (missing.length === 0 || mayMiss())) return;
  throw new VitrineError(
    "model_damaged",
    `the list of tables is damaged: ${missing.map(({ name }) => name).join(", ") || "some"} cannot be found`,
  );
};

const count = (iterable: Iterable<unknown>): number => {
  let rows = 0;
  for (const _ of iterable) rows += 1;
  return rows;
};

/** Compares the rows read with the count in LMDB's metadata: a page with a wrong row count hides rows without an error. */
const assertRowCount = (store: Store, table: { readonly name: string }, rows: number): void => {
  const expected = store.rows(table);
  if (rows === expected) return;
  throw new VitrineError(
    "model_damaged",
    `the table "${table.name}" is damaged: ${rows} of its ${expected} rows can be reached`,
  );
};

const readSample = (store: Store, table: Table<Key, unknown>): void => {
  const first = readRange(store, table, { limit: sampleSize });
  const last = readRange(store, table, { limit: sampleSize, reverse: true });
  const [low, high] = [first, last].map((key) => (typeof key === "number" ? key : undefined));
  if (low === undefined || high === undefined) return;
  for (let step = 1; step < sampleSize; step += 1) {
    const start = low + Math.floor(((high - low) * step) / sampleSize);
    readRange(store, table, { start, limit: 1 });
  }
};

const readRange = (
  store: Store,
  table: Table<Key, unknown>,
  range: Range<KeyPrefix<Key>>,
): Key | undefined => {
  let first: Key | undefined;
  for (const [key] of store.entries(table, range)) first ??= key;
  return first;
};

import { tables } from "../schema/tables.ts";
import type { Tables } from "../store/store.ts";
import { type FactRun, readFacts } from "./doc-values.ts";
import { firstRun } from "./postings/block-boundary.ts";
import type { Ids } from "./postings/doc-ids.ts";

/** Rows of a run, and the place of each among the ids that were asked for. */
export interface Rows {
  readonly rows: readonly number[];
  readonly places: readonly number[];
}

/** Visits the runs that have facts of ascending ids; those of no visible product are passed over. Each is read once. */
export const eachFactRun = (
  stored: Tables,
  ids: Ids,
  visit: (run: FactRun, rows: Rows) => void,
): void => {
  let at = 0;
  const take = (run: FactRun): void => {
    const found = { rows: [] as number[], places: [] as number[] };
    const last = run.ids[run.ids.length - 1] ?? 0;
    for (let row = 0; at < ids.length && (ids[at] as number) <= last; at += 1) {
      const id = ids[at] as number;
      while ((run.ids[row] as number) < id) row += 1;
      if (run.ids[row] !== id) continue;
      found.rows.push(row);
      found.places.push(at);
    }
    if (found.rows.length > 0) visit(run, found);
  };
  if (ids.length > productsIn(stored) / fewOf) {
    for (const [, bytes] of stored.entries(tables.facts)) take(readFacts(bytes));
    return;
  }
  while (at < ids.length) {
    const before = at;
    const bytes = stored.get(tables.facts, keyOf(stored, ids[at] as number));
    if (bytes) take(readFacts(bytes));
    if (at === before) at += 1;
  }
};

/** Where so many ids stand in the catalogue one in this many, all runs are read one after the other. */
const fewOf = 500;

const productsIn = (stored: Tables): number => stored.get(tables.counters, "products") ?? 0;

const keyOf = (stored: Tables, id: number): number => {
  for (const key of stored.keys(tables.facts, { start: id, reverse: true, limit: 1 })) return key;
  return firstRun;
};

/** Every run of facts. */
export const everyFactRun = (stored: Tables, visit: (run: FactRun) => void): void => {
  for (const [, run] of stored.entries(tables.facts)) visit(readFacts(run));
};

import { memoizeLast } from "../../platform/memo.ts";
import { type CounterName, tables } from "../schema/tables.ts";
import type { ReadTables } from "../store/store.ts";

/** Caches what `load` reads from a snapshot, until a snapshot has another value of the counter. */
export const cacheUntilCounted = <T>(
  counter: CounterName,
  load: (stored: ReadTables) => T,
): ((stored: ReadTables) => T) =>
  memoizeLast(load, (stored) => stored.get(tables.counters, counter) ?? 0);

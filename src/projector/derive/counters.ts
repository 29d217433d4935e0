import { type CounterName, tables } from "../../read-model/schema/tables.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";
import type { IndexSettingsChange } from "./index-settings.ts";
import { putOrRemove } from "./set-diff.ts";

/** What every step of a derivation reads and writes. */
export interface Derivation {
  readonly batch: UnitOfWork;
  readonly stored: WritableTables;
  readonly counters: Counters;
  readonly settings: IndexSettingsChange;
}

export type Counters = ReturnType<typeof openCounters>;

/** Opens the counters of the model, which are changed by deltas and written once for each batch. */
export const openCounters = (stored: WritableTables) => {
  const values = new Map<CounterName, number>();
  const read = (name: CounterName): number =>
    values.get(name) ?? stored.get(tables.counters, name) ?? 0;
  return {
    add(name: CounterName, delta: number): void {
      if (delta !== 0) values.set(name, read(name) + delta);
    },
    set: (name: CounterName, value: number): void => void values.set(name, value),
    flush(): void {
      // Writes no row for 0: a count that rose and fell inside one batch must leave the rows that two batches leave.
      for (const [name, value] of values)
        putOrRemove(stored, tables.counters, name, value || undefined);
    },
  };
};

import { type CounterName, tables } from "../../read-model/schema/tables.ts";
import type { WritableTables } from "../../read-model/store/store.ts";

/** The model's counts, changed by differences and written once a batch. */
export interface Counters {
  add(name: CounterName, difference: number): void;
  set(name: CounterName, value: number): void;
  flush(): void;
}

export const openCounters = (stored: WritableTables): Counters => {
  const values = new Map<CounterName, number>();
  const read = (name: CounterName): number =>
    values.get(name) ?? stored.get(tables.counters, name) ?? 0;
  return {
    add(name, difference) {
      if (difference !== 0) values.set(name, read(name) + difference);
    },
    set: (name, value) => void values.set(name, value),
    flush() {
      // No row at zero: a count that rose and fell inside one batch must leave what two batches leave.
      for (const [name, value] of values) {
        if (value === 0) stored.remove(tables.counters, name);
        else stored.put(tables.counters, name, value);
      }
    },
  };
};

import type { Tables, WritableTables } from "./store.ts";
import { tables } from "./tables.ts";

/** How many dead letters nobody has discarded. */
export const openDeadLetters = (stored: Tables): number => {
  let discarded = 0;
  for (const sequence of stored.keys(tables.discards)) {
    if (stored.has(tables.deadLetters, sequence)) discarded += 1;
  }
  return (stored.get(tables.counters, "deadLetters") ?? 0) - discarded;
};

/** Keeps what was discarded for another generation of the same log, where that refused the same events. */
export const carryDiscards = (from: Tables, to: WritableTables): void => {
  for (const [sequence, discard] of from.entries(tables.discards)) {
    if (to.has(tables.deadLetters, sequence)) to.put(tables.discards, sequence, discard);
  }
};

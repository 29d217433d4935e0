import { openDeadLetters } from "../operator/discards.ts";
import type { OperatorReader } from "../operator/state.ts";
import { type CounterName, tables } from "../schema/tables.ts";
import type { Tables } from "../store/store.ts";

/** What a generation holds, in numbers an operator knows. */
export interface ModelCounts {
  /** Visible products. */
  readonly products: number;
  readonly inStock: number;
  /** Categories with a whole parent chain. */
  readonly categories: number;
  /** Active categories whose parent is unknown, not shown, or below them: they wait until that is mended. */
  readonly heldBackCategories: number;
  /** Products with stock or a price but no core. */
  readonly orphans: number;
  /** Refused events that nobody discarded. */
  readonly deadLetters: number;
}

/** Costs a few look-ups, at any size of the shop. */
export const countModel = (
  stored: Tables,
  operator: Pick<OperatorReader, "discards">,
): ModelCounts => {
  const count = (name: CounterName): number => stored.get(tables.counters, name) ?? 0;
  return {
    products: count("products"),
    inStock: count("inStock"),
    categories: stored.get(tables.categoryOrder, "order")?.length ?? 0,
    heldBackCategories: count("heldBackCategories"),
    orphans: count("orphans"),
    deadLetters: openDeadLetters(stored, operator),
  };
};

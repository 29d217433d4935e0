import { countOpenDeadLetters } from "../operator/discards.ts";
import type { OperatorReader } from "../operator/state.ts";
import { type CounterName, tables } from "../schema/tables.ts";
import type { ReadTables } from "../store/store.ts";

/** Numbers of a generation's entities, for operators. */
export interface ModelCounts {
  /** Visible products. */
  readonly products: number;
  readonly inStock: number;
  /** Visible categories. */
  readonly categories: number;
  /** Active categories outside the tree, because their parent is unknown, invisible, or one of their descendants. */
  readonly heldBackCategories: number;
  /** Products with stock or a price but no core. */
  readonly orphans: number;
  /** Dead letters that are not discarded. */
  readonly deadLetters: number;
}

/** Reads stored counters with a few lookups, at any size of the shop. */
export const readModelCounts = (
  stored: ReadTables,
  operator: Pick<OperatorReader, "discards">,
): ModelCounts => {
  const count = (name: CounterName): number => stored.get(tables.counters, name) ?? 0;
  return {
    products: count("products"),
    inStock: count("inStock"),
    categories: stored.get(tables.categoryOrder, "order")?.length ?? 0,
    heldBackCategories: count("heldBackCategories"),
    orphans: count("orphans"),
    deadLetters: countOpenDeadLetters(stored, operator),
  };
};

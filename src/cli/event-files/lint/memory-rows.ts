import type { RenderedRows } from "../../../../projections/projection.ts";
import { productOfKey } from "../../../read-model/schema/variant-key.ts";

/** Limits the rows of all tables together, because files may be of any size. */
export interface RowLimit {
  /** Rows, variants in lists and option values that may still be added, of some 300 bytes each. */
  left: number;
}

export interface MemoryRows<K extends number | string, R> extends RenderedRows<K, R> {
  readonly byId: ReadonlyMap<K, R>;
  variantsOf(product: number): ReadonlyMap<K, R>;
}

/**
 * Creates a table. From the limit on, it takes no row of another key.
 * @param shorten drops what is not read again
 * @param count counts what a row adds to the limit
 */
export const createRows = <K extends number | string, R>(
  limit: RowLimit,
  shorten: (row: R) => R = (row) => row,
  count: (row: R) => number = () => 1,
): MemoryRows<K, R> => {
  const byId = new Map<K, R>();
  const byProduct = new Map<number, Map<K, R>>();
  const rowsOf = (key: K): Map<K, R> | undefined =>
    typeof key === "number" ? byId : byProduct.get(productOfKey(key));
  const get = (key: K): R | undefined => rowsOf(key)?.get(key);
  return {
    byId,
    variantsOf: (product) => byProduct.get(product) ?? new Map(),
    get,
    put(key, row) {
      const before = get(key);
      if (before === undefined && limit.left <= 0) return;
      const stored = shorten(row);
      limit.left += (before === undefined ? 0 : count(before)) - count(stored);
      const rows = rowsOf(key) ?? new Map<K, R>();
      if (typeof key === "string") byProduct.set(productOfKey(key), rows);
      rows.set(key, stored);
    },
    remove: (key) => void rowsOf(key)?.delete(key),
    setHtml: () => undefined,
  };
};

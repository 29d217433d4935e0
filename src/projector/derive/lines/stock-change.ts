import { showStockRow } from "../../../../projections/stock.ts";
import type { ShownStock } from "../../../offers/stock.ts";
import { deepEqual } from "../../../platform/deep-equal.ts";
import type { Derivation } from "../derivation.ts";

/** Log sequences of the last events that changed what is shown of a stock; 0 where none did. */
export interface StockChange {
  readonly shownAt: number;
  /** Of a change of more than the quantity and the date. */
  readonly statusAt: number;
  readonly orderableAt: number;
}

const noChange: StockChange = { shownAt: 0, statusAt: 0, orderableAt: 0 };

/** Returns the change of the stock of a product or variant, by its key. */
export type FindStockChange = (key: number | string) => StockChange;

/** Compares the stocks that products and variants had during a batch, as the shop shows them. */
export const openStockChanges = ({
  batch: { stocks },
  settings,
}: Pick<Derivation, "batch" | "settings">): FindStockChange => {
  const compare = (key: number | string, changedAt: number): StockChange => {
    const [first, ...rest] = stocks.versions(key);
    // Before its first stock, a variant has that of the product.
    if (typeof key === "string" && first === undefined)
      return { shownAt: changedAt, statusAt: changedAt, orderableAt: changedAt };
    const shown = [first, ...rest].map((row) => showStockRow(row, settings.after.policy));
    if (isConstant(shown)) return noChange;
    const changeOf = (part: (stock: ShownStock) => unknown): number =>
      isConstant(shown.map(part)) ? 0 : changedAt;
    const orderableAt = changeOf(({ orderable }) => orderable);
    return {
      shownAt: changedAt,
      statusAt: orderableAt || changeOf(({ status }) => status),
      orderableAt,
    };
  };
  const changes = new Map<number | string, StockChange>();
  for (const key of stocks.changedKeys()) {
    const changedAt = stocks.changedAt(key);
    if (changedAt > 0) changes.set(key, compare(key, changedAt));
  }
  return (key) => changes.get(key) ?? noChange;
};

/** Whether all values are equal. */
export const isConstant = (values: readonly unknown[]): boolean =>
  values.every((value) => deepEqual(value, values[0]));

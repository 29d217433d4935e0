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

/** Compares the stocks that a product or variant had during a batch, as the shop shows them. */
export const findStockChange = (
  { batch: { stocks }, settings }: Pick<Derivation, "batch" | "settings">,
  key: number | string,
): StockChange => {
  const changedAt = stocks.changedAt(key);
  if (changedAt === 0) return noChange;
  // Before its first stock, a variant has that of the product.
  if (typeof key === "string" && stocks.versions(key)[0] === undefined)
    return { shownAt: changedAt, statusAt: changedAt, orderableAt: changedAt };
  const shown = stocks.versions(key).map((row) => showStockRow(row, settings.after.policy));
  const changeOf = (part: (stock: ShownStock) => unknown): number =>
    isConstant(shown.map(part)) ? 0 : changedAt;
  return {
    shownAt: changeOf((stock) => stock),
    statusAt: changeOf(({ orderable, status }) => [orderable, status]),
    orderableAt: changeOf(({ orderable }) => orderable),
  };
};

/** Whether all values are equal. */
export const isConstant = (values: readonly unknown[]): boolean =>
  values.every((value) => deepEqual(value, values[0]));

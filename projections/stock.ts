import type { EventOfType } from "../src/events/event.ts";
import { defaultOrderable, noStock, stockStatus, toShownQuantity } from "../src/offers/stock.ts";
import type { StockContent, StockRow } from "../src/read-model/schema/rows.ts";
import { deepEqual, evolveFieldGroup, versionOf } from "./field-group.ts";
import type { EvolveResult } from "./projection.ts";

/**
 * Folds stock events into the stock of a product or variant, whether or not it exists yet. `contentChangedAt` changes with what is
 * always visible, not with every quantity. Goods without stock events are out of stock. A first event 'out of stock' changes nothing
 * visible, so its date (`contentChangedAt`) is 0.
 */
export const evolveStock = (
  row: StockRow | undefined,
  event: EventOfType<"shop.stock.changed">,
): EvolveResult<StockRow> => {
  const { quantity, orderable, availability = null, availabilityDate = null } = event.data;
  const content: StockContent = {
    orderable: orderable ?? defaultOrderable(availability, quantity),
    availability,
    availabilityDate,
  };
  const evolved = evolveFieldGroup(row, versionOf(event), content);
  const isRepeated = evolved.outcome === "repeated" && row?.quantity === quantity;
  if (evolved.outcome === "stale" || evolved.outcome === "refused" || isRepeated) return evolved;
  const { time } = event;
  const isSameNumber = row !== undefined && toShown(row.quantity) === toShown(quantity);
  return {
    outcome: "applied",
    row: {
      version: versionOf(event),
      contentChangedAt: dateOf(isSameStatus(row?.content, content), row?.contentChangedAt, time),
      content,
      quantity,
      quantityChangedAt: dateOf(isSameNumber, row?.quantityChangedAt, time),
    },
  };
};

/** Dates what an event leaves the same or changes. The date never decreases. */
const dateOf = (isSame: boolean, before = 0, time: number): number =>
  isSame ? before : Math.max(before, time);

const toShown = (quantity: number | null): number | null =>
  quantity === null ? null : toShownQuantity(quantity);

/** Compares what is shown of two stocks, apart from their quantities. */
const isSameStatus = (one: StockContent | null | undefined, other: StockContent): boolean =>
  deepEqual(toStatus(one ?? noStock), toStatus(other));

const toStatus = ({ orderable, availability, availabilityDate }: StockContent) => ({
  orderable,
  status: stockStatus({ orderable, availability, quantity: null, availabilityDate }, null),
  availabilityDate,
});

import type { EventOfType } from "../src/events/event.ts";
import type { OfferPolicy } from "../src/offers/policy.ts";
import {
  defaultOrderable,
  noStock,
  outOfStock,
  type ShownStock,
  showStock,
  stockStatus,
  toShownQuantity,
} from "../src/offers/stock.ts";
import { deepEqual } from "../src/platform/deep-equal.ts";
import type { StockContent, StockRow } from "../src/read-model/schema/rows.ts";
import { evolveFieldGroup, versionOf } from "./field-group.ts";
import type { EvolveResult } from "./projection.ts";

/**
 * Folds stock events into the stock of a product or variant, whether or not it exists yet. `contentChangedAt` changes with what is
 * always visible, not with every quantity. A product without stock events is out of stock, so that a first event 'out of stock' changes
 * nothing visible, and its date (`contentChangedAt`) is 0. A variant without stock events has the stock of its product.
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
  const isFirst = row === undefined && event.data.variantId !== undefined;
  const isSame = !isFirst && isSameStatus(row?.content, content);
  const isSameNumber = row !== undefined && toShown(row.quantity) === toShown(quantity);
  return {
    outcome: "applied",
    row: {
      version: versionOf(event),
      contentChangedAt: dateOf(isSame, row?.contentChangedAt, time),
      content: evolved.outcome === "applied" ? evolved.row.content : (row?.content ?? content),
      quantity,
      quantityChangedAt: dateOf(isSameNumber, row?.quantityChangedAt, time),
    },
  };
};

/** Converts a stock to members of an event; members that are none are left out, but `orderable`. */
export const toStockMembers = (
  { orderable, availability, availabilityDate }: StockContent,
  quantity: number | null,
) => ({
  orderable,
  ...(quantity !== null && { quantity }),
  ...(availability && { availability }),
  ...(availabilityDate && { availabilityDate }),
});

/** Dates what an event leaves the same or changes. The date never decreases. */
const dateOf = (isSame: boolean, before = 0, time: number): number =>
  isSame ? before : Math.max(before, time);

const toShown = (quantity: number | null): number | null =>
  quantity === null ? null : toShownQuantity(quantity);

/** Compares what is shown of two stocks, without their quantities. */
const isSameStatus = (one: StockContent | null | undefined, other: StockContent): boolean =>
  deepEqual(toStatus(one ?? noStock), toStatus(other));

const toStatus = ({ orderable, availability, availabilityDate }: StockContent) => ({
  orderable,
  status: stockStatus({ orderable, availability, quantity: null, availabilityDate }, null),
  availabilityDate,
});

/** Evaluates what a shop shows of a stock; a product or variant without stock events is out of stock. */
export const showStockRow = (row: StockRow | undefined, policy: OfferPolicy): ShownStock =>
  row?.content ? showStock({ quantity: row.quantity, ...row.content }, policy) : outOfStock;

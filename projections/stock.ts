import type { EventOfType } from "../src/events/event.ts";
import type { StockRow } from "../src/read-model/schema/rows.ts";
import { type Evolved, evolveGroup, stampOf } from "./field-group.ts";

/**
 * Stock, kept whether or not its product is known yet. Only whether it can be ordered is kept: quantities are the
 * shop's business, and `changedAt` then moves with a flip of availability, not with every quantity. A product is
 * out of stock until told otherwise, so a first "none left" is no flip: its `changedAt` is 0.
 */
export const evolveStock = (
  row: StockRow | undefined,
  event: EventOfType<"shop.stock.changed">,
): Evolved<StockRow> => {
  const { quantity, orderable } = event.data;
  const content = { orderable: orderable ?? (quantity ?? 0) > 0 };
  const evolved = evolveGroup(row, stampOf(event), content);
  const noFlip = evolved.outcome === "applied" && !row && !content.orderable;
  return noFlip ? { outcome: "applied", row: { ...evolved.row, changedAt: 0 } } : evolved;
};

import type { EventOfType } from "../src/events/event.ts";
import type { StockRow } from "../src/read-model/schema/rows.ts";
import { evolveFieldGroup, versionOf } from "./field-group.ts";
import type { EvolveResult } from "./projection.ts";

/**
 * Folds stock events into the availability of a product, whether or not the product exists yet. Only `orderable` is
 * stored: no surface shows a quantity, and `contentChangedAt` then changes with the availability, not with every
 * quantity. A product without stock events is out of stock. A first event 'out of stock' changes nothing visible, so its
 * date (`contentChangedAt`) is 0.
 */
export const evolveStock = (
  row: StockRow | undefined,
  event: EventOfType<"shop.stock.changed">,
): EvolveResult<StockRow> => {
  const { quantity, orderable } = event.data;
  const content = { orderable: orderable ?? (quantity ?? 0) > 0 };
  const evolved = evolveFieldGroup(row, versionOf(event), content);
  const noFlip = evolved.outcome === "applied" && !row && !content.orderable;
  return noFlip ? { outcome: "applied", row: { ...evolved.row, contentChangedAt: 0 } } : evolved;
};

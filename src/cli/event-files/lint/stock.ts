import type { EventOfType, ShopEvent } from "../../../events/event.ts";
import { availabilityEdge } from "../../../offers/stock.ts";
import type { GoodsHistory } from "./goods-history.ts";
import { nameOf } from "./price-statements.ts";
import type { LintWarning } from "./warning.ts";

/** Finds stock of a product with stock of its variants, and dates of availability that are past or missing. */
export const checkStock = (event: ShopEvent, history: GoodsHistory): readonly LintWarning[] =>
  event.type === "shop.stock.changed"
    ? [...findTwoLevels(event, history), ...findPastDate(event, history), ...findMissingDate(event)]
    : [];

type StockEvent = EventOfType<"shop.stock.changed">;

/** Limits the memory to some 10 MB, because files may be of any size. */
const maxProducts = 200_000;

/** Finds the first event that states the stock of a product on the second level. */
const findTwoLevels = (
  { data: { productId, variantId } }: StockEvent,
  { stockLevels }: GoodsHistory,
): readonly LintWarning[] => {
  const level = variantId === undefined ? "product" : "variant";
  const stated = stockLevels.get(productId);
  if (stated === undefined && stockLevels.size < maxProducts) stockLevels.set(productId, level);
  if (stated === undefined || stated === level || stated === "both") return [];
  stockLevels.set(productId, "both");
  const reason = `product ${productId} has stock events of its own and of its variants, and a variant without stock has that of the product: send stock of the variants alone`;
  return [{ field: "data.productId", reason }];
};

const findPastDate = ({ data, time }: StockEvent, { policy }: GoodsHistory) => {
  const availabilityDate = data.availabilityDate ?? null;
  const ends = availabilityEdge({ availabilityDate }, policy?.timeZone ?? null);
  if (ends === undefined || ends > time) return [];
  const reason = `the availability date of ${nameOf(data)}, ${availabilityDate}, is past at the time of the event, so it is not shown: send a later one or null`;
  return [{ field: "data.availabilityDate", reason }];
};

/** Finds goods that can be ordered and ship later, without the date that buyers and product feeds need. */
const findMissingDate = ({ data }: StockEvent): readonly LintWarning[] => {
  const { availability, availabilityDate, orderable } = data;
  const shipsLater = availability === "preorder" || availability === "backorder";
  if (!shipsLater || orderable === false || availabilityDate != null) return [];
  const reason = `${nameOf(data)} is in ${availability} without a date, so no answer says when it ships: send availabilityDate`;
  return [{ field: "data.availabilityDate", reason }];
};

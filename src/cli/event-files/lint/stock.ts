import type { EventOfType } from "../../../events/event.ts";
import { availabilityEndsAt } from "../../../offers/stock.ts";
import { toRowKey } from "../../../read-model/schema/keys.ts";
import { type LintModel, type LintWarning, warnOf } from "./model.ts";
import { nameOf } from "./stated-parts.ts";

type StockEvent = EventOfType<"shop.stock.changed">;

/** Finds stock of a product with stock of its variants, and dates of availability that are past or missing. */
export const checkStock = (
  event: StockEvent,
  { rows, isFull }: LintModel,
): readonly LintWarning[] => [
  ...(isFull() ? [] : findTwoLevels(event, rows)),
  ...findPastDate(event, rows.settings.get("settings")?.content?.timeZone ?? null),
  ...findMissingDate(event),
];

/** Finds the first event that states the stock of a product on the second level. @param stocks before the event */
const findTwoLevels = (
  event: StockEvent,
  { stocks }: LintModel["rows"],
): readonly LintWarning[] => {
  const { productId, variantId } = event.data;
  const hasOwn = stocks.byId.has(productId);
  const hasVariants = stocks.variantsOf(productId).size > 0;
  if (hasOwn === hasVariants || hasOwn === (variantId === undefined)) return [];
  const reason = `product ${productId} has stock events of its own and of its variants, and a variant without stock has that of the product: send stock of the variants alone`;
  return warnOf(event, "data.productId", reason);
};

const findPastDate = (event: StockEvent, timeZone: string | null): readonly LintWarning[] => {
  const { data, time } = event;
  const availabilityDate = data.availabilityDate ?? null;
  const ends = availabilityEndsAt({ availabilityDate }, timeZone);
  if (ends === undefined || ends > time) return [];
  const reason = `the availability date of ${nameOf(toRowKey(data))}, ${availabilityDate}, is past at the time of the event, so it is not shown: send a later one or null`;
  return warnOf(event, "data.availabilityDate", reason);
};

/** Finds what can be ordered and ships later, without the date that buyers and product feeds need. */
const findMissingDate = (event: StockEvent): readonly LintWarning[] => {
  const { availability, availabilityDate, orderable } = event.data;
  const shipsLater = availability === "preorder" || availability === "backorder";
  if (!shipsLater || orderable === false || availabilityDate != null) return [];
  const reason = `${nameOf(toRowKey(event.data))} is in ${availability} without a date, so no answer says when it ships: send availabilityDate`;
  return warnOf(event, "data.availabilityDate", reason);
};

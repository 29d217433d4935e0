import type { EventOfType } from "../src/events/event.ts";
import { compareTimes } from "../src/events/time.ts";
import type { VariantContent } from "../src/read-model/schema/product-parts.ts";
import type { FieldGroup } from "../src/read-model/schema/rows.ts";
import { toRowKey, variantKey } from "../src/read-model/schema/variant-key.ts";
import { evolveFieldGroup, versionOf } from "./field-group.ts";
import { evolvePrice } from "./price.ts";
import type { EntityRows, EventOutcome, TextCleaner } from "./projection.ts";
import { buildVariant, listVariantChanges } from "./variant-content.ts";

type VariantEvent = EventOfType<"shop.variant.upserted" | "shop.variant.deleted">;
type PriceEvent = EventOfType<"shop.price.changed">;

/** Applies an event of one variant to the row of that variant. The product's list has a row of its own. */
export const applyVariant = (
  rows: EntityRows,
  event: VariantEvent,
  text: TextCleaner,
): EventOutcome => {
  const { productId, id } = event.data;
  const key = variantKey(productId, id);
  const content = event.type === "shop.variant.deleted" ? null : buildVariant(event.data, text);
  const evolved = evolveFieldGroup<VariantContent>(
    rows.variantStates.get(key),
    versionOf(event),
    content,
    listVariantChanges,
  );
  const [precededBy = null] = idsAtTimeOf(event, [rows.variantLists.get(productId)]);
  if (evolved.outcome === "applied") rows.variantStates.put(key, { ...evolved.row, precededBy });
  return evolved;
};

export const applyPrice = (rows: EntityRows, event: PriceEvent): EventOutcome => {
  const key = toRowKey(event.data);
  const stated =
    typeof key === "string"
      ? [rows.variantLists.get(event.data.productId), rows.variantStates.get(key)]
      : [];
  const result = evolvePrice(rows.prices.get(key), event, idsAtTimeOf(event, stated));
  if (result.outcome === "applied") rows.prices.put(key, result.row);
  return result;
};

/** Lists the ids of the events that wrote some rows at the time of an event: it comes after them in the log. */
const idsAtTimeOf = (
  event: VariantEvent | PriceEvent,
  rows: readonly (Pick<FieldGroup<unknown>, "version"> | undefined)[],
): readonly string[] =>
  rows.flatMap((row) => (row && compareTimes(row.version, event) === 0 ? [row.version.id] : []));

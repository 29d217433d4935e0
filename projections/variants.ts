import type { EventOfType } from "../src/events/event.ts";
import { compareTimes } from "../src/events/time.ts";
import type { PriceGroup } from "../src/offers/price.ts";
import { toRowKey, variantKey } from "../src/read-model/schema/keys.ts";
import type { VariantContent } from "../src/read-model/schema/product-parts.ts";
import type {
  EventVersion,
  FieldGroup,
  PriceRow,
  StockRow,
  VariantListRow,
  VariantRow,
} from "../src/read-model/schema/rows.ts";
import { evolveFieldGroup, versionOf } from "./field-group.ts";
import { evolvePrice } from "./price.ts";
import type { EntityRows, EventOutcome, TextCleaner } from "./projection.ts";
import { buildVariant, listVariantChanges } from "./variant-content.ts";

/** Rows of a product from which its variants are assembled. */
export interface VariantRows {
  readonly list: VariantListRow | undefined;
  /** Variants with events of their own, by id. */
  readonly states: ReadonlyMap<number, VariantRow>;
  price(variant: number): PriceRow | undefined;
  stock(variant: number): StockRow | undefined;
}

/** A variant as all events state it together, active or not. */
export interface AssembledVariant {
  readonly content: VariantContent;
  /** Its own prices; null when it states none. */
  readonly priceGroup: PriceGroup | null;
  /** Its own stock; undefined when it has that of the product. */
  readonly stock: StockRow | undefined;
  /** When its prices last changed, milliseconds since 1970; 0 without prices of its own. */
  readonly pricesChangedAt: number;
  readonly pastChangesAt: readonly number[];
}

/** Assembles the variants of a product: those of its list in sequence, then those stated alone, by id (Contract §9). */
export const assembleVariants = (rows: VariantRows): readonly AssembledVariant[] => {
  const { list, states } = rows;
  const entries = list?.content ?? [];
  const listed = entries.flatMap((entry) => {
    const own = states.get(entry.id);
    const isOwn = own !== undefined && list !== undefined && isLater(own, list);
    const content = isOwn ? own.content : entry;
    const version = isOwn ? own.version : list?.version;
    return content && version ? [assemble(content, version, rows)] : [];
  });
  const listedIds = new Set(entries.map(({ id }) => id));
  const alone = [...states].filter(
    ([id, own]) => !listedIds.has(id) && (!list?.content || isLater(own, list)),
  );
  const sorted = alone.sort(([a], [b]) => a - b);
  return [
    ...listed,
    ...sorted.flatMap(([, { content, version }]) =>
      content ? [assemble(content, version, rows)] : [],
    ),
  ];
};

/** Whether the event of a variant is newer than the list; of equal times, whether it is later in the log. */
const isLater = (own: VariantRow, list: VariantListRow): boolean => {
  const difference = compareTimes(own.version, list.version);
  return difference > 0 || (difference === 0 && own.precededBy === list.version.id);
};

const assemble = (
  content: VariantContent,
  version: EventVersion,
  { price, stock }: VariantRows,
): AssembledVariant => {
  const { id } = content;
  const row = price(id);
  const stated = row?.price;
  const prevails = stated && (!content.priceGroup || isLaterPrice(row, version));
  return {
    content,
    priceGroup: (prevails ? stated.content : content.priceGroup) ?? null,
    stock: stock(id),
    pricesChangedAt: stated?.contentChangedAt ?? 0,
    pastChangesAt: stated?.pastChangesAt ?? [],
  };
};

/** Whether the price entity stated its prices after the event that states the variant. */
const isLaterPrice = ({ price, precededBy = [] }: PriceRow, version: EventVersion): boolean => {
  if (!price) return false;
  const difference = compareTimes(price.version, version);
  return difference > 0 || (difference === 0 && precededBy.includes(version.id));
};

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
  if (evolved.outcome === "applied") rows.variantStates.put(key, { precededBy, ...evolved.row });
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

import { compareTimes } from "../src/events/time.ts";
import type { PriceGroup } from "../src/offers/price.ts";
import type { VariantContent } from "../src/read-model/schema/product-parts.ts";
import type {
  EventVersion,
  PriceRow,
  StockRow,
  VariantListRow,
  VariantRow,
} from "../src/read-model/schema/rows.ts";

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

import type { ShownVariant } from "../../../read-model/reader/offers/offer-reader.ts";
import type { Snapshot } from "../../../read-model/reader/reader.ts";
import type { OffsetPageQuery } from "../../../read-model/schema/queries.ts";
import { formatPrice, pluralize } from "../../format.ts";
import { formatNotices, toNoticeFields } from "./notices.ts";
import { toStateFields, toStockFields } from "./offer-fields.ts";
import { formatOffer, formatStock, lowestWord } from "./offer-text.ts";
import { omitEmpty } from "./omit-empty.ts";
import { toVariantSummary } from "./variant-fields.ts";

/** Variants in the answer for one product. */
const maxMatches = 10;

/** The goods of a product in a list, as data and as text. */
export interface FoundGoods {
  /** Members of the item. Those that say nothing are left out. */
  readonly fields: object;
  /** Price and state of stock. */
  readonly offer: string;
  /** Lines below the product: what a buyer must see, and the variants that match. */
  readonly lines: readonly string[];
}

/** @returns undefined for a product with a price and a stock alone */
export const findGoods = (
  snapshot: Snapshot,
  id: number,
  query: OffsetPageQuery,
): FoundGoods | undefined => {
  const offer = snapshot.hasGoods(id) ? snapshot.productOffer(id) : undefined;
  if (!offer) return undefined;
  const { facts = {}, variantIds = [] } = snapshot.productGoods(id) ?? {};
  const count = variantIds.length;
  const ids = count > 0 ? snapshot.matchedVariants(id, query) : [];
  const matches = ids.slice(0, maxMatches).flatMap((each) => snapshot.variant(id, each) ?? []);
  const more = ids.length - matches.length;
  return {
    fields: omitEmpty({
      ...toStockFields(offer),
      ...toNoticeFields(facts),
      variant_count: count || null,
      matched_variants: matches.map((shown) => toMatch(id, shown)),
      matched_variant_count: ids.length || null,
    }),
    offer: `${lowestWord(offer)}${formatOffer(offer)}, ${formatStock(offer)}`,
    lines: [
      ...formatNotices(facts),
      ...(count > 0 && ids.length === 0 ? [`${pluralize(count, "variant")}: see get_product`] : []),
      ...matches.map((shown) => formatMatch(id, shown)),
      ...(more > 0 ? [`${more} more variants match`] : []),
    ].map((line) => `  ${line}`),
  };
};

const toMatch = (product: number, shown: ShownVariant): object => ({
  ...toVariantSummary(product, shown),
  ...toStateFields(shown.offer),
});

const formatMatch = (product: number, { variant, title, url, offer }: ShownVariant): string => {
  const page = variant.url ? `, ${url}` : "";
  return `- ${product}.${variant.id} ${title}: ${formatPrice(offer.price)}, ${formatStock(offer)}${page}`;
};

import type { ShownVariant } from "../../read-model/reader/offers/offer-reader.ts";
import type { Snapshot } from "../../read-model/reader/reader.ts";
import type { ProductDocument } from "../../read-model/schema/documents.ts";
import type { OffsetPageQuery } from "../../read-model/schema/queries.ts";
import { formatAvailability, formatPrice, joinLines, pluralize } from "../format.ts";
import {
  formatOffer,
  formatState,
  noticeLines,
  omitEmpty,
  readOffer,
  toNoticeFields,
  toStateFields,
  toStockFields,
} from "./offer-answer.ts";
import { toVariantSummary } from "./variant-answer.ts";

/** Variants in the answer for one product. */
const maxMatches = 10;

/** Converts a product that matches a query to data and text, with what a buyer must see and the variants that match. */
export const toFoundProduct = (
  snapshot: Snapshot,
  product: ProductDocument,
  query: OffsetPageQuery,
) => {
  const { id, name, price, availability, url } = product;
  const data = { id, name, price, availability, url };
  const format = (words: string) => `- ${name} (id ${id}): ${words}, ${url}`;
  const offer = readOffer(snapshot, id);
  if (!offer) {
    return { data, text: format(`${formatPrice(price)}, ${formatAvailability(availability)}`) };
  }
  const { facts = {}, variantIds } = snapshot.productGoods(id) ?? {};
  const variants = findVariants(snapshot, id, variantIds?.length ?? 0, query);
  const fields = omitEmpty({
    ...toStockFields(offer),
    ...toNoticeFields(facts),
    ...variants.fields,
  });
  const lines = [...noticeLines(facts), ...variants.lines].map((line) => `  ${line}`);
  const text = joinLines(format(`${formatOffer(offer)}, ${formatState(offer)}`), ...lines);
  return { data: { ...data, ...fields }, text };
};

/** Finds the variants of a product that match. @param count number of its variants */
const findVariants = (snapshot: Snapshot, id: number, count: number, query: OffsetPageQuery) => {
  const ids = count > 0 ? snapshot.matchedVariants(id, query) : [];
  const matches = ids.slice(0, maxMatches).flatMap((each) => snapshot.variant(id, each) ?? []);
  const more = ids.length - matches.length;
  return {
    fields: {
      variant_count: count || null,
      matched_variants: matches.map((shown) => ({
        ...toVariantSummary(id, shown),
        ...toStateFields(shown.offer),
      })),
      matched_variant_count: ids.length || null,
    },
    lines: [
      ...(count > 0 && ids.length === 0 ? [`${pluralize(count, "variant")}: see get_product`] : []),
      ...matches.map((shown) => formatMatch(id, shown)),
      ...(more > 0 ? [`${more} more variants match`] : []),
    ],
  };
};

const formatMatch = (product: number, { variant, title, url, offer }: ShownVariant): string => {
  const page = variant.url ? `, ${url}` : "";
  return `- ${product}.${variant.id} ${title}: ${formatPrice(offer.price)}, ${formatState(offer)}${page}`;
};

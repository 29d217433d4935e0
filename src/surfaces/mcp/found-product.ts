import type { Product } from "../../read-model/reader/product.ts";
import type { ShownVariant } from "../../read-model/reader/variants.ts";
import { formatPrice, joinLines, pluralize } from "../format.ts";
import {
  formatOffer,
  formatState,
  noticeLines,
  omitEmpty,
  toListedOfferFields,
  toNoticeFields,
  toStateFields,
} from "./offer-answer.ts";
import { toVariantSummary } from "./variant-answer.ts";

/** Variants in the answer for one product. */
const maxMatches = 10;

/**
 * Converts a product that matches a query to data and text, with what a buyer must see and the variants that match.
 * @param matched ids of these variants
 */
export const toFoundProduct = (product: Product, matched: readonly number[]) => {
  const { id, text, offer } = product;
  const { name, url, facts } = text;
  const { price, availability } = offer;
  const variants = showMatched(product, matched);
  const data = {
    id,
    name,
    price,
    availability,
    url,
    ...omitEmpty(toListedOfferFields(offer), toNoticeFields(facts), variants.fields),
  };
  const words = `- ${name} (id ${id}): ${formatOffer(offer)}, ${formatState(offer)}, ${url}`;
  const lines = [...noticeLines(facts), ...variants.lines].map((line) => `  ${line}`);
  return { data, text: joinLines(words, ...lines) };
};

const showMatched = ({ variants }: Product, ids: readonly number[]) => {
  const count = variants?.ids.length ?? 0;
  const matches = ids.slice(0, maxMatches).flatMap((id) => variants?.find(id) ?? []);
  const more = ids.length - matches.length;
  return {
    fields: {
      variant_count: count || null,
      matched_variants: matches.map((shown) => ({
        ...toVariantSummary(shown),
        ...omitEmpty(toStateFields(shown.offer)),
      })),
      matched_variant_count: ids.length || null,
    },
    lines: [
      ...(count > 0 && ids.length === 0 ? [`${pluralize(count, "variant")}: see get_product`] : []),
      ...matches.map(formatMatch),
      ...(more > 0 ? [`${more} more variants match`] : []),
    ],
  };
};

const formatMatch = ({ productId, id, variant, title, url, offer }: ShownVariant): string => {
  const page = variant.url ? `, ${url}` : "";
  return `- ${productId}.${id} ${title}: ${formatPrice(offer.price)}, ${formatState(offer)}${page}`;
};

import type { Snapshot } from "../../../read-model/reader/reader.ts";
import type { ProductDocument } from "../../../read-model/schema/documents.ts";
import type { OffsetPageQuery } from "../../../read-model/schema/queries.ts";
import { formatAvailability, formatPrice, type Price, pluralize } from "../../format.ts";
import { isPlainStatus } from "./offer-fields.ts";
import { toVariantSummary } from "./variant-fields.ts";

/** Variants in the answer for one product. */
const maxMatches = 10;

interface GoodsItem {
  readonly list_price?: Price;
  readonly discount_percent?: number;
  readonly stock_status?: string;
  readonly variant_count?: number;
  readonly matched_variants?: readonly ReturnType<typeof toVariantSummary>[];
  readonly matched_variant_count?: number;
}

/** Converts the goods of a product in a list to members of an answer. Members that say nothing are left out. */
export const toGoodsItem = (
  snapshot: Snapshot,
  { id }: ProductDocument,
  query: OffsetPageQuery,
): GoodsItem => {
  const offer = snapshot.hasGoods(id) ? snapshot.productOffer(id) : undefined;
  if (!offer) return {};
  const count = snapshot.productGoods(id)?.variantIds.length ?? 0;
  const ids = count > 0 ? snapshot.matchedVariants(id, query) : [];
  const matched = ids.slice(0, maxMatches).flatMap((variant) => {
    const shown = snapshot.variant(id, variant);
    return shown ? [toVariantSummary(id, shown)] : [];
  });
  return {
    ...(offer.listPrice && { list_price: offer.listPrice }),
    ...(offer.discountPercent !== null && { discount_percent: offer.discountPercent }),
    ...(!isPlainStatus(offer) && { stock_status: offer.stock.status }),
    ...(count > 0 && { variant_count: count }),
    ...(matched.length > 0 && { matched_variants: matched, matched_variant_count: ids.length }),
  };
};

/** Formats the matched variants of a product, a line each. */
export const formatMatches = ({
  variant_count: count = 0,
  matched_variants: matched = [],
  matched_variant_count: total = 0,
}: GoodsItem): readonly string[] => [
  ...(count > 0 && total === 0 ? [`  ${pluralize(count, "variant")}: see get_product`] : []),
  ...matched.map(
    ({ id, title, price, availability }) =>
      `  - ${id} ${title}: ${formatPrice(price)}, ${formatAvailability(availability)}`,
  ),
  ...(total > matched.length ? [`  ${total - matched.length} more variants match`] : []),
];

import { type GoodsPolicy, toGoodsPolicy } from "../../../offers/policy.ts";
import type { ProductOffer } from "../../../read-model/reader/offers/offer-reader.ts";
import { type JsonMembers, parseMember } from "../../../read-model/reader/product-json.ts";
import type { Snapshot } from "../../../read-model/reader/reader.ts";
import type {
  Availability,
  ProductDocument,
  ProductGoods,
} from "../../../read-model/schema/documents.ts";
import { section } from "../../../text/markdown/blocks.ts";
import { factLine, formatFacts } from "./fact-lines.ts";
import { formatMediaAndTags, formatNotices, formatRelated } from "./fact-sections.ts";
import { formatPriceLines, formatUnitPrice, formatUpcomingSales, isSpread } from "./price-words.ts";
import { formatQuantityRule, formatReturns } from "./rules.ts";
import { formatAvailabilityLine } from "./stock-words.ts";
import { formatVariantTable } from "./variant-table.ts";

/** The parts of a product page that variants, prices, stock and facts add. Each is Markdown, or empty. */
export interface GoodsParts {
  /** Lines of facts before the identity, in place of price and availability. */
  readonly offer: readonly string[];
  /** Lines of facts after the identity. */
  readonly facts: readonly string[];
  /** Sections before the description. */
  readonly notices: string;
  /** Section after the description. */
  readonly variants: string;
  /** Section after the specifications. */
  readonly related: string;
  /** Sections after the images. */
  readonly mediaAndTags: string;
}

/** Reads the goods parts of a page. @returns undefined for a product that has none */
export const readGoodsParts = (
  snapshot: Snapshot,
  baseUrl: string,
  product: JsonMembers<ProductDocument>,
): GoodsParts | undefined => {
  const id = parseMember(product, "id");
  const offer = snapshot.hasGoods(id) ? snapshot.productOffer(id) : undefined;
  if (!offer) return undefined;
  const policy = toGoodsPolicy(snapshot.shop()?.goods);
  const { facts, options, variantIds } = snapshot.productGoods(id) ?? noGoods;
  const variants = variantIds.length > 0 ? snapshot.variants(id)?.variants : undefined;
  const table = formatVariantTable(id, options, variants ?? [], policy);
  return {
    offer: formatOfferLines(facts, offer, policy, parseMember(product, "availability")),
    facts: formatFacts(facts),
    notices: formatNotices(facts),
    variants: section("Variants", table) ?? "",
    related: formatRelated(snapshot, baseUrl, id),
    mediaAndTags: formatMediaAndTags(facts),
  };
};

const noGoods: ProductGoods = { facts: {}, options: [], variantIds: [] };

/** Formats what a buyer decides by. A minimum age is first, because it can stop a purchase. */
const formatOfferLines = (
  facts: ProductGoods["facts"],
  offer: ProductOffer,
  policy: GoodsPolicy,
  availability: Availability,
): readonly string[] => {
  const { condition, delivery, minimumAge } = facts;
  const returns = facts.returns ?? policy.returns;
  return [
    ...factLine("Minimum age", minimumAge ? `${minimumAge} years` : null),
    ...formatPriceLines(offer, policy),
    ...factLine(unitPriceName(offer), formatUnitPrice(offer)),
    // The sales of variants are in their table.
    ...(offer.featured === null ? formatUpcomingSales(offer, policy) : []).flatMap((sale) =>
      factLine("Sale to come", sale),
    ),
    formatAvailabilityLine(availability, offer.stock, policy.timeZone),
    ...factLine("Condition", condition === "new" ? null : condition),
    ...factLine("Pieces per purchase", formatQuantityRule(offer.quantityRule)),
    ...factLine("Delivery", delivery === "physical" ? null : delivery),
    ...factLine("Returns", returns && formatReturns(returns)),
  ];
};

/** Names a unit price. One of several prices has that of the lowest. */
const unitPriceName = ({ range }: ProductOffer): string =>
  isSpread(range) ? "Unit price at the lowest price" : "Unit price";

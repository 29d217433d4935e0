import { toGoodsPolicy } from "../../../offers/policy.ts";
import { toScaledRating } from "../../../offers/rating.ts";
import type { ProductGoods } from "../../../read-model/schema/documents.ts";
import { formatPrice, joinLines, pluralize } from "../../format.ts";
import {
  formatOffer,
  formatQuantityRule,
  formatStock,
  formatUpcomingSale,
  formatVariant,
} from "./offer-text.ts";
import type { GoodsSource } from "./product-fields.ts";

/** The lines of `get_product` about prices and stock, in place of those of a product with a price alone. */
export const formatPriceAndStock = ({ offer, shop }: GoodsSource): string => {
  const { range } = offer;
  const isSpread = range && range.min.amount !== range.max.amount;
  return joinLines(
    `Price: ${formatOffer(offer, toGoodsPolicy(shop?.goods).taxIncluded)}`,
    isSpread
      ? `Prices of the variants: ${formatPrice(range.min)} to ${formatPrice(range.max)}`
      : "",
    ...offer.upcomingSales.map(formatUpcomingSale),
    `Availability: ${formatStock(offer)}`,
    offer.quantityRule ? formatQuantityRule(offer.quantityRule) : undefined,
  );
};

/** The other lines of `get_product` about goods; warnings come first, because a buyer must see them. */
export const formatGoods = (source: GoodsSource): string => {
  const { id, goods, variants, shop } = source;
  const facts = goods?.facts ?? {};
  const rating = toScaledRating(facts.rating);
  const returns = facts.returns ?? toGoodsPolicy(shop?.goods).returns;
  return joinLines(
    facts.minimumAge ? `Minimum age: ${facts.minimumAge}` : undefined,
    ...(facts.warnings ?? []).map(({ text }) => `Warning: ${text}`),
    facts.condition && facts.condition !== "new" ? `Condition: ${facts.condition}` : undefined,
    facts.mpn ? `MPN: ${facts.mpn}` : undefined,
    rating && `Rating: ${rating.value} of ${rating.best} (${pluralize(rating.count, "rating")})`,
    returns ? `Returns: ${formatReturns(returns)}` : undefined,
    facts.energyLabel ? formatEnergyLabel(facts.energyLabel) : undefined,
    ...(facts.highlights ?? []).map((highlight) => `* ${highlight}`),
    ...(facts.related ?? []).map(
      ({ productId, relationship }) =>
        `Related (${relationship.replaceAll("_", " ")}): id ${productId}`,
    ),
    ...(goods?.options ?? []).map(
      ({ name, values }) => `${name}: ${values.map(({ value }) => value).join(", ")}`,
    ),
    ...variants.variants.map((variant) => formatVariant(id, variant)),
    variants.hasNextPage
      ? `${variants.variants.length} of ${pluralize(variants.total, "variant")}: continue with variant_offset.`
      : undefined,
  );
};

const formatReturns = ({
  accepted,
  days,
  fees,
}: NonNullable<ProductGoods["facts"]["returns"]>): string => {
  if (!accepted) return "not accepted";
  const details = [
    days == null ? undefined : `within ${pluralize(days, "day")}`,
    fees === "free"
      ? "free of charge"
      : fees === "customer"
        ? "at the customer's expense"
        : undefined,
  ].filter(Boolean);
  return ["accepted", ...details].join(", ");
};

const formatEnergyLabel = ({
  class: own,
  scale,
}: NonNullable<ProductGoods["facts"]["energyLabel"]>): string =>
  `Energy class: ${own}${scale ? ` on a scale from ${scale.join(" to ")}` : ""}`;

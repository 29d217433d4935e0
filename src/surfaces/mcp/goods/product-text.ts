import type { EnergyLabel } from "../../../events/goods.ts";
import { toGoodsPolicy } from "../../../offers/policy.ts";
import { toScaledRating } from "../../../offers/rating.ts";
import { formatPrice, joinLines, pluralize } from "../../format.ts";
import { isSpread } from "../../markdown/goods/price-words.ts";
import { formatReturns } from "../../markdown/goods/rules.ts";
import { countFitting } from "../text-bound.ts";
import { formatNotices } from "./notices.ts";
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
  return joinLines(
    `Price: ${formatOffer(offer, toGoodsPolicy(shop?.goods).taxIncluded)}`,
    range && isSpread(range)
      ? `Prices of the variants: ${formatPrice(range.min)} to ${formatPrice(range.max)}`
      : "",
    ...offer.upcomingSales.map(formatUpcomingSale),
    `Availability: ${formatStock(offer)}`,
    offer.quantityRule ? formatQuantityRule(offer.quantityRule) : undefined,
  );
};

/** The lines of `get_product` about facts and options; what a buyer must see comes first. */
export const formatGoods = ({ goods, shop }: GoodsSource): string => {
  const facts = goods?.facts ?? {};
  const { condition, delivery, mpn, releaseDate, manufacturer, responsiblePerson } = facts;
  const rating = toScaledRating(facts.rating);
  const returns = facts.returns ?? toGoodsPolicy(shop?.goods).returns;
  return joinLines(
    ...formatNotices(facts),
    formatLine("Condition", condition),
    formatLine("Delivery", delivery),
    formatLine("Release date", releaseDate),
    formatLine("MPN", mpn),
    rating && `Rating: ${rating.value} of ${rating.best} (${pluralize(rating.count, "rating")})`,
    formatLine("Returns", returns && formatReturns(returns)),
    formatLine("Manufacturer", manufacturer),
    formatLine("Responsible person", responsiblePerson),
    formatLine("Energy class", facts.energyLabel && formatEnergyLabel(facts.energyLabel)),
    ...(facts.highlights ?? []).map((highlight) => `* ${highlight}`),
    formatLine("Tags", facts.tags),
    ...(facts.media ?? []).map((media) => formatLine("Media", media)),
    ...(facts.related ?? []).map(
      ({ productId, relationship }) =>
        `Related (${relationship.replaceAll("_", " ")}): id ${productId}`,
    ),
    ...(goods?.options ?? []).map(
      ({ name, values }) => `Option ${name}: ${values.map(({ value }) => value).join(", ")}`,
    ),
  );
};

/** Formats as many variants of the page as fit, and names the call for the others. */
export const formatVariants = ({ id, variants, offset }: GoodsSource): string => {
  const lines = variants.variants.map((variant) => formatVariant(id, variant));
  const shown = lines.slice(0, countFitting(lines));
  const next = offset + shown.length;
  const more = variants.total - next;
  return joinLines(
    ...shown,
    shown.length > 0 && more > 0
      ? `${pluralize(more, "more variant")} of ${variants.total}: continue with variant_offset ${next}.`
      : undefined,
  );
};

const formatLine = (name: string, value: unknown): string | undefined =>
  value ? `${name}: ${formatValue(value)}` : undefined;

/** Formats the members of a value on one line. */
const formatValue = (value: unknown): string =>
  typeof value === "object" && value !== null
    ? Object.values(value).filter(Boolean).map(formatValue).join(", ")
    : String(value);

/** Formats an energy class with its scale, because the class alone may not be advertised. */
const formatEnergyLabel = ({ class: own, scale, labelUrl, sheetUrl, eprelId }: EnergyLabel) =>
  formatValue([
    `${own}${scale ? ` on a scale from ${scale.join(" to ")}` : ""}`,
    ...[labelUrl, sheetUrl, eprelId && `EPREL ${eprelId}`],
  ]);

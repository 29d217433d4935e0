import type { ProductFacts } from "../../events/goods.ts";
import type { GoodsPolicy } from "../../offers/policy.ts";
import type { ProductOffer } from "../../read-model/reader/offers/offer-reader.ts";
import { factLine, formatQuantityRule, formatReturns, minimumAgeLine } from "./facts.ts";
import { formatUnitPrice, formatUpcomingSales, isSpread, priceLines } from "./price.ts";
import type { Style } from "./style.ts";

/** What a buyer decides by. */
export interface OfferSource {
  readonly offer: ProductOffer;
  readonly facts: ProductFacts;
  readonly policy: GoodsPolicy;
}

/** Formats what a buyer decides by as lines. A minimum age is first, because it can stop a purchase. */
export const offerLines = (
  { offer, facts, policy }: OfferSource,
  availability: string,
  style: Style,
): readonly string[] => {
  const returns = facts.returns ?? policy.returns;
  return [
    ...minimumAgeLine(facts),
    ...priceLines(offer, policy, style),
    ...factLine(unitPriceName(offer), formatUnitPrice(offer, style)),
    ...formatUpcomingSales(offer, style).flatMap((sale) => factLine("Sale to come", sale)),
    ...factLine("Availability", availability),
    ...factLine("Condition", facts.condition),
    ...factLine("Pieces per purchase", formatQuantityRule(offer.quantityRule)),
    ...factLine("Delivery", facts.delivery),
    ...factLine("Returns", returns && formatReturns(returns, style)),
  ];
};

/** Names a unit price. One of several prices has that of the lowest. */
const unitPriceName = ({ range }: ProductOffer): string =>
  isSpread(range) ? "Unit price at the lowest price" : "Unit price";

import type { ProductFacts } from "../../events/product-facts.ts";
import type { OfferPolicy } from "../../offers/policy.ts";
import type { Offer } from "../../read-model/reader/offer.ts";
import { factLine, formatQuantityRule, formatReturns, minimumAgeLine } from "./facts.ts";
import { formatUnitPrice, formatUpcomingSales, isSpread, priceLines } from "./price.ts";
import type { Style } from "./style.ts";

/** What a buyer decides by. */
export interface OfferWords {
  readonly offer: Offer;
  readonly facts: ProductFacts;
  readonly policy: OfferPolicy;
}

/** Formats what a buyer decides by as lines. A minimum age is first, because it can stop a purchase. */
export const offerLines = (
  { offer, facts, policy }: OfferWords,
  stock: string,
  style: Style,
): readonly string[] => {
  const returns = facts.returns ?? policy.returns;
  return [
    ...minimumAgeLine(facts),
    ...priceLines(offer, policy, style),
    ...factLine(unitPriceName(offer), formatUnitPrice(offer, style)),
    ...formatUpcomingSales(offer, style).flatMap((sale) => factLine("Sale to come", sale)),
    ...factLine("Availability", stock),
    ...factLine("Condition", facts.condition),
    ...factLine("Pieces per purchase", formatQuantityRule(offer.quantityRule)),
    ...factLine("Delivery", facts.delivery),
    ...factLine("Returns", returns && formatReturns(returns, style)),
  ];
};

/** Names a unit price. One of several prices has that of the lowest. */
const unitPriceName = ({ range }: Offer): string =>
  isSpread(range) ? "Unit price at the lowest price" : "Unit price";

import type { ProductFacts } from "../../events/product-facts.ts";
import type { OfferPolicy } from "../../offers/policy.ts";
import type { Offer } from "../../read-model/reader/offer.ts";
import type { MemberOn } from "../product-members.ts";
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
export const offerLines = (words: OfferWords, stock: string, style: Style): readonly string[] =>
  Object.values(writers).flatMap((write) => write(words, style, stock));

/** Names the line of a sale that begins later. */
export const upcomingSaleName = "Sale to come";

type Write = (words: OfferWords, style: Style, stock: string) => readonly string[];

/** Members in the sequence of their lines. */
const writers: Readonly<Record<MemberOn<"offer">, Write>> = {
  minimumAge: ({ facts }) => minimumAgeLine(facts),
  price: ({ offer, policy }, style) => priceLines(offer, policy, style),
  unitPrice: ({ offer }, style) => factLine(unitPriceName(offer), formatUnitPrice(offer, style)),
  upcomingSales: ({ offer }, style) =>
    formatUpcomingSales(offer, style).flatMap((sale) => factLine(upcomingSaleName, sale)),
  availability: (_words, _style, stock) => factLine("Availability", stock),
  condition: ({ facts }) => factLine("Condition", facts.condition),
  quantityRule: ({ offer }) =>
    factLine("Pieces per purchase", formatQuantityRule(offer.quantityRule)),
  delivery: ({ facts }) => factLine("Delivery", facts.delivery),
  returns({ facts, policy }, style) {
    const returns = facts.returns ?? policy.returns;
    return factLine("Returns", returns && formatReturns(returns, style));
  },
};

/** Names a unit price. One of several prices has that of the lowest. */
const unitPriceName = ({ range }: Offer): string =>
  isSpread(range) ? "Unit price at the lowest price" : "Unit price";

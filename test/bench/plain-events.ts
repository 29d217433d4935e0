import type { CloudEvent } from "../../src/events/envelope.ts";
import type { ProductData } from "../../src/events/event.ts";
import type { PolicySettings, PriceMembers, ProductFacts } from "../../src/events/product-facts.ts";
import type { StockContent } from "../../src/read-model/schema/rows.ts";

/** Members that say more of a product than its texts, one price and one stock. */
type GoodsMember =
  | keyof ProductFacts
  | Exclude<keyof PolicySettings, "pricesVisible">
  | Exclude<keyof PriceMembers, "price">
  | Exclude<keyof StockContent, "orderable">
  | keyof Pick<ProductData, "variants">;

const goodsMembers: Readonly<Record<GoodsMember, true>> = {
  ...{ listPrice: true, priorPrice: true, sales: true, options: true, variants: true },
  ...{ mpn: true, condition: true, quantityRule: true, unitPricing: true, rating: true },
  ...{ related: true, releaseDate: true, delivery: true, tags: true, highlights: true },
  ...{ minimumAge: true, warnings: true, returns: true, manufacturer: true },
  ...{ responsiblePerson: true, energyLabel: true, media: true },
  ...{ availability: true, availabilityDate: true },
  ...{ listPriceKind: true, taxIncluded: true, quantityVisible: true, lowStockThreshold: true },
  ...{ upcomingSales: true, country: true, timeZone: true },
};

/** Leaves variants, sales and facts out of events, so that the benches compare what their peers do too. */
export const toPlainEvents = (events: readonly CloudEvent[]): readonly CloudEvent[] =>
  events.filter((event) => !isOfVariant(event)).map(withoutGoods);

const isOfVariant = ({ type, data }: CloudEvent): boolean =>
  type.startsWith("shop.variant.") || Object.hasOwn(data as object, "variantId");

const withoutGoods = (event: CloudEvent): CloudEvent => ({
  ...event,
  data: Object.fromEntries(
    Object.entries(event.data as object).filter(([name]) => !Object.hasOwn(goodsMembers, name)),
  ),
});

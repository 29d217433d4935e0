import type { QuantityRule, Sale, UnitPricing } from "../../events/product-facts.ts";
import { defaultPolicy, type OfferPolicy } from "../../offers/policy.ts";
import {
  discountPercent,
  type ListPriceKind,
  listPriceKindOf,
  noPrice,
  type PriceGroup,
  type ShownPrice,
  upcomingSales,
} from "../../offers/price.ts";
import type { PricePeriod } from "../../offers/price-periods.ts";
import { type ShownStock, stockAt } from "../../offers/stock.ts";
import { type UnitPrice, unitPrice } from "../../offers/unit-price.ts";
import type { Availability, OfferRow, ShopDocument } from "../schema/documents.ts";
import type { SearchView } from "../search/query/search-context.ts";

/** What a read depends on in addition to the stored rows. */
export interface View extends SearchView {
  readonly policy: OfferPolicy;
}

/** @param shop undefined until the first event with the shop's settings */
export const toView = (instant: number, shop: ShopDocument | undefined): View => ({
  instant,
  language: shop?.language,
  policy: shop ?? defaultPolicy,
});

/** What is shown of the prices and the stock of a product or variant at an instant. */
export interface Offer extends ShownPrice {
  readonly listPriceKind: ListPriceKind | null;
  readonly discountPercent: number | null;
  readonly unitPrice: UnitPrice | null;
  /** Sales as stated, past and to come, where the shop shows those to come. */
  readonly statedSales: readonly Sale[];
  /** Sales that begin later, where the shop shows them. */
  readonly upcomingSales: readonly Sale[];
  readonly availability: Availability;
  readonly stock: ShownStock;
  readonly quantityRule: QuantityRule | null;
  /** Lowest and highest price of the variants of a product; null without variants. */
  readonly range: PricePeriod["range"];
  /** The variant whose price a product shows, the first that can be ordered while prices are hidden; null without variants. */
  readonly featured: number | null;
}

/** What an offer is evaluated from. Its functions are called only for the members that need them. */
export interface OfferSource {
  readonly shown: ShownPrice & Pick<Offer, "range">;
  readonly stock: ShownStock;
  /** The variant whose price a product shows; null of a variant, and without variants. */
  readonly featured: number | null;
  /** The variant that a product shows while prices are hidden. */
  firstOrderable?(): number | null;
  /** Prices as stated; undefined without sales. */
  priceGroup(): PriceGroup | undefined;
  /** Members that the texts of the product or variant have. */
  texts(): OfferTexts;
}

export interface OfferTexts {
  readonly unitPricing?: UnitPricing | null | undefined;
  readonly quantityRule?: QuantityRule | null | undefined;
}

export const offerAt = (source: OfferSource, view: View): Offer => new OfferAtInstant(source, view);

/** A class, because in V8 an object with accessors takes longer than all of them. */
class OfferAtInstant implements Offer {
  readonly price: Offer["price"];
  readonly listPrice: Offer["listPrice"];
  readonly priorPrice: Offer["priorPrice"];
  readonly sale: Offer["sale"];
  readonly range: Offer["range"];
  readonly listPriceKind: Offer["listPriceKind"];
  readonly availability: Availability;
  readonly stock: ShownStock;
  private readonly source: OfferSource;
  private readonly view: View;
  private discount: number | null | undefined;

  constructor(source: OfferSource, view: View) {
    const { instant, policy } = view;
    const shown = policy.pricesVisible ? source.shown : hiddenPrices;
    this.price = shown.price;
    this.listPrice = shown.listPrice;
    this.priorPrice = shown.priorPrice;
    this.sale = shown.sale;
    this.range = shown.range;
    this.listPriceKind = listPriceKindOf(shown, policy.listPriceKind);
    this.availability = source.stock.orderable ? "IN_STOCK" : "OUT_OF_STOCK";
    this.stock = stockAt(source.stock, policy, instant);
    this.source = source;
    this.view = view;
    this.discount = undefined;
  }

  get discountPercent(): number | null {
    if (this.discount === undefined)
      this.discount = discountPercent(this, this.view.policy.listPriceKind);
    return this.discount;
  }

  get unitPrice(): UnitPrice | null {
    const { unitPricing } = this.price ? this.source.texts() : noTexts;
    return (this.price && unitPricing && unitPrice(this.price, unitPricing)) ?? null;
  }

  get statedSales(): readonly Sale[] {
    return this.shownGroup()?.sales ?? [];
  }

  get upcomingSales(): readonly Sale[] {
    const priceGroup = this.shownGroup();
    return priceGroup ? upcomingSales(priceGroup, this.view.instant) : [];
  }

  private shownGroup(): PriceGroup | undefined {
    const areShown = this.price && this.view.policy.upcomingSales === "shown";
    return areShown ? this.source.priceGroup() : undefined;
  }

  get quantityRule(): QuantityRule | null {
    return this.source.texts().quantityRule ?? null;
  }

  get featured(): number | null {
    const { source, view } = this;
    return view.policy.pricesVisible ? source.featured : (source.firstOrderable?.() ?? null);
  }
}

const hiddenPrices = { ...noPrice, range: null };
const noTexts: OfferTexts = {};

/** When an offer changed, also without an event, and when it changes next; milliseconds since 1970. */
export interface OfferDates {
  /** Last change of the prices, or of what the variants are. */
  readonly changedAt: number;
  /** Last change of what the page shows of them and of the stock. */
  readonly shownAt: number;
  /** Infinite when nothing changes without an event. */
  readonly nextChange: number;
}

/** Dates an offer by its events, and by the instants that have passed since. */
export const offerDatesAt = ({ changedAt, shownAt, changes }: OfferRow, view: View): OfferDates => {
  if (!changes) return { changedAt, shownAt, nextChange: Number.POSITIVE_INFINITY };
  const [prices, dates] = [
    priceChangeAt(changes.changesAt, view),
    changeAt(changes.dateChangesAt, view),
  ];
  return {
    changedAt: Math.max(changedAt, prices.last),
    shownAt: Math.max(shownAt, prices.last, dates.last),
    nextChange: Math.min(prices.next, dates.next),
  };
};

interface Change {
  /** 0 when none has passed. */
  readonly last: number;
  readonly next: number;
}

/** Finds the change of prices before an instant and the next one. Hidden prices change no page. */
export const priceChangeAt = (changesAt: readonly number[], view: View): Change =>
  changeAt(view.policy.pricesVisible ? changesAt : [], view);

/** @param changesAt ascending */
const changeAt = (changesAt: readonly number[], { instant }: View): Change => ({
  last: changesAt.findLast((at) => at <= instant) ?? 0,
  next: changesAt.find((at) => at > instant) ?? Number.POSITIVE_INFINITY,
});

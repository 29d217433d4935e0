import type { Money } from "../events/event.ts";
import type { Sale } from "../events/product-facts.ts";
import { isLower, percentOff } from "./amounts.ts";
import { toInstant } from "./instants.ts";
import type { OfferPolicy } from "./policy.ts";

/** The price group of a product or variant, as events stated it. */
export interface PriceGroup {
  readonly price: Money | null;
  readonly listPrice: Money | null;
  readonly priorPrice: Money | null;
  readonly sales: readonly Sale[];
}

export const emptyPriceGroup: PriceGroup = {
  price: null,
  listPrice: null,
  priorPrice: null,
  sales: [],
};

/** What is shown of a price group at an instant. */
export interface ShownPrice {
  readonly price: Money | null;
  /** The price that is struck through. */
  readonly listPrice: Money | null;
  /** The lowest price of the 30 days before the reduction. */
  readonly priorPrice: Money | null;
  /** The sale in force. */
  readonly sale: Sale | null;
}

export const noPrice: ShownPrice = { price: null, listPrice: null, priorPrice: null, sale: null };

/** Evaluates a price group at an instant (Contract §9, Prices at an instant). */
export const priceAt = (group: PriceGroup, instant: number): ShownPrice => {
  const { price, listPrice } = group;
  if (!price) return noPrice;
  const priorPrice = group.priorPrice?.currency === price.currency ? group.priorPrice : null;
  const sale = group.sales.find((each) => isInForce(each, instant) && isLower(each.price, price));
  if (sale) return { price: sale.price, listPrice: price, priorPrice, sale };
  const list = listPrice && isLower(price, listPrice) ? listPrice : null;
  return { price, listPrice: list, priorPrice: list && priorPrice, sale: null };
};

const isInForce = ({ from, to }: Sale, instant: number): boolean =>
  (from == null || toInstant(from) <= instant) && (to == null || instant < toInstant(to));

/** Lists the instants at which the shown price may change, ascending. */
export const findPriceChanges = ({ sales }: PriceGroup): readonly number[] => {
  const times = sales.flatMap(({ from, to }) => [from, to]);
  const instants = times.flatMap((time) => (time == null ? [] : [toInstant(time)]));
  return [...new Set(instants)].sort((a, b) => a - b);
};

/** The prices of a variant: a variant without prices has those of its product, and one without a price its base price. */
export const variantPriceGroup = (own: PriceGroup | null, product: PriceGroup): PriceGroup =>
  !own || isEmptyGroup(own) ? product : own.price ? own : { ...own, price: product.price };

export const isEmptyGroup = ({ price, listPrice, priorPrice, sales }: PriceGroup): boolean =>
  price === null && listPrice === null && priorPrice === null && sales.length === 0;

export type ListPriceKind = NonNullable<OfferPolicy["listPriceKind"]>;

/** What a shown list price is; null when there is none, or the shop does not say. */
export const listPriceKindOf = (
  { listPrice, sale }: ShownPrice,
  kind: ListPriceKind | null,
): ListPriceKind | null => (listPrice === null ? null : sale ? "former" : kind);

/** The reduction in percent that may be advertised; null when there is none. */
export const discountPercent = (shown: ShownPrice, kind: ListPriceKind | null): number | null => {
  const { price, listPrice, priorPrice } = shown;
  if (!price || !listPrice) return null;
  if (priorPrice) return percentOff(price, priorPrice) ?? null;
  return listPriceKindOf(shown, kind) === null ? null : (percentOff(price, listPrice) ?? null);
};

/** Lists the sales that will be in force later, in the order of the shop. */
export const upcomingSales = ({ price, sales }: PriceGroup, instant: number): readonly Sale[] =>
  sales.filter(
    ({ price: reduced, from, to }) =>
      price &&
      isLower(reduced, price) &&
      from != null &&
      toInstant(from) > instant &&
      (to == null || toInstant(to) > toInstant(from)),
  );

import { latestOf } from "../src/events/time.ts";
import { toInstant } from "../src/offers/instants.ts";
import { type OfferPolicy, showsQuantities } from "../src/offers/policy.ts";
import {
  emptyPriceGroup,
  type PriceGroup,
  upcomingSales,
  variantPriceGroup,
} from "../src/offers/price.ts";
import { buildTimeline } from "../src/offers/price-periods.ts";
import { availabilityEndsAt, bestStock, type ShownStock } from "../src/offers/stock.ts";
import type { OfferChanges, OfferRow } from "../src/read-model/schema/documents.ts";
import type { PriceRow, StockRow, VariantListRow } from "../src/read-model/schema/rows.ts";
import { currentPrices } from "./price.ts";
import { showStockRow } from "./stock.ts";
import type { AssembledVariant } from "./variants.ts";

/** Rows from which the offer of a product is built. */
export interface OfferRows {
  readonly prices: PriceRow | undefined;
  readonly stock: StockRow | undefined;
  readonly variantList: VariantListRow | undefined;
  /** Active variants. */
  readonly active: readonly AssembledVariant[];
  /** Whether it has variants, active or not. */
  readonly hasVariants: boolean;
  /** When a variant was last stated alone, milliseconds since 1970; 0 when none was. */
  readonly variantsChangedAt: number;
  /** Instants at which prices that a late event replaced changed. */
  readonly pastChangesAt: readonly number[];
}

/** What an offer depends on in addition to the rows of the product. */
export interface OfferContext {
  /** Currency of the shop; undefined until its settings arrive. */
  readonly currency: string | undefined;
  readonly policy: OfferPolicy;
}

/** Builds what prices, stock and time change of a product (Contract §3 and §9). */
export const buildOffer = (rows: OfferRows, context: OfferContext): OfferRow => {
  const { variantList, active, hasVariants, stock } = rows;
  const { policy } = context;
  const prices = currentPrices(rows.prices);
  const priceGroup = prices?.priceGroup ?? emptyPriceGroup;
  const changedAt = latestOf([
    ...[prices?.changedAt ?? 0, rows.variantsChangedAt, variantList?.contentChangedAt ?? 0],
    ...active.map((each) => each.pricesChangedAt),
  ]);
  const stocks = [stock, ...active.map((each) => each.stock)];
  const stockChangedAt = stocks.map((row) => stockTime(row, policy));
  const offers = active.map((each) => ({
    id: each.content.id,
    priceGroup: variantPriceGroup(each.priceGroup, priceGroup),
    stock: showStockRow(each.stock ?? stock, policy),
  }));
  const { periods, changesAt, bounds } = buildTimeline(priceGroup, offers, context.currency);
  const own = showStockRow(stock, policy);
  const shownStocks = hasVariants ? offers.map((each) => each.stock) : [own];
  const shownGroups = offers.length > 0 ? offers.map((each) => each.priceGroup) : [priceGroup];
  const hasUpcomingSales = policy.upcomingSales === "shown" && priceGroup.sales.length > 0;
  const changes = {
    priceGroup: hasUpcomingSales ? priceGroup : null,
    changesAt: ascending([
      ...changesAt,
      ...rows.pastChangesAt,
      ...listUpcomingChanges(shownGroups, policy),
    ]),
    bounds,
    dateChangesAt: listDateChanges(shownStocks, policy),
    hasVariants,
  };
  const offer = {
    changedAt,
    shownAt: latestOf([changedAt, ...stockChangedAt]),
    stock: hasVariants ? bestStock(shownStocks) : own,
    periods,
  };
  return isPlain(priceGroup, changes) ? offer : { changes, ...offer };
};

/** Whether price and stock hold for all time, so that nothing else is stored of the offer. */
const isPlain = (
  { listPrice, priorPrice, sales }: PriceGroup,
  { changesAt, dateChangesAt, hasVariants }: OfferChanges,
): boolean =>
  !listPrice &&
  !priorPrice &&
  sales.length + changesAt.length + dateChangesAt.length === 0 &&
  !hasVariants;

/** Returns when what is shown of a stock last changed, milliseconds since 1970. */
const stockTime = (row: StockRow | undefined, policy: OfferPolicy): number => {
  const { contentChangedAt = 0, quantityChangedAt = 0 } = row ?? {};
  return showsQuantities(policy) ? Math.max(contentChangedAt, quantityChangedAt) : contentChangedAt;
};

/** Lists when sales begin that are listed before: also where another sale keeps the price as it is. */
const listUpcomingChanges = (
  groups: readonly PriceGroup[],
  { upcomingSales: visibility }: OfferPolicy,
): readonly number[] =>
  visibility === "hidden"
    ? []
    : [...new Set(groups)].flatMap((each) =>
        upcomingSales(each, 0).map(({ from }) => toInstant(from ?? "")),
      );

const ascending = (instants: Iterable<number>): readonly number[] =>
  [...new Set(instants)].sort((a, b) => a - b);

const listDateChanges = (
  stocks: readonly ShownStock[],
  { timeZone }: OfferPolicy,
): readonly number[] =>
  ascending([...new Set(stocks)].flatMap((stock) => availabilityEndsAt(stock, timeZone) ?? []));

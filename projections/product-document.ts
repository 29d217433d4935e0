import { latestOf } from "../src/events/time.ts";
import { toInstant } from "../src/offers/instants.ts";
import { type GoodsPolicy, showsQuantities } from "../src/offers/policy.ts";
import { noTerms, type PriceTerms, upcomingSales, variantTerms } from "../src/offers/price.ts";
import { buildTimeline } from "../src/offers/product-offer.ts";
import { availabilityEdge } from "../src/offers/stock.ts";
import type { ProductDocument, ProductOffers } from "../src/read-model/schema/documents.ts";
import type {
  CoreRow,
  PriceRow,
  StockRow,
  TextRow,
  VariantListRow,
} from "../src/read-model/schema/rows.ts";
import { currentPrices } from "./price.ts";
import type { AssembledVariant } from "./variants.ts";

export interface ProductRows {
  readonly core: CoreRow | undefined;
  readonly prices: PriceRow | undefined;
  readonly stock: StockRow | undefined;
  readonly text: TextRow | undefined;
  readonly variantList: VariantListRow | undefined;
  /** All variants, active or not. */
  readonly variants: readonly AssembledVariant[];
  /** When a variant was last stated alone, milliseconds since 1970; 0 when none was. */
  readonly variantsChangedAt: number;
  /** Instants at which prices that a late event replaced changed. */
  readonly pastEdges: readonly number[];
}

/** What the document depends on in addition to the rows of the product. */
export interface DocumentContext {
  /** Currency of the shop; undefined until its settings arrive. */
  readonly currency: string | undefined;
  readonly policy: GoodsPolicy;
  /** When a category that the product's page names last changed its name, milliseconds since 1970. */
  readonly summaryChangedAt: number;
}

/**
 * Builds the document of a product as lists show it (Contract §3).
 * @returns undefined when the product is not visible: never upserted, inactive or deleted
 */
export const buildProductDocument = (
  id: number,
  rows: ProductRows,
  context: DocumentContext,
): ProductDocument | undefined => {
  const { core, stock, text } = rows;
  const content = core?.group?.content;
  if (!core?.group || !content?.active) return undefined;
  const prices = currentPrices(rows.prices);
  const terms = prices?.terms ?? noTerms;
  const active = rows.variants.filter(isActive);
  const offers = buildOffers(terms, active, rows, context);
  const updatedAt = latestOf([
    ...[core.group.contentChangedAt, prices?.changedAt ?? 0, rows.variantsChangedAt],
    ...[rows.variantList?.contentChangedAt ?? 0, ...active.map((each) => each.pricesChangedAt)],
  ]);
  const stocks = [stock, ...active.map((each) => each.stock)];
  const stockChangedAt = stocks.map((row) => stockTime(row, context.policy));
  const lastmod = latestOf([updatedAt, context.summaryChangedAt, ...stockChangedAt]);
  const document = {
    id,
    name: content.name,
    description: text?.description ?? null,
    url: content.url,
    reference: content.reference,
    gtin: content.gtin,
    brand: content.brand,
    price: offers?.periods[0]?.price ?? terms.price,
    availability: isOrderable(rows) ? ("IN_STOCK" as const) : ("OUT_OF_STOCK" as const),
    updatedAt: new Date(updatedAt).toISOString(),
    lastmod: new Date(lastmod).toISOString(),
  };
  return offers ? { ...document, offers } : document;
};

/** Returns when what is shown of a stock last changed, milliseconds since 1970. */
export const stockTime = (row: StockRow | undefined, policy: GoodsPolicy): number => {
  const { contentChangedAt = 0, quantityChangedAt = 0 } = row ?? {};
  return showsQuantities(policy) ? Math.max(contentChangedAt, quantityChangedAt) : contentChangedAt;
};

const isActive = ({ content }: AssembledVariant): boolean => content.active;

/** A product with variants can be bought when an active one can. */
const isOrderable = ({ stock, variants }: ProductRows): boolean =>
  variants.length === 0
    ? isInStock(stock)
    : variants.some((each) => isActive(each) && isInStock(each.stock ?? stock));

const isInStock = (stock: StockRow | undefined): boolean => stock?.content?.orderable ?? false;

/** @returns undefined when a price and a stock are all that the product has */
const buildOffers = (
  terms: PriceTerms,
  active: readonly AssembledVariant[],
  { stock, variants, pastEdges }: ProductRows,
  { currency, policy }: DocumentContext,
): ProductOffers | undefined => {
  const stocks = variants.length === 0 ? [stock] : active.map((each) => each.stock ?? stock);
  const dateEdges = toDateEdges(stocks, policy);
  const { listPrice, priorPrice, sales } = terms;
  const isPlain = !listPrice && !priorPrice && sales.length === 0;
  const hasNothingElse = pastEdges.length + variants.length === 0 && !saysMore(stock);
  if (isPlain && hasNothingElse) return undefined;
  const lines = active.map((each) => ({
    id: each.content.id,
    terms: variantTerms(each.terms, terms),
    orderable: isInStock(each.stock ?? stock),
  }));
  const { periods, bounds, edges: changes } = buildTimeline(terms, lines, currency);
  const shown = lines.length > 0 ? lines : [{ terms }];
  // A sale to come is listed until it begins, also where another sale keeps the price as it is.
  const listed = new Set(policy.upcomingSales === "shown" ? shown.map((line) => line.terms) : []);
  const starts = [...listed].flatMap((each) =>
    upcomingSales(each, 0).map(({ from }) => from ?? ""),
  );
  const edges = ascending([...changes, ...pastEdges, ...starts.map(toInstant)]);
  return { terms, periods, edges, bounds, dateEdges, hasVariants: variants.length > 0 };
};

const ascending = (edges: Iterable<number>): readonly number[] =>
  [...new Set(edges)].sort((a, b) => a - b);

/** Whether a stock says more than whether the product can be ordered. */
const saysMore = (stock: StockRow | undefined): boolean => {
  const { availability = null, availabilityDate = null } = stock?.content ?? {};
  const isBinary =
    availability === null || availability === "in_stock" || availability === "out_of_stock";
  return !isBinary || availabilityDate !== null;
};

const toDateEdges = (
  stocks: readonly (StockRow | undefined)[],
  { timeZone }: GoodsPolicy,
): readonly number[] => {
  const edges = [...new Set(stocks)].flatMap(
    (row) => (row?.content && availabilityEdge(row.content, timeZone)) ?? [],
  );
  return ascending(edges);
};

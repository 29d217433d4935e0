import { type PricePeriod, periodAt } from "../../offers/price-periods.ts";
import { lazy, memoizeLast } from "../../platform/memo.ts";
import type { OfferRow, ProductText } from "../schema/documents.ts";
import { tables } from "../schema/tables.ts";
import type { ReadTables } from "../store/store.ts";
import { type Offer, offerAt, offerDatesAt, type View } from "./offer.ts";
import {
  type ProductJson,
  parseProduct,
  parseString,
  readDates,
  sliceValue,
} from "./product-json.ts";
import { readVariants, type Variants } from "./variants.ts";

/** A visible product at an instant. Its members are read when they are accessed. */
export interface Product {
  readonly id: number;
  /** Stored JSON of what prices, stock and time do not change. */
  readonly json: ProductJson;
  readonly text: ProductText;
  /** Plain text, markup stripped. */
  readonly description: string | null;
  /** The description as the product's page shows it. */
  readonly markdown: string | null;
  readonly offer: Offer;
  /** Undefined without active variants. */
  readonly variants: Variants | undefined;
  /** ISO 8601: last change of the core, the variants or the prices. */
  readonly updatedAt: string;
  /** ISO 8601: last change of the bytes of the page. */
  readonly lastmod: string;
  /** Instant at which the offer changes without an event, milliseconds since 1970; infinite when it does not. */
  readonly nextChange: number;
}

/** The rows of a product, as a scan gives them. */
export interface ProductRow {
  readonly id: number;
  readonly json: ProductJson;
  readonly offer: OfferRow;
}

/** Reads a visible product. @returns undefined when no visible product has the id */
export const readProduct = (stored: ReadTables, id: number, view: View): Product | undefined => {
  const json = stored.rawJson(tables.products, id);
  if (json === undefined) return assertNotVisible(stored, id);
  const offer = stored.get(tables.offers, id);
  if (!offer) throw stored.missingRow(tables.offers, id);
  return toProduct(stored, { id, json, offer }, view);
};

/**
 * Reads a product that an index row refers to. Index and product are written in one transaction, so a missing product means that the
 * file is damaged.
 * @throws the error of `missingRow` when there is no product
 */
export const requireProduct = (stored: ReadTables, id: number, view: View): Product => {
  const product = readProduct(stored, id, view);
  if (product) return product;
  throw stored.missingRow(tables.products, id);
};

/**
 * Asserts that a product without a row, requested by a client, is not visible.
 * @throws the error of `missingRow` when its core is active, because a visible product has a row
 */
const assertNotVisible = (stored: ReadTables, id: number): undefined => {
  if (stored.get(tables.productCores, id)?.group?.content?.active)
    throw stored.missingRow(tables.products, id);
};

/** Reads products sorted by id. Texts and offers have the same ids, because one transaction writes both. */
export const scanProducts = (
  stored: ReadTables,
  start: number,
  limit: number,
): readonly ProductRow[] => {
  const products = stored.scanProducts({ start, limit });
  const offers = [...stored.entries(tables.offers, { start, limit })];
  return products.map(([id, json], at) => {
    const [offerId, offer] = offers[at] ?? [];
    if (offerId !== id || !offer) throw stored.missingRow(tables.offers, id);
    return { id, json, offer };
  });
};

export const toProduct = (
  stored: ReadTables,
  { id, json, offer: row }: ProductRow,
  view: View,
): Product => {
  const text = lazy(() => parseProduct(json));
  const dates = lazy(() => offerDatesAt(row, view));
  const variants = lazy(() =>
    row.changes?.hasVariants ? readVariants(stored, product, view) : undefined,
  );
  const offer = lazy(() => evaluateOffer(product, row, periodAt(row.periods, view.instant), view));
  const product: Product = {
    id,
    json,
    get text() {
      return text();
    },
    get description() {
      return stored.get(tables.productTexts, id) ?? null;
    },
    get markdown() {
      return stored.get(tables.productPages, id)?.markdown ?? null;
    },
    get offer() {
      return offer();
    },
    get variants() {
      return variants();
    },
    get updatedAt() {
      return toIso(Math.max(readDates(json).changedAt, dates().changedAt));
    },
    get lastmod() {
      return toIso(Math.max(readDates(json).shownAt, dates().shownAt));
    },
    get nextChange() {
      return dates().nextChange;
    },
  };
  return product;
};

/** The last text is kept, because both dates of a product are often one, and those of an import, too. */
const toIso = memoizeLast((time: number) => new Date(time).toISOString());

const evaluateOffer = (product: Product, row: OfferRow, period: PricePeriod, view: View): Offer => {
  const findFeatured = lazy(() =>
    period.featured === null ? undefined : product.variants?.find(period.featured),
  );
  return offerAt(
    {
      shown: period,
      stock: row.stock,
      featured: period.featured,
      firstOrderable: () => product.variants?.firstOrderable() ?? null,
      priceGroup: () => findFeatured()?.priceGroup() ?? row.changes?.priceGroup ?? undefined,
      texts() {
        const { unitPricing, quantityRule } = product.text.facts;
        return { unitPricing: findFeatured()?.variant.unitPricing ?? unitPricing, quantityRule };
      },
    },
    view,
  );
};

const readUrl = sliceValue("url");

/** Reads the URL without parsing the other texts. */
export const urlOf = ({ json }: Pick<Product, "json">): string => parseString(readUrl(json));

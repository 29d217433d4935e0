import type { PriceGroup } from "../../offers/price.ts";
import { type PricePeriod, periodAt } from "../../offers/price-periods.ts";
import { memoizeLast } from "../../platform/memo.ts";
import type { OfferRow, ProductText } from "../schema/documents.ts";
import { tables } from "../schema/tables.ts";
import type { ReadTables } from "../store/store.ts";
import {
  type Offer,
  type OfferDates,
  type OfferSource,
  type OfferTexts,
  offerAt,
  offerDatesAt,
  type View,
} from "./offer.ts";
import {
  type ProductJson,
  parseProduct,
  parseString,
  readDates,
  sliceValue,
} from "./product-json.ts";
import { readVariants, type ShownVariant, type Variants } from "./variants.ts";

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
  const products = stored.scanJson(tables.products, { start, limit });
  const offers = stored.scan(tables.offers, { start, limit });
  return products.map(([id, json], at) => {
    const [offerId, offer] = offers[at] ?? [];
    if (offerId !== id || !offer) throw stored.missingRow(tables.offers, id);
    return { id, json, offer };
  });
};

export const toProduct = (stored: ReadTables, row: ProductRow, view: View): Product =>
  new StoredProduct(stored, row, view);

/** A class, because in V8 an object with accessors takes longer than all of them. */
class StoredProduct implements Product {
  readonly id: number;
  readonly json: ProductJson;
  private readonly stored: ReadTables;
  private readonly row: OfferRow;
  private readonly view: View;
  private parsed: ProductText | undefined;
  private evaluated: Offer | undefined;
  private dated: OfferDates | undefined;
  /** Null until they are read. */
  private shownVariants: Variants | undefined | null;

  constructor(stored: ReadTables, { id, json, offer }: ProductRow, view: View) {
    this.id = id;
    this.json = json;
    this.stored = stored;
    this.row = offer;
    this.view = view;
    this.parsed = undefined;
    this.evaluated = undefined;
    this.dated = undefined;
    this.shownVariants = null;
  }

  get text(): ProductText {
    this.parsed ??= parseProduct(this.json);
    return this.parsed;
  }

  get description(): string | null {
    return this.stored.get(tables.productTexts, this.id) ?? null;
  }

  get markdown(): string | null {
    return this.stored.get(tables.productPages, this.id)?.markdown ?? null;
  }

  get offer(): Offer {
    this.evaluated ??= offerAt(new ProductOffer(this, this.row, this.view.instant), this.view);
    return this.evaluated;
  }

  get variants(): Variants | undefined {
    if (this.shownVariants === null)
      this.shownVariants = this.row.changes?.hasVariants
        ? readVariants(this.stored, this, this.view)
        : undefined;
    return this.shownVariants;
  }

  get updatedAt(): string {
    return toIso(Math.max(readDates(this.json).changedAt, this.dates().changedAt));
  }

  get lastmod(): string {
    return toIso(Math.max(readDates(this.json).shownAt, this.dates().shownAt));
  }

  get nextChange(): number {
    return this.dates().nextChange;
  }

  private dates(): OfferDates {
    this.dated ??= offerDatesAt(this.row, this.view);
    return this.dated;
  }
}

/** The last text is kept, because both dates of a product are often one, and those of an import, too. */
const toIso = memoizeLast((time: number) => new Date(time).toISOString());

/** What the offer of a product is evaluated from. */
class ProductOffer implements OfferSource {
  readonly shown: PricePeriod;
  readonly stock: OfferRow["stock"];
  readonly featured: number | null;
  private readonly product: Product;
  private readonly row: OfferRow;
  private found: ShownVariant | undefined;

  constructor(product: Product, row: OfferRow, instant: number) {
    this.shown = periodAt(row.periods, instant);
    this.stock = row.stock;
    this.featured = this.shown.featured;
    this.product = product;
    this.row = row;
    this.found = undefined;
  }

  firstOrderable(): number | null {
    return this.product.variants?.firstOrderable() ?? null;
  }

  priceGroup(): PriceGroup | undefined {
    return this.featuredVariant()?.priceGroup() ?? this.row.changes?.priceGroup ?? undefined;
  }

  texts(): OfferTexts {
    const { unitPricing, quantityRule } = this.product.text.facts;
    return {
      unitPricing: this.featuredVariant()?.variant.unitPricing ?? unitPricing,
      quantityRule,
    };
  }

  private featuredVariant(): ShownVariant | undefined {
    if (this.featured !== null) this.found ??= this.product.variants?.find(this.featured);
    return this.found;
  }
}

const readUrl = sliceValue("url");

/** Reads the URL without parsing the other texts. */
export const urlOf = ({ json }: Pick<Product, "json">): string => parseString(readUrl(json));

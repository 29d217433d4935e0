import type {
  AgentDocument,
  CarrierDocument,
  CategoryDetail,
  CategoryDocument,
  PageAddress,
  PageDocument,
  PolicyDocument,
  ProductDetail,
  ProductDocument,
  RobotsDocument,
  ShopDocument,
} from "../schema/documents.ts";
import type { CountedCategory } from "./category-tree.ts";
import type { ProductText } from "./product-json.ts";

/** Shop facts that are counted, each kept by the projector: reading them costs the same at any size. */
export interface Counts {
  readonly products: number;
  readonly inStock: number;
  /** Categories with at least one visible product directly in them. */
  readonly stockedCategories: number;
}

/** What narrows a list of products. All of it has to hold; what is left out holds for every product. */
export interface ProductFilters {
  readonly inStockOnly?: boolean;
  /** The category and all below it. */
  readonly categoryId?: number;
  /** Case and accents make no difference. */
  readonly brand?: string;
  /**
   * Decimal amounts in the shop's currency, both included, of at most 15 digits before the point and 6 behind it. A price
   * in another currency is in no range.
   */
  readonly priceMin?: string;
  readonly priceMax?: string;
  readonly ids?: readonly number[];
  /** Separators and case make no difference, nor do zeros that fill up a barcode. */
  readonly reference?: string;
  readonly gtin?: string;
  /** A product's page: its address, or path and query of it. */
  readonly url?: string;
}

/**
 * An order other than by relevance. Products without a price in the shop's currency come last in either order of prices;
 * ties go by id.
 */
export type Sort = "price_asc" | "price_desc" | "name";

/** What a page of products is asked for by. `first` is 0 or more; the caller caps it. */
export interface ProductQuery extends ProductFilters {
  readonly first: number;
  /** A cursor of an earlier page of the same query; undefined begins at the start. */
  readonly after?: string;
  readonly query?: string;
  /** Whether products that match a part of the query do when none matches all of it; false unless given. */
  readonly relax?: boolean;
  /** By relevance, or by id without a query, unless given. */
  readonly sort?: Sort;
}

export interface ProductPage<P = ProductDocument> {
  readonly products: readonly P[];
  /** One per product, same order. */
  readonly cursors: readonly string[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly totalCount: number;
  /** How the query was understood; undefined without one. */
  readonly understood?: Understood;
}

/** How a query was understood. */
export interface Understood {
  /** Words no product has, and what they were taken for. */
  readonly corrected: readonly { readonly word: string; readonly words: readonly string[] }[];
  /** Words that nothing was found for. */
  readonly unknown: readonly string[];
  /** Whether the products match only a part of the query, because none matches all of it. */
  readonly relaxed: boolean;
}

/** A stretch of a listing by offset, as tools ask for it. Both numbers are 0 or more; the caller caps them. */
export interface ListingQuery extends ProductFilters {
  readonly query?: string;
  /** As for a page. */
  readonly relax?: boolean;
  /** `relevance` without a query is the order of ids; with one, ties go to what is in stock, then by id. */
  readonly sort: "relevance" | Sort;
  readonly limit: number;
  readonly offset: number;
}

export interface Listing {
  readonly products: readonly ProductDocument[];
  /** All that match, not just this stretch. */
  readonly total: number;
  /** How the query was understood; undefined without one. */
  readonly understood?: Understood;
}

/** How products spread; the values of most products first, 50 at most. */
export interface Facets {
  readonly brands: readonly { readonly brand: string; readonly count: number }[];
  /** Categories the products are directly in. */
  readonly categories: readonly {
    readonly id: number;
    readonly name: string;
    readonly count: number;
  }[];
  /** Bands of prices in the shop's currency, in ascending order, `max` not included; empty when the shop hides its prices. */
  readonly prices: readonly {
    readonly min: string;
    readonly max: string;
    readonly count: number;
  }[];
}

/** What facets are asked for by: as the products they are told of. */
export type FacetQuery = ProductFilters & Pick<ListingQuery, "query" | "relax">;

/** Products directly in one category, by id. */
export interface CategoryProducts {
  readonly products: readonly ProductDocument[];
  /** Cursor of the page after this one; undefined on the last. */
  readonly next: string | undefined;
}

/** A page, where it is at the shop, and when it last changed. */
export interface PageChange extends PageAddress {
  readonly url: string;
  /** ISO 8601. */
  readonly lastmod: string;
}

/**
 * What pages of the whole shop are made of: its settings; its categories and how many products they hold; its policies,
 * its CMS pages, its carriers.
 */
export type ShopPart = "settings" | "catalogue" | "policies" | "pages" | "carriers";

/** Products, in whichever form a reader is asked for them. */
export interface Products<P> {
  product(id: number): P | undefined;
  /** `undefined` when `after` is no cursor of this query. */
  products(query: ProductQuery): ProductPage<P> | undefined;
}

/** One moment of the model: everything asked of one snapshot belongs to the same checkpoint. */
export interface Snapshot extends Products<ProductDocument> {
  /** Equal in two moments, be it of two generations, of which a sitemap says the same. */
  pagesVersion(): string;
  /** ISO 8601 time of the newest event this moment includes; undefined before the first. */
  lastEventTime(): string | undefined;
  /** ISO 8601: when any of some parts of the shop last changed in what pages of the whole shop show; undefined before that. */
  changedAt(...parts: readonly ShopPart[]): string | undefined;
  /** Undefined until the shop's settings were told. */
  shop(): ShopDocument | undefined;
  counts(): Counts;
  /** Price already null when the shop hides prices. */
  product(id: number): ProductDocument | undefined;
  productDetail(id: number): ProductDetail | undefined;
  /** The same products as they are stored; undefined where that is not as they are shown. */
  texts?(): Products<ProductText> | undefined;
  /** Prices that are hidden neither sort nor filter, here and in pages: a caller says so instead of asking. */
  listing(query: ListingQuery): Listing;
  /** Of all products that match, on whichever page. */
  facets(query: FacetQuery): Facets;
  /** Words of the catalogue that are near those of a query, at most 5: what to ask for when nothing matches. */
  suggestions(query: string): readonly string[];
  /** Ordered by depth, name in the shop's language, id. */
  categories(): readonly CountedCategory[];
  /** The first of `categories`, and how many there are in all: to read them costs the same however many that is. */
  nearestCategories(limit: number): {
    readonly categories: readonly CountedCategory[];
    readonly total: number;
  };
  /** Those of `categories` that are directly below one. */
  subcategories(id: number): readonly CountedCategory[];
  category(id: number): CountedCategory<CategoryDocument> | undefined;
  categoryDetail(id: number): CategoryDetail | undefined;
  /** Visible products directly in a category; `undefined` when `after` is no cursor. */
  categoryProducts(
    id: number,
    page: { readonly first: number; readonly after?: string },
  ): CategoryProducts | undefined;
  /** Every published policy page, by id. */
  policies(): readonly PolicyDocument[];
  page(id: number): PageDocument | undefined;
  /** Active carriers, by id. */
  carriers(): readonly CarrierDocument[];
  /** Undefined until the shop told its robots.txt. */
  robots(): RobotsDocument | undefined;
  agent(label: string): AgentDocument | undefined;
  /** Which thing answers at a path and query, e.g. `/p/42?v=1`. */
  address(pathAndQuery: string): PageAddress | undefined;
}

/** Every visible page of one moment by kind and id, at most `limit` of those behind `after`: a walk that is paged by key. */
export type PageWalk = (stretch: {
  readonly after?: PageAddress | undefined;
  readonly limit: number;
}) => readonly PageChange[];

/** What was read of a moment. */
export interface Footprint {
  /** Whether every question that was asked of the moment would get the same answer now, of the newest commit. */
  isCurrent(): boolean;
}

/** Every question a surface may ask, answered from one generation. */
export interface Reader {
  /**
   * Runs `read` on one moment of the model. `read` must not await.
   * Its footprint is what `read` asked; undefined of a model that cannot tell what changes.
   */
  snapshot<T>(read: (moment: Snapshot, footprint?: Footprint) => T): T;
  /**
   * Runs `read` on the pages of one moment, which is held until it ends: it may await, and should not for long, as the
   * file of the generation grows meanwhile.
   */
  walk<T>(read: (pages: PageWalk) => Promise<T>): Promise<T>;
  /**
   * Until what it returns is called, every snapshot and footprint is of the commit that is the newest now: to ask for
   * a newer one costs more than most look-ups. Absent where there is nothing to hold.
   */
  hold?(): () => void;
}

/** The generation that answers now; undefined while the first replay runs. */
export type CurrentReader = () => Reader | undefined;

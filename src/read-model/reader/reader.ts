import type { ProductFacts } from "../../events/product-facts.ts";
import type {
  AgentDocument,
  CarrierDocument,
  CategoryDetail,
  CategoryDocument,
  ListedCategory,
  PageAddress,
  PageDocument,
  PolicyDocument,
  RobotsDocument,
  ShopDocument,
} from "../schema/documents.ts";
import type { ChangedLines, ChangesQuery, Line } from "../schema/lines.ts";
import type {
  FacetQuery,
  Facets,
  FoundPage,
  OffsetPageQuery,
  ProductQuery,
  QueryReport,
  SearchRequest,
} from "../schema/queries.ts";
import type { CountedCategory } from "./category-tree.ts";
import type { Position, Positioned } from "./feed/position.ts";
import type { RemovalReason } from "./feed/removal.ts";
import type { Product } from "./product.ts";

/** Counters of the shop. The projector updates them, so that reading one costs the same at any size. */
export interface ShopCounts {
  readonly products: number;
  readonly inStock: number;
  /** Categories with at least one visible product directly in them. */
  readonly stockedCategories: number;
}

/** A page of the products directly in one category, sorted by id. */
export interface CategoryProducts {
  readonly products: readonly Product[];
  /** Cursor of the next page; undefined on the last. */
  readonly next: string | undefined;
}

/** A sitemap entry: a page, its URL at the shop and its last change. */
export interface SitemapEntry extends PageAddress {
  readonly url: string;
  /** ISO 8601. */
  readonly lastmod: string;
}

/**
 * Parts of the shop that shop-wide pages show. `catalogue` stands for the categories and their numbers of products, `pages`
 * for the CMS pages.
 */
export type ShopPart = "settings" | "catalogue" | "policies" | "pages" | "carriers";

export interface ProductPage {
  readonly products: readonly Product[];
  /** Encodes the cursor of a product. @param at its index, negative from the end @returns undefined past the page */
  cursor(at: number): string | undefined;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly totalCount: number;
  /** Corrections that search made to the query; absent without a query. */
  readonly understood?: QueryReport;
}

export interface OffsetPage {
  readonly products: readonly Product[];
  /** Number of all matches. */
  readonly total: number;
  /** Corrections that search made to the query; absent without a query. */
  readonly understood?: QueryReport;
}

/** A snapshot of the model: all its reads belong to one checkpoint. */
export interface Snapshot {
  /** Returns the version of the sitemap, equal in two snapshots with equal sitemaps, even of two generations. */
  pagesVersion(): string;
  /**
   * Returns the first instant after `instant` at which a price, a sale or a delivery date of any product changes without an event;
   * infinite when there is none. Both are in milliseconds since 1970.
   */
  nextOfferChange(instant: number): number;
  /** Returns the ISO 8601 time of the latest event; undefined before the first event. */
  lastEventTime(): string | undefined;
  /** Returns the ISO 8601 time at which one of `parts` last changed on shop-wide pages; undefined before the first change. */
  changedAt(...parts: readonly ShopPart[]): string | undefined;
  /** @returns undefined until the first event with the shop's settings */
  shop(): ShopDocument | undefined;
  counts(): ShopCounts;
  /** Reads a product at the instant of the snapshot, without what the shop hides. */
  product(id: number): Product | undefined;
  /** @returns undefined when `after` is no cursor of this query */
  products(query: ProductQuery): ProductPage | undefined;
  /** Lists the related products that are visible, each once, without the product itself. */
  relatedProducts(product: Product): NonNullable<ProductFacts["related"]>;
  /**
   * Finds the variants of products that a query is about: those that meet the filters of options, prices and stock, have the codes
   * and the address that it looks up, and have the values of options that it names.
   * @returns ids in the order of the shop, by product; no entry where the query says nothing of its variants
   */
  matchedVariants(
    products: readonly Product[],
    query: SearchRequest,
  ): ReadonlyMap<number, readonly number[]>;
  /**
   * Reads a page by offset. Hidden prices neither sort nor filter, here and in `products`; the caller reports that to the
   * agent.
   */
  listing(query: OffsetPageQuery): OffsetPage;
  /** Computes facets of all products that match, on all pages. */
  facets(query: FacetQuery): Facets;
  /** Returns at most 5 words of the catalogue similar to those of a query, as proposals when nothing matches. */
  suggestions(query: string): readonly string[];
  /** Returns the visible categories, sorted by depth, name in the shop's language, id. */
  categories(): readonly CountedCategory[];
  /** Returns the first of `categories` and the number of all. The cost depends on `limit` only. */
  topCategories(limit: number): {
    readonly categories: readonly CountedCategory[];
    readonly total: number;
  };
  /** Returns the direct children of a category, in the order of `categories`. */
  subcategories(id: number): readonly CountedCategory[];
  /** Returns a category from the tree in memory, in a tenth of the time of `category`. */
  listedCategory(id: number): ListedCategory | undefined;
  category(id: number): CountedCategory<CategoryDocument> | undefined;
  categoryDetail(id: number): CategoryDetail | undefined;
  /** Reads visible products directly in a category. @returns undefined when `after` is no cursor */
  categoryProducts(
    id: number,
    page: { readonly first: number; readonly after?: string },
  ): CategoryProducts | undefined;
  /** Returns the published policy pages, sorted by id. */
  policies(): readonly PolicyDocument[];
  page(id: number): PageDocument | undefined;
  /**
   * Finds categories and CMS pages by the words of their names, titles and summaries: at most `limit` that have at least half of
   * the words of a query, those with the most first.
   */
  findPages(query: string, limit: number): readonly FoundPage[];
  /** @returns undefined for a carrier that is not active */
  carrier(id: number): CarrierDocument | undefined;
  /** Returns the active carriers, sorted by id. */
  carriers(): readonly CarrierDocument[];
  /** @returns undefined until the first event with robots.txt */
  robots(): RobotsDocument | undefined;
  agent(label: string): AgentDocument | undefined;
  /** Finds the page at a path and query, e.g. `/p/42?v=1`. */
  address(pathAndQuery: string): PageAddress | undefined;
  /** Reads at which instant prices and stocks are evaluated, milliseconds since 1970. */
  instant(): number;
  /**
   * Finds the lines that changed, in the sequence of the keys of their rows. Other reads may come between.
   * @returns the last key that was read, when not all were; undefined at the end
   */
  changedLines(query: ChangesQuery): Generator<ChangedLines, string | undefined>;
  /** Reads why a line that was shown is shown no more. */
  removalReason(line: Line): RemovalReason;
}

/** Reads visible pages sorted by kind and id: at most `limit` after the page `after`. */
export type SitemapScan = (range: {
  readonly after?: PageAddress | undefined;
  readonly limit: number;
}) => readonly SitemapEntry[];

/** Its position is that of the latest snapshot at which the read set was current. */
export interface ReadSetCheck extends Positioned {
  /** Returns true when every read of the snapshot would return the same result from the latest commit. */
  isCurrent(): boolean;
}

/** Serves all reads of the surfaces from one generation. */
export interface Reader {
  /**
   * Runs `read` on one snapshot of the model. `read` must not await.
   * @param read its second argument checks the read set of `read`; absent when its result must not be reused
   */
  snapshot<T>(read: (snapshot: Snapshot, readSetCheck?: ReadSetCheck) => T): T;
  /** Returns the position of the newest commit. */
  position(): Position | undefined;
  /**
   * Runs `read` on the pages of one pinned snapshot. `read` may await, but not for long, because the file of the generation
   * grows while the snapshot is pinned.
   */
  scanPages<T>(read: (scan: SitemapScan) => Promise<T>): Promise<T>;
  /**
   * Pins the latest commit for all snapshots and read set checks, because moving to a newer commit costs more than most
   * reads. Absent when there is no commit to pin.
   * @returns a function that releases the commit
   */
  pinCommit?(): () => void;
}

/** Returns the reader of the live generation; undefined during the first replay. */
export type CurrentReader = () => Reader | undefined;

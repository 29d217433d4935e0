import type {
  AgentDocument,
  CarrierDocument,
  CategoryDocument,
  PageAddress,
  PageDocument,
  PolicyDocument,
  ProductDetail,
  ProductDocument,
  ShopDocument,
} from "./documents.ts";

/** Shop facts that are counted, each kept by the projector: reading them costs the same at any size. */
export interface Counts {
  readonly products: number;
  readonly inStock: number;
  /** Categories with at least one visible product directly in them. */
  readonly stockedCategories: number;
}

/** What a page of products is asked for by. `first` is 0 or more; the caller caps it. */
export interface ProductQuery {
  readonly first: number;
  /** A cursor of an earlier page; undefined begins at the start. */
  readonly after?: string;
  readonly query?: string;
  readonly inStockOnly?: boolean;
}

export interface ProductPage {
  readonly products: readonly ProductDocument[];
  /** One per product, same order. */
  readonly cursors: readonly string[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly totalCount: number;
}

/** One moment of the model: everything asked of one snapshot belongs to the same checkpoint. */
export interface Snapshot {
  /** Log sequence of the last event this moment includes. */
  sequence(): number;
  /** ISO 8601 time of the newest event this moment includes; undefined before the first. */
  lastEventTime(): string | undefined;
  /** Undefined until the shop's settings were told. */
  shop(): ShopDocument | undefined;
  counts(): Counts;
  /** Price already null when the shop hides prices. */
  product(id: number): ProductDocument | undefined;
  productDetail(id: number): ProductDetail | undefined;
  /** `undefined` when `after` is no cursor of this query. */
  products(query: ProductQuery): ProductPage | undefined;
  /** Ordered by depth, name in the shop's language, id. */
  categories(): readonly (CategoryDocument & { readonly productCount: number })[];
  category(id: number): (CategoryDocument & { readonly productCount: number }) | undefined;
  /** Every published policy page, by id. */
  policies(): readonly PolicyDocument[];
  page(id: number): PageDocument | undefined;
  /** Active carriers, by id. */
  carriers(): readonly CarrierDocument[];
  robots(): string | undefined;
  agent(label: string): AgentDocument | undefined;
  /** Which thing answers at a path and query, e.g. `/p/42?v=1`. */
  address(pathAndQuery: string): PageAddress | undefined;
}

/** Every question a surface may ask, answered from one generation. */
export interface Reader {
  /** Runs `read` on one moment of the model. `read` must not await. */
  snapshot<T>(read: (moment: Snapshot) => T): T;
}

/** The generation that answers now; undefined while the first replay runs. */
export type CurrentReader = () => Reader | undefined;

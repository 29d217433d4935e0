import type { Checkpoint, DeadLetter, DeadLetterDiscard } from "./checkpoint.ts";
import type { Key, RowEncoding } from "./codec.ts";
import type {
  CategoryDocument,
  IdentifierMember,
  OfferRow,
  PageAddress,
  PolicyDocument,
  ProductText,
  VariantsRow,
} from "./documents.ts";
import type { LineChanges, LineRow } from "./lines.ts";
import {
  agentRowEncoding,
  coreRowEncoding,
  offerRowEncoding,
  priceRowEncoding,
  stockRowEncoding,
  variantListRowEncoding,
  variantRowEncoding,
} from "./row-encodings.ts";
import type {
  AgentRow,
  CarrierRow,
  CategoryRow,
  ChangeSet,
  CoreRow,
  PageRow,
  PriceRow,
  ProductPageRow,
  RevocationFloor,
  RobotsRow,
  SettingsRow,
  StockRow,
  VariantListRow,
  VariantRow,
} from "./rows.ts";

/** Registry of all tables of a generation. Every row carries a checksum; the rows of `set` tables have a key only. */

/**
 * A bound of a range over keys K: the key itself, or its first parts. Its texts may be any, such as `\u{10ffff}`, after
 * which no text comes.
 */
export type KeyPrefix<K> = K extends readonly [infer First, ...infer Rest]
  ? readonly [Bound<First>] | readonly [Bound<First>, ...KeyPrefix<Rest>]
  : Bound<K>;

type Bound<P> = P extends string ? string : P;

/** Exclusive end of a range over all ids. The greatest id is 2^53 - 1. */
export const idUpperBound = 2 ** 53;

export interface Table<K extends Key, V> {
  readonly name: string;
  readonly kind: "json" | "bytes" | "set";
  /** Encodes the value before it becomes JSON; absent when the JSON is that of the value itself. */
  readonly encoding?: RowEncoding<V>;
  /** Binds K and V for the type checker; no table has this member at run time. */
  readonly maps?: (key: K) => V;
}

const json = <K extends Key, V>(name: string, encoding?: RowEncoding<V>): Table<K, V> => ({
  ...{ name, kind: "json" },
  ...(encoding && { encoding }),
});
const bytes = <K extends Key>(name: string): Table<K, Buffer> => ({ name, kind: "bytes" });
const set = <K extends Key>(name: string): Table<K, true> => ({ name, kind: "set" });

export const tables = {
  /** maps product id to its core, from the latest event */
  productCores: json<number, CoreRow>("productCores", coreRowEncoding),
  /** maps product id, or `product/variant`, to its prices, from the latest events */
  prices: json<number | string, PriceRow>("prices", priceRowEncoding),
  /** maps product id, or `product/variant`, to its stock, from the latest event; may exist before the product */
  stocks: json<number | string, StockRow>("stocks", stockRowEncoding),
  /** maps product id to the list of its variants, from the latest product event that has one */
  variantLists: json<number, VariantListRow>("variantLists", variantListRowEncoding),
  /** maps `product/variant` to the variant as its own events state it */
  variantStates: json<string, VariantRow>("variantStates", variantRowEncoding),
  /** maps product id to its description as plain text; the Markdown has a row of its own, because one row of both is larger than half a page of LMDB */
  productTexts: json<number, string | null>("productTexts"),
  /** maps product id to its description as its page shows it */
  productPages: json<number, ProductPageRow>("productPages"),
  /** maps category id to its content, visible or not */
  categoryStates: json<number, CategoryRow>("categoryStates"),
  /** maps page id to its content */
  pages: json<number, PageRow>("pages"),
  /** maps carrier id to its content */
  carriers: json<number, CarrierRow>("carriers"),
  /** maps `settings` to the shop */
  settings: json<"settings", SettingsRow>("settings"),
  /** maps `robots` to the shop's robots.txt */
  robots: json<"robots", RobotsRow>("robots"),
  /** maps an agent's label to its token generation */
  agents: json<string, AgentRow>("agents", agentRowEncoding),

  /** maps the id of a visible product to what prices, stock and time do not change of it */
  products: json<number, ProductText>("products"),
  /** maps the id of a visible product to its prices over time and its stock */
  offers: json<number, OfferRow>("offers", offerRowEncoding),
  /** maps the id of a visible product to its active variants; no row for one without any */
  variants: json<number, VariantsRow>("variants"),
  /** pairs of instant, id of a visible product whose page changes then without an event; milliseconds since 1970 */
  offerChanges: set<readonly [number, number]>("offerChanges"),
  /** ids of visible products that can be bought */
  inStock: set<number>("inStock"),
  /** ids of products with stock or a price but no core */
  orphans: set<number>("orphans"),
  /** maps the id of a visible category (active, with a complete active parent chain) to its document */
  categories: json<number, CategoryDocument>("categories"),
  /** maps `order` to every visible category id, by depth, name, id */
  categoryOrder: json<"order", readonly number[]>("categoryOrder"),
  /** pairs of category id, visible product id */
  categoryProducts: set<readonly [number, number]>("categoryProducts"),
  /** maps category id to the number of visible products directly in it; no row at zero */
  categoryCounts: json<number, number>("categoryCounts"),
  /** maps the id of a published policy page to its summary */
  policies: json<number, PolicyDocument>("policies"),
  /** triples of path and query, kind, id: the page at an address */
  addresses: set<readonly [string, PageAddress["kind"], number]>("addresses"),
  /** maps kind, id of a category page or CMS page to its address and last change */
  lastChanges: json<readonly [PageAddress["kind"], number], PageRecord>("lastChanges"),
  /** maps category id, visible or not, to the times of its last change on product pages and on its own page */
  categoryTimes: json<number, CategoryTimes>("categoryTimes"),
  /** quadruples of list, id of its owner (0 for the shop), time when a member joined, left or changed, id of the member */
  listDates: set<readonly [DatedList, number, number, number]>("listDates"),
  /** maps the name of a posting list (of a term, category or brand) to its header */
  postingLists: bytes<string>("postingLists"),
  /** maps name of a posting list, first id to a block of its postings */
  postingBlocks: bytes<readonly [string, number]>("postingBlocks"),
  /** pairs of word, stem where the two differ; prefix queries scan them */
  stemForms: set<readonly [string, string]>("stemForms"),
  /** maps the first word of a block to the words of the block, sorted as text; spelling correction searches them */
  spellings: json<string, readonly string[]>("spellings"),
  /** maps the first id of a block of visible products to the values that filters, sorts and facets read */
  docValues: bytes<number>("docValues"),
  /** maps the first id of a block of visible products to the options and facts by which those that have any are filtered */
  attributeValues: bytes<number>("attributeValues"),
  /** pairs of word, category id */
  categoryWords: set<readonly [string, number]>("categoryWords"),
  /** pairs of word, id of a published CMS page whose title or summary has it */
  pageWords: set<readonly [string, number]>("pageWords"),
  /** triples of word, kind, id of a category or published CMS page whose own name or title has it */
  titleWords: set<readonly [string, "category" | "page", number]>("titleWords"),
  /** triples of normalised reference or GTIN, product id, member name */
  identifiers: set<readonly [string, number, IdentifierMember]>("identifiers"),
  /**
   * pairs of price key (text that sorts like the amount, `~` without a price), id of a visible product; with the instants from and
   * before which it has this price, where sales change it
   */
  priceOrder: set<
    readonly [string, number] | readonly [string, number, from: number, until: number]
  >("priceOrder"),
  /** pairs of name key (see `nameKey`), id of a visible product */
  nameOrder: set<readonly [string, number]>("nameOrder"),
  /** maps the name of a count to its value */
  counters: json<CounterName, number>("counters"),
  /** maps log sequence to the rejected event at it */
  deadLetters: json<number, DeadLetter>("deadLetters"),

  /** maps `checkpoint` to the position reached in the log */
  meta: json<"checkpoint", Checkpoint>("meta"),
  /** maps `commitNumber` to the number of batches committed to this generation */
  commitNumber: json<"commitNumber", number>("commitNumber"),
  /** maps the number of each of the latest batches to its change set */
  changeLog: json<number, ChangeSet>("changeLog"),
  /** maps the key of each entity that is or was public to the last changes of its lines; a variant follows its product */
  lines: json<string, LineRow>("lines"),
  /** maps a number, counted from 1, to the entities whose lines one of the latest batches with any changed */
  lineChanges: json<number, LineChanges>("lineChanges"),
} as const;

/** Tables that only generations of earlier versions have. The operator state holds such rows now (operator/). */
export const legacyTables = {
  /** maps log sequence to the time at which its dead letter was discarded */
  discards: json<number, DeadLetterDiscard>("discards"),
  /** maps a label to the revocation floor that an earlier log of this shop set */
  withdrawn: json<string, RevocationFloor>("withdrawn"),
} as const;

export type TableName = keyof typeof tables;

/** Tables that may differ between models built from the same events, because they describe batches and the log. */
export const operationalTables = [
  "meta",
  "commitNumber",
  "changeLog",
  "lines",
  "lineChanges",
] as const satisfies readonly TableName[];

/** Name of a table that is equal in all models built from the same events. */
export type DerivedTableName = Exclude<TableName, (typeof operationalTables)[number]>;

export const derivedTables = Object.values(tables).filter(
  ({ name }) => !operationalTables.some((each) => each === name),
) as readonly (Omit<Table<Key, unknown>, "maps"> & { readonly name: DerivedTableName })[];

export type CounterName =
  | "products"
  | "inStock"
  | "stockedCategories"
  | "orphans"
  | "deadLetters"
  /** Active categories outside the tree, because their parent is unknown, invisible, or one of their descendants. */
  | "heldBackCategories"
  /** Version of the words in `categoryWords`. */
  | "categoryWords"
  /** Version of the words in `stemForms` and `spellings` and of the words that are their own stem. */
  | "spellings"
  /** Version of the page index: changes with the address or the last change of any page, so with the visible products, too. */
  | "pages";

/**
 * Names of the lists that record when they last changed. `products` has one list per category (0 for the shop),
 * `children` has one per parent category; `categories`, `pages` and `policies` have one for the shop.
 */
export type DatedList = "products" | "children" | "categories" | "pages" | "policies";

/** Milliseconds since 1970. */
export interface CategoryTimes {
  /** Time of the last change of the category's entry on product pages: added, removed or with other content. */
  readonly summary: number;
  /** Time of the last change of the category's own page by an event of the category or of an ancestor. */
  readonly page: number;
}

export interface PageRecord {
  readonly url: string;
  /** ISO 8601. */
  readonly lastmod: string;
  /** Instants at which the page changes without an event, ascending, milliseconds since 1970; absent without any. */
  readonly changesAt?: readonly number[];
}

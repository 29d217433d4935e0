import type { Withdrawn } from "../operator/revocation-floor.ts";
import type { Recent } from "../reader/change-log.ts";
import type { Checkpoint, DeadLetter, Discard } from "./checkpoint.ts";
import type {
  CategoryDocument,
  IdentifierMember,
  PageAddress,
  PolicyDocument,
  ProductDocument,
} from "./documents.ts";
import type { Packing } from "./row-encoding.ts";
import { coreRows, priceRows, stockRows, textRows } from "./row-encodings.ts";
import type {
  AgentRow,
  CarrierRow,
  CategoryRow,
  CoreRow,
  PageRow,
  PriceRow,
  RobotsRow,
  SettingsRow,
  StockRow,
  TextRow,
} from "./rows.ts";

/** Every table of a generation. `json` and `bytes` values carry a checksum; `set` tables are all key. */

export type Key = string | number | readonly (string | number)[];

/** Where ranges over ids end: the greatest id, 2^53 - 1, is in them. */
export const pastEveryId = 2 ** 53;

export interface Table<K extends Key, V> {
  readonly name: string;
  readonly kind: "json" | "bytes" | "set";
  /** How its JSON is made; as it is when left out. */
  readonly packing?: Packing<V>;
  /** Only for the types: a table maps K to V. */
  readonly maps?: (key: K) => V;
}

const json = <K extends Key, V>(name: string): Table<K, V> => ({ name, kind: "json" });
const packed = <K extends Key, V>(name: string, packing: Packing<V>): Table<K, V> => ({
  name,
  kind: "json",
  packing,
});
const bytes = <K extends Key>(name: string): Table<K, Buffer> => ({ name, kind: "bytes" });
const set = <K extends Key>(name: string): Table<K, true> => ({ name, kind: "set" });

export const tables = {
  /** maps product id to its core, as last told */
  cores: packed<number, CoreRow>("cores", coreRows),
  /** maps product id to its prices, as last told */
  prices: packed<number, PriceRow>("prices", priceRows),
  /** maps product id to its stock, as last told; may be there before the product */
  stocks: packed<number, StockRow>("stocks", stockRows),
  /** maps product id to its rendered description */
  texts: packed<number, TextRow>("texts", textRows),
  /** maps category id to what was last told of it, held back or not */
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
  agents: json<string, AgentRow>("agents"),

  /** maps the id of a visible product to the document lists show */
  products: json<number, ProductDocument>("products"),
  /** the ids of visible products that can be ordered */
  inStock: set<number>("inStock"),
  /** the ids of products with stock or a price but no core */
  orphans: set<number>("orphans"),
  /** maps the id of a category with a whole parent chain to its document */
  categories: json<number, CategoryDocument>("categories"),
  /** maps `order` to every visible category id, by depth, name, id */
  categoryOrder: json<"order", readonly number[]>("categoryOrder"),
  /** pairs of category id, visible product id */
  categoryProducts: set<readonly [number, number]>("categoryProducts"),
  /** maps category id to the number of visible products directly in it; no row at zero */
  categoryCounts: json<number, number>("categoryCounts"),
  /** maps the id of a published policy page to its summary */
  policies: json<number, PolicyDocument>("policies"),
  /** triples of path and query, kind, id: what answers at an address */
  addresses: set<readonly [string, PageAddress["kind"], number]>("addresses"),
  /** maps kind, id of a page that is no product's to its address and last change */
  lastChanges: json<readonly [PageAddress["kind"], number], LastChange>("lastChanges"),
  /** maps category id, visible or not, to when other pages last named it otherwise, and when its own page did of itself */
  categoryTimes: json<number, CategoryTimes>("categoryTimes"),
  /** quadruples of a list, its owner's id (0: the shop's), when a member came, left or changed there, id of the member */
  listDates: set<readonly [DatedList, number, number, number]>("listDates"),
  /** maps the name of a list of products (a word's, a category's, a brand's: search/names.ts) to its head */
  lists: bytes<string>("lists"),
  /** maps name of a list, first id to a run of its postings */
  runs: bytes<readonly [string, number]>("runs"),
  /** pairs of word, stem where the two differ: the words that begin in some way */
  forms: set<readonly [string, string]>("forms"),
  /** maps the first of a run of words, in order of their texts, to these words: what a typing error may have meant */
  spellings: json<string, readonly string[]>("spellings"),
  /** maps the first id of a run of visible products to what they are filtered, sorted and counted by */
  facts: bytes<number>("facts"),
  /** pairs of word, category id */
  categoryWords: set<readonly [string, number]>("categoryWords"),
  /** triples of normalised reference or GTIN, product id, which of the two it is; earlier versions did not say */
  identifiers: set<readonly [string, number] | readonly [string, number, IdentifierMember]>(
    "identifiers",
  ),
  /** pairs of a price in the shop's currency as text in the order of prices, id of a visible product */
  priceOrder: set<readonly [string, number]>("priceOrder"),
  /** pairs of a name without case and accents, id of a visible product */
  nameOrder: set<readonly [string, number]>("nameOrder"),
  /** maps the name of a count to its value */
  counters: json<CounterName, number>("counters"),
  /** maps log sequence to an event that was refused */
  deadLetters: json<number, DeadLetter>("deadLetters"),

  /** maps `checkpoint` to where the log was read to */
  meta: json<"checkpoint", Checkpoint>("meta"),
  /** maps `head` to the number of batches folded into this generation */
  head: json<"head", number>("head"),
  /** maps the number of each of the newest batches to what it changed */
  recent: json<number, Recent>("recent"),
} as const;

/** Tables that only generations of earlier versions have. Their rows are part of the operator state now (operator/). */
export const formerTables = {
  /** maps log sequence to when the dead letter there was discarded */
  discards: json<number, Discard>("discards"),
  /** maps a label to what another log told of its tokens */
  withdrawn: json<string, Withdrawn>("withdrawn"),
} as const;

export type TableName = keyof typeof tables;

/** Tables that no event tells of: models made from the same events may differ in them. */
export const uncompared = ["meta", "head", "recent"] as const satisfies readonly TableName[];

/** Tables that are equal in models made from the same events. */
export type ComparedName = Exclude<TableName, (typeof uncompared)[number]>;

export type CounterName =
  | "products"
  | "inStock"
  | "stockedCategories"
  | "orphans"
  | "deadLetters"
  /** Active categories that are not in the tree: their parent is unknown, not shown, or below them. */
  | "heldBackCategories"
  /** Change with any word of `categoryWords`; of `forms`, `spellings`, and what is its own stem. */
  | "categoryWords"
  | "spellings"
  /** Changes with the address or the last change of any page. */
  | "pages";

/**
 * Lists of which it is known when they last changed: products by category, categories by parent, and of the whole shop
 * categories, CMS pages and policies. The shop's own products are those of category 0.
 */
export type DatedList = "products" | "children" | "categories" | "pages" | "policies";

/** Milliseconds since 1970. */
export interface CategoryTimes {
  /** When pages of products began or ceased to name the category, or named it otherwise. */
  readonly named: number;
  /** When the category's own page changed by an event of the category or of those above it. */
  readonly page: number;
}

export interface LastChange {
  readonly url: string;
  /** ISO 8601. */
  readonly lastmod: string;
}

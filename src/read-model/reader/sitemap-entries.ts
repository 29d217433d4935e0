import type { PageAddress, ProductDocument } from "../schema/documents.ts";
import { type PageRecord, tables } from "../schema/tables.ts";
import type { ReadTables } from "../store/store.ts";
import {
  hasOffers,
  laterOf,
  passEdges,
  type SnapshotTime,
  showProductJson,
} from "./offers/shown-product.ts";
import { memberIndex, type ProductJson, parseString, sliceValue } from "./product-json.ts";
import type { SitemapEntry } from "./reader.ts";

/** Reads visible pages sorted by kind and id, at most `limit` after `after`. Products come last: `product` is the last kind. */
export const readSitemapEntries = (
  stored: ReadTables,
  time: SnapshotTime,
  after: PageAddress | undefined,
  limit: number,
): readonly SitemapEntry[] => {
  const pricesVisible = stored.get(tables.settings, "settings")?.content?.pricesVisible ?? true;
  const isPastOthers = after?.kind === "product";
  const next = after && ([after.kind, after.id + 1] as const);
  const range = { ...(next && { start: next }), limit };
  const others = isPastOthers ? [] : [...stored.entries(tables.lastChanges, range)];
  const entries = others.map(([[kind, id], page]) => ({
    ...{ kind, id, url: page.url },
    lastmod: pricesVisible ? showLastmod(page, time) : page.lastmod,
  }));
  const remaining = limit - entries.length;
  if (remaining === 0) return entries;
  const start = isPastOthers ? after.id + 1 : 0;
  const { ids, rawProducts } = stored.scanProducts({ start, limit: remaining });
  ids.forEach((id, at) => {
    const product = showProductJson(rawProducts[at] as ProductJson, pricesVisible, time);
    entries.push({ kind: "product", id, ...parseUrlAndLastmod(product) });
  });
  return entries;
};

/** Dates a page other than that of a product: its edges are those of prices. */
const showLastmod = ({ lastmod, edges = [] }: PageRecord, time: SnapshotTime): string =>
  laterOf(lastmod, passEdges(edges, time));

const [url, lastmod] = [sliceValue(memberIndex("url")), sliceValue(memberIndex("lastmod"))];

/** Dates of a product that pages which list it have: its last change, and the instants at which its price changes. */
export interface PageDates {
  /** ISO 8601. */
  readonly lastmod: string;
  readonly priceEdges: readonly number[];
}

/** Reads the dates of a stored product. Measured: parsing the complete product takes several times as long. */
export const readPageDates = (product: ProductJson): PageDates => {
  if (!hasOffers(product)) return { lastmod: parseString(lastmod(product)), priceEdges: [] };
  const { lastmod: date, offers }: ProductDocument = JSON.parse(product);
  const changes = offers?.periods.slice(1).map(({ from }) => from) ?? [];
  return { lastmod: date, priceEdges: changes };
};

/** Parses two members only. */
const parseUrlAndLastmod = (product: ProductJson): Pick<ProductDocument, "url" | "lastmod"> => ({
  url: parseString(url(product)),
  lastmod: parseString(lastmod(product)),
});

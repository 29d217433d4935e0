import type { PageAddress, ProductDocument } from "../schema/documents.ts";
import { tables } from "../schema/tables.ts";
import type { ReadTables } from "../store/store.ts";
import { memberIndex, type ProductJson, parseString, sliceValue } from "./product-json.ts";
import type { SitemapEntry } from "./reader.ts";

/** Reads visible pages sorted by kind and id, at most `limit` after `after`. Products come last: `product` is the last kind. */
export const readSitemapEntries = (
  stored: ReadTables,
  after: PageAddress | undefined,
  limit: number,
): readonly SitemapEntry[] => {
  const isPastOthers = after?.kind === "product";
  const next = after && ([after.kind, after.id + 1] as const);
  const range = { ...(next && { start: next }), limit };
  const others = isPastOthers ? [] : [...stored.entries(tables.lastChanges, range)];
  const entries = others.map(([[kind, id], page]) => ({ kind, id, ...page }));
  const remaining = limit - entries.length;
  if (remaining === 0) return entries;
  const start = isPastOthers ? after.id + 1 : 0;
  const { ids, rawProducts } = stored.scanProducts({ start, limit: remaining });
  ids.forEach((id, at) => {
    entries.push({ kind: "product", id, ...parseUrlAndLastmod(rawProducts[at] as ProductJson) });
  });
  return entries;
};

const [url, lastmod] = [sliceValue(memberIndex("url")), sliceValue(memberIndex("lastmod"))];

/** Reads the ISO 8601 time at which the page of a stored product last changed. */
export const parseProductLastmod = (product: ProductJson): string => parseString(lastmod(product));

/** Parses two members only. Measured: parsing the complete product takes several times as long. */
const parseUrlAndLastmod = (product: ProductJson): Pick<ProductDocument, "url" | "lastmod"> => ({
  url: parseString(url(product)),
  lastmod: parseProductLastmod(product),
});

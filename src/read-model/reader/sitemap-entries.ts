import type { PageAddress } from "../schema/documents.ts";
import { tables } from "../schema/tables.ts";
import type { ReadTables } from "../store/store.ts";
import { priceChangeAt, type View } from "./offer.ts";
import { scanProducts, toProduct, urlOf } from "./product.ts";
import type { SitemapEntry } from "./reader.ts";
import { laterOf } from "./snapshot-state.ts";

/** Reads visible pages sorted by kind and id, at most `limit` after `after`. Products come last: `product` is the last kind. */
export const readSitemapEntries = (
  stored: ReadTables,
  view: View,
  after: PageAddress | undefined,
  limit: number,
): readonly SitemapEntry[] => {
  const isPastOthers = after?.kind === "product";
  const next = after && ([after.kind, after.id + 1] as const);
  const range = { ...(next && { start: next }), limit };
  const others = isPastOthers ? [] : [...stored.entries(tables.lastChanges, range)];
  const entries = others.map(
    ([[kind, id], { url, lastmod, changesAt = [] }]): SitemapEntry => ({
      ...{ kind, id, url },
      lastmod: laterOf(lastmod, priceChangeAt(changesAt, view).last),
    }),
  );
  const remaining = limit - entries.length;
  if (remaining === 0) return entries;
  const start = isPastOthers ? after.id + 1 : 0;
  for (const row of scanProducts(stored, start, remaining)) {
    const { id, json, lastmod } = toProduct(stored, row, view);
    entries.push({ kind: "product", id, url: urlOf({ json }), lastmod });
  }
  return entries;
};

import type { PageAddress, ProductDocument } from "../schema/documents.ts";
import { tables } from "../schema/tables.ts";
import type { Tables } from "../store/store.ts";
import { cutValue, type ProductText, placeOf, stringOf } from "./product-json.ts";
import type { PageChange } from "./reader.ts";

/** Reads visible pages sorted by kind and id, at most `limit` after `after`. Products come last: `product` is the last kind. */
export const pageChanges = (
  stored: Tables,
  after: PageAddress | undefined,
  limit: number,
): readonly PageChange[] => {
  const isPastOthers = after?.kind === "product";
  const range = { ...(after && { start: [after.kind, after.id + 1] }), limit };
  const others = isPastOthers ? [] : [...stored.entries(tables.lastChanges, range)];
  const entries = others.map(([[kind, id], page]) => ({ kind, id, ...page }));
  const remaining = limit - entries.length;
  if (remaining === 0) return entries;
  const start = isPastOthers ? after.id + 1 : 0;
  const { ids, texts } = stored.stretch({ start, limit: remaining });
  ids.forEach((id, at) => {
    entries.push({ kind: "product", id, ...parseUrlAndLastmod(texts[at] as ProductText) });
  });
  return entries;
};

const [url, lastmod] = [cutValue(placeOf("url")), cutValue(placeOf("lastmod"))];

/** Reads the ISO 8601 time at which the page of a stored product last changed. */
export const productLastmod = (product: ProductText): string => stringOf(lastmod(product));

/** Parses two members only. Measured: parsing the complete product takes several times as long. */
const parseUrlAndLastmod = (product: ProductText): Pick<ProductDocument, "url" | "lastmod"> => ({
  url: stringOf(url(product)),
  lastmod: productLastmod(product),
});

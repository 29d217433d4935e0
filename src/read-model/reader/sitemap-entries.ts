import type { PageAddress, ProductDocument } from "../schema/documents.ts";
import { tables } from "../schema/tables.ts";
import type { Tables } from "../store/store.ts";
import { cutValue, type ProductText, placeOf, stringOf } from "./product-json.ts";
import type { PageChange } from "./reader.ts";

/** Every visible page by kind and id, at most `limit` of those behind `after`. Products, of which there are most, come last. */
export const pageChanges = (
  stored: Tables,
  after: PageAddress | undefined,
  limit: number,
): readonly PageChange[] => {
  const isPastOthers = after?.kind === "product";
  const range = { ...(after && { start: [after.kind, after.id + 1] }), limit };
  const others = isPastOthers ? [] : [...stored.entries(tables.lastChanges, range)];
  const changes = others.map(([[kind, id], change]) => ({ kind, id, ...change }));
  const left = limit - changes.length;
  if (left === 0) return changes;
  const start = isPastOthers ? after.id + 1 : 0;
  const { ids, texts } = stored.stretch({ start, limit: left });
  ids.forEach((id, at) => {
    changes.push({ kind: "product", id, ...shownAt(texts[at] as ProductText) });
  });
  return changes;
};

const [url, lastmod] = [cutValue(placeOf("url")), cutValue(placeOf("lastmod"))];

/** When the page of a stored product last changed, ISO 8601. */
export const productLastmod = (product: ProductText): string => stringOf(lastmod(product));

/** To parse all of a product for the two members that are asked for takes several times as long. */
const shownAt = (product: ProductText): Pick<ProductDocument, "url" | "lastmod"> => ({
  url: stringOf(url(product)),
  lastmod: productLastmod(product),
});

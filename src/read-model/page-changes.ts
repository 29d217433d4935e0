import type { PageAddress, ProductDocument } from "./documents.ts";
import type { PageChange, ProductText } from "./reader.ts";
import type { Tables } from "./store.ts";
import { tables } from "./tables.ts";

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

/**
 * The two members that are asked for, cut out of a stored product: to parse all of it, with its description, takes
 * half as long again. Inside a string each quote has a backslash before it, so that none of these begins in one.
 */
const shownAt = (product: ProductText): Pick<ProductDocument, "url" | "lastmod"> => {
  const url = product.slice(product.indexOf(',"url":') + 1, product.indexOf(',"reference":'));
  const lastmod = product.slice(product.lastIndexOf(',"lastmod":'));
  return JSON.parse(Buffer.from(`{${url}${lastmod}`, "latin1").toString());
};

import type { PageAddress } from "./documents.ts";
import type { PageChange } from "./reader.ts";
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
  for (const [id, { url, lastmod }] of stored.entries(tables.products, { start, limit: left })) {
    changes.push({ kind: "product", id, url, lastmod });
  }
  return changes;
};

import { addressOf } from "../../read-model/address.ts";
import type { PageAddress } from "../../read-model/documents.ts";
import type { WritableTables } from "../../read-model/store.ts";
import { type LastChange, tables } from "../../read-model/tables.ts";

/** Keeps where a page is found and when it last changed; undefined stands for a page that is not shown. */
export const tellChange = (
  stored: WritableTables,
  kind: PageAddress["kind"],
  id: number,
  before: LastChange | undefined,
  after: LastChange | undefined,
): void => {
  if (before?.url !== after?.url) {
    const [left, joined] = [before, after].map((page) => page && addressOf(page.url));
    if (left !== undefined) stored.remove(tables.addresses, [left, kind, id]);
    if (joined !== undefined) stored.put(tables.addresses, [joined, kind, id], true);
  }
  if (!after) stored.remove(tables.lastChanges, [kind, id]);
  else if (before?.url !== after.url || before.lastmod !== after.lastmod) {
    stored.put(tables.lastChanges, [kind, id], { url: after.url, lastmod: after.lastmod });
  }
};

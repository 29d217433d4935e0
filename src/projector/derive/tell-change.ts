import { addressOf } from "../../read-model/address.ts";
import type { PageAddress } from "../../read-model/documents.ts";
import type { WritableTables } from "../../read-model/store.ts";
import { type LastChange, tables } from "../../read-model/tables.ts";

/** Keeps where a page is found; undefined stands for a page that is not shown. */
export const tellAddress = (
  stored: WritableTables,
  kind: PageAddress["kind"],
  id: number,
  before: Pick<LastChange, "url"> | undefined,
  after: Pick<LastChange, "url"> | undefined,
): void => {
  if (before?.url === after?.url) return;
  const [left, joined] = [before, after].map((page) => page && addressOf(page.url));
  if (left !== undefined) stored.remove(tables.addresses, [left, kind, id]);
  if (joined !== undefined) stored.put(tables.addresses, [joined, kind, id], true);
};

/** Also when it last changed. A product's own document says so already. */
export const tellChange = (
  stored: WritableTables,
  kind: Exclude<PageAddress["kind"], "product">,
  id: number,
  before: LastChange | undefined,
  after: LastChange | undefined,
): void => {
  tellAddress(stored, kind, id, before, after);
  if (!after) stored.remove(tables.lastChanges, [kind, id]);
  else if (before?.url !== after.url || before.lastmod !== after.lastmod) {
    stored.put(tables.lastChanges, [kind, id], { url: after.url, lastmod: after.lastmod });
  }
};

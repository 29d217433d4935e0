import { buildPolicyDocument } from "../../../projections/page.ts";
import type { PageRow } from "../../read-model/schema/rows.ts";
import { type PageRecord, tables } from "../../read-model/schema/tables.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";
import type { Counters } from "./counters.ts";
import { buildPageListDates, updateListDates } from "./list-dates.ts";
import { updatePageIndex } from "./page-index.ts";

/** Derives the policies, addresses and last changes of every page that a batch changed. */
export const derivePages = (
  batch: UnitOfWork,
  stored: WritableTables,
  counters: Counters,
): void => {
  for (const id of batch.pages.changedKeys()) {
    const [before, after] = [batch.pages.original(id), batch.pages.get(id)];
    const policy = buildPolicyDocument(id, after);
    if (policy) stored.put(tables.policies, id, policy);
    else stored.remove(tables.policies, id);
    updateListDates(stored, id, buildPageListDates(before), buildPageListDates(after));
    updatePageIndex(stored, counters, "page", id, toPageRecord(before), toPageRecord(after));
  }
};

const toPageRecord = (row: PageRow | undefined): PageRecord | undefined =>
  row?.content?.published
    ? { url: row.content.url, lastmod: new Date(row.contentChangedAt).toISOString() }
    : undefined;

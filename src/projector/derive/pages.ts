import { derivePolicy } from "../../../projections/page.ts";
import type { PageRow } from "../../read-model/schema/rows.ts";
import { type LastChange, tables } from "../../read-model/schema/tables.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import type { Batch } from "../batch/unit-of-work.ts";
import type { Counters } from "./counters.ts";
import { datesOfPage, replaceDates } from "./list-dates.ts";
import { tellChange } from "./page-index.ts";

/** Derives the policies, addresses and last changes of every page that a batch changed. */
export const derivePages = (batch: Batch, stored: WritableTables, counters: Counters): void => {
  for (const id of batch.pages.changed()) {
    const [before, after] = [batch.pages.before(id), batch.pages.get(id)];
    const policy = derivePolicy(id, after);
    if (policy) stored.put(tables.policies, id, policy);
    else stored.remove(tables.policies, id);
    replaceDates(stored, id, datesOfPage(before), datesOfPage(after));
    tellChange(stored, counters, "page", id, toPageRecord(before), toPageRecord(after));
  }
};

const toPageRecord = (row: PageRow | undefined): LastChange | undefined =>
  row?.content?.published
    ? { url: row.content.url, lastmod: new Date(row.changedAt).toISOString() }
    : undefined;

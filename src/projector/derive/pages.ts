import { buildPolicyDocument } from "../../../projections/page.ts";
import type { PageContent, PageRow } from "../../read-model/schema/rows.ts";
import { type PageRecord, tables } from "../../read-model/schema/tables.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";
import type { Counters } from "./counters.ts";
import { type IndexSettingsChange, readIndexSettings } from "./index-settings.ts";
import { buildPageListDates, updateListDates } from "./list-dates.ts";
import { replaceWords, updatePageIndex } from "./page-index.ts";
import { putOrRemove } from "./set-diff.ts";

/** Derives the policies, words, addresses and last changes of every page that a batch changed. */
export const derivePages = (
  batch: UnitOfWork,
  stored: WritableTables,
  counters: Counters,
): void => {
  const settings = readIndexSettings(batch);
  const changed = batch.pages.changedKeys();
  for (const id of changed) {
    const [before, after] = [batch.pages.original(id), batch.pages.get(id)];
    putOrRemove(stored, tables.policies, id, buildPolicyDocument(id, after));
    updatePageWords(stored, id, [before, after], settings);
    updateListDates(stored, id, buildPageListDates(before), buildPageListDates(after));
    updatePageIndex(stored, counters, "page", id, toPageRecord(before), toPageRecord(after));
  }
  if (settings.before.language === settings.after.language) return;
  // The words of the other pages are replaced, too, because they include stems.
  for (const id of [...stored.keys(tables.pages)]) {
    const row = changed.has(id) ? undefined : stored.get(tables.pages, id);
    if (row) updatePageWords(stored, id, [row, row], settings);
  }
};

const updatePageWords = (
  stored: WritableTables,
  id: number,
  [before, after]: readonly [before: PageRow | undefined, after: PageRow | undefined],
  settings: IndexSettingsChange,
): void => {
  const inLanguages = (readText: (content: PageContent) => string) =>
    [
      { text: ifPublished(before, readText), language: settings.before.language },
      { text: ifPublished(after, readText), language: settings.after.language },
    ] as const;
  const texts = inLanguages(({ title, summary }) => `${title}\n${summary ?? ""}`);
  replaceWords(stored, tables.pageWords, ...texts, (word) => [word, id] as const);
  const titles = inLanguages(({ title }) => title);
  replaceWords(stored, tables.titleWords, ...titles, (word) => [word, "page", id] as const);
};

const ifPublished = (
  row: PageRow | undefined,
  readText: (content: PageContent) => string,
): string | undefined => (row?.content?.published ? readText(row.content) : undefined);

const toPageRecord = (row: PageRow | undefined): PageRecord | undefined =>
  row?.content?.published
    ? { url: row.content.url, lastmod: new Date(row.contentChangedAt).toISOString() }
    : undefined;

import { buildPolicyDocument } from "../../../projections/page.ts";
import type { PageContent, PageRow } from "../../read-model/schema/rows.ts";
import { type PageRecord, tables } from "../../read-model/schema/tables.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import { type Derivation, hasOtherLanguage, type IndexSettingsChange } from "./derivation.ts";
import { buildPageListDates, updateListDates } from "./list-dates.ts";
import { replaceWords, updatePageIndex } from "./page-index.ts";
import { type Change, putOrRemove } from "./set-diff.ts";

/** Derives the policies, words, addresses and last changes of every page that a batch changed. */
export const derivePages = ({ batch, stored, counters, settings }: Derivation): void => {
  const changed = batch.pages.changedKeys();
  for (const id of changed) {
    const change = [batch.pages.original(id), batch.pages.get(id)] as const;
    putOrRemove(stored, tables.policies, id, buildPolicyDocument(id, change[1]));
    updatePageWords(stored, id, change, settings);
    updateListDates(stored, id, change, buildPageListDates);
    updatePageIndex(stored, counters, "page", id, change, toPageRecord);
  }
  if (!hasOtherLanguage(settings)) return;
  // The words of the other pages are replaced, too, because they include stems.
  for (const id of [...stored.keys(tables.pages)]) {
    const row = changed.has(id) ? undefined : stored.get(tables.pages, id);
    if (row) updatePageWords(stored, id, [row, row], settings);
  }
};

const updatePageWords = (
  stored: WritableTables,
  id: number,
  [before, after]: Change<PageRow>,
  settings: IndexSettingsChange,
): void => {
  const inLanguages = (readText: (content: PageContent) => string) =>
    [
      { text: ifPublished(before, readText), language: settings.before.language },
      { text: ifPublished(after, readText), language: settings.after.language },
    ] as const;
  const texts = inLanguages(({ title, summary }) => `${title}\n${summary ?? ""}`);
  replaceWords(stored, tables.pageWords, texts, (word) => [word, id] as const);
  const titles = inLanguages(({ title }) => title);
  replaceWords(stored, tables.titleWords, titles, (word) => [word, "page", id] as const);
};

const ifPublished = (
  row: PageRow | undefined,
  readText: (content: PageContent) => string,
): string | undefined => (row?.content?.published ? readText(row.content) : undefined);

const toPageRecord = (row: PageRow | undefined): PageRecord | undefined =>
  row?.content?.published
    ? { url: row.content.url, lastmod: new Date(row.contentChangedAt).toISOString() }
    : undefined;

import { buildPolicyDocument } from "../../../projections/page.ts";
import type { PageContent, PageRow } from "../../read-model/schema/rows.ts";
import { type PageRecord, tables } from "../../read-model/schema/tables.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";
import type { Counters } from "./counters.ts";
import { readIndexSettings } from "./index-settings.ts";
import { buildPageListDates, updateListDates } from "./list-dates.ts";
import { replaceWords, updatePageIndex } from "./page-index.ts";
import { putOrRemove } from "./set-diff.ts";

/** Derives the policies, words, addresses and last changes of every page that a batch changed. */
export const derivePages = (
  batch: UnitOfWork,
  stored: WritableTables,
  counters: Counters,
): void => {
  const language = readLanguages(batch);
  for (const id of batch.pages.changedKeys()) {
    const [before, after] = [batch.pages.original(id), batch.pages.get(id)];
    putOrRemove(stored, tables.policies, id, buildPolicyDocument(id, after));
    updatePageWords(stored, id, before, after, language);
    updateListDates(stored, id, buildPageListDates(before), buildPageListDates(after));
    updatePageIndex(stored, counters, "page", id, toPageRecord(before), toPageRecord(after));
  }
  rewritePageWords(batch, stored, language);
};

/**
 * Replaces the words of the pages that a batch did not change, when the shop's language changed: the words include stems.
 */
const rewritePageWords = (
  batch: UnitOfWork,
  stored: WritableTables,
  language: LanguageChange,
): void => {
  if (language.before === language.after) return;
  const changed = batch.pages.changedKeys();
  for (const id of [...stored.keys(tables.pages)]) {
    if (changed.has(id)) continue;
    const row = stored.get(tables.pages, id);
    updatePageWords(stored, id, row, row, language);
  }
};

interface LanguageChange {
  readonly before: string;
  readonly after: string;
}

const readLanguages = (batch: UnitOfWork): LanguageChange => {
  const { before, after } = readIndexSettings(batch);
  return { before: before.language, after: after.language };
};

const updatePageWords = (
  stored: WritableTables,
  id: number,
  before: PageRow | undefined,
  after: PageRow | undefined,
  language: LanguageChange,
): void => {
  const inLanguages = (readText: (content: PageContent) => string) =>
    [
      { text: ifPublished(before, readText), language: language.before },
      { text: ifPublished(after, readText), language: language.after },
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

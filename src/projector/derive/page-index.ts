import type { Key } from "../../read-model/schema/codec.ts";
import type { PageAddress } from "../../read-model/schema/documents.ts";
import { pathKeyOfUrl } from "../../read-model/schema/keys.ts";
import { type PageRecord, type Table, tables } from "../../read-model/schema/tables.ts";
import { getLanguage } from "../../read-model/search/text/language.ts";
import { indexTerms } from "../../read-model/search/text/tokenizer.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import { hashString } from "../../text/hash.ts";
import type { Counters } from "./derivation.ts";
import { type Change, putOrRemove, replaceKeys } from "./set-diff.ts";

/** Updates the counter `pages`; undefined stands for a page that is not shown. */
export const countPage = (
  counters: Counters,
  kind: PageAddress["kind"],
  id: number,
  [before, after]: Change<PageRecord>,
): void => counters.add("pages", hashPage(kind, id, after) - hashPage(kind, id, before));

/** Hashes a page. Signed, so that the sum over millions of pages stays exact. */
const hashPage = (kind: PageAddress["kind"], id: number, page: PageRecord | undefined): number =>
  page
    ? hashString(`${kind} ${id} ${page.lastmod} ${page.url} ${page.changesAt ?? ""}`.trimEnd()) | 0
    : 0;

/** Updates the address of a page and its last change. Products are excluded, because their documents hold it. */
export const updatePageIndex = <T>(
  stored: WritableTables,
  counters: Counters,
  kind: Exclude<PageAddress["kind"], "product">,
  id: number,
  change: Change<T>,
  toPage: (row: T | undefined) => PageRecord | undefined,
): void => {
  const [before, after] = [toPage(change[0]), toPage(change[1])];
  countPage(counters, kind, id, [before, after]);
  if (before?.url !== after?.url)
    replaceKeys(stored, tables.addresses, [before, after], (page) => {
      const path = page && pathKeyOfUrl(page.url);
      return path === undefined ? [] : [[path, kind, id] as const];
    });
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    putOrRemove(stored, tables.lastChanges, [kind, id], after);
  }
};

/** A text in the language of the shop; undefined when no page shows it. */
export interface ShownText {
  readonly text: string | undefined;
  readonly language: string;
}

/** Replaces the rows of the words of a text, as surface forms and as stems. */
export const replaceWords = <K extends Key>(
  stored: WritableTables,
  table: Table<K, true>,
  change: readonly [before: ShownText, after: ShownText],
  toKey: (word: string) => K,
): void => {
  replaceKeys(stored, table, change, ({ text, language }) =>
    text === undefined ? [] : Array.from(indexTerms(text, getLanguage(language)), toKey),
  );
};

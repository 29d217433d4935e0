import type { PageAddress } from "../../read-model/schema/documents.ts";
import { pathKeyOfUrl } from "../../read-model/schema/page-path.ts";
import { type PageRecord, tables } from "../../read-model/schema/tables.ts";
import { getLanguage } from "../../read-model/search/text/language.ts";
import { indexTerms } from "../../read-model/search/text/tokenizer.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import { hashString } from "../../text/hash.ts";
import type { Counters } from "./counters.ts";
import { diffSets } from "./set-diff.ts";

/** Updates the counter `pages`; undefined stands for a page that is not shown. */
export const countPage = (
  counters: Counters,
  kind: PageAddress["kind"],
  id: number,
  before: PageRecord | undefined,
  after: PageRecord | undefined,
): void => counters.add("pages", hashPage(kind, id, after) - hashPage(kind, id, before));

const updatePageAddress = (
  stored: WritableTables,
  kind: PageAddress["kind"],
  id: number,
  before: PageRecord | undefined,
  after: PageRecord | undefined,
): void => {
  if (before?.url === after?.url) return;
  const [oldPath, newPath] = [before, after].map((page) => page && pathKeyOfUrl(page.url));
  if (oldPath !== undefined) stored.remove(tables.addresses, [oldPath, kind, id]);
  if (newPath !== undefined) stored.put(tables.addresses, [newPath, kind, id], true);
};

/** Hashes a page. Signed, so that the sum over millions of pages stays exact. */
const hashPage = (kind: PageAddress["kind"], id: number, page: PageRecord | undefined): number =>
  page
    ? hashString(`${kind} ${id} ${page.lastmod} ${page.url} ${page.edges ?? ""}`.trimEnd()) | 0
    : 0;

/** Updates the address of a page and its last change. Products are excluded, because their documents hold it. */
export const updatePageIndex = (
  stored: WritableTables,
  counters: Counters,
  kind: Exclude<PageAddress["kind"], "product">,
  id: number,
  before: PageRecord | undefined,
  after: PageRecord | undefined,
): void => {
  countPage(counters, kind, id, before, after);
  updatePageAddress(stored, kind, id, before, after);
  if (!after) stored.remove(tables.lastChanges, [kind, id]);
  else if (JSON.stringify(before) !== JSON.stringify(after)) {
    stored.put(tables.lastChanges, [kind, id], after);
  }
};

/** A text in the language of the shop; undefined when no page shows it. */
export interface ShownText {
  readonly text: string | undefined;
  readonly language: string;
}

/** Replaces the words of the title of a category or CMS page. */
export const updateTitleWords = (
  stored: WritableTables,
  kind: Exclude<PageAddress["kind"], "product">,
  id: number,
  before: ShownText,
  after: ShownText,
): void => {
  const [removed, added] = diffWords(before, after);
  for (const word of removed) stored.remove(tables.titleWords, [word, kind, id]);
  for (const word of added) stored.put(tables.titleWords, [word, kind, id], true);
};

/** Lists the words that a change of a text removes and adds, as surface forms and as stems. */
export const diffWords = (before: ShownText, after: ShownText) =>
  diffSets(toWords(before), toWords(after));

const toWords = ({ text, language }: ShownText): readonly string[] =>
  text === undefined ? [] : [...indexTerms(text, getLanguage(language))];

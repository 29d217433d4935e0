import { tables } from "../../read-model/schema/tables.ts";
import { getLanguage } from "../../read-model/search/text/language.ts";
import { indexTerms } from "../../read-model/search/text/tokenizer.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import { diffSets } from "./set-diff.ts";

/** A title in the language of the shop; undefined when no page shows it. */
export interface Title {
  readonly text: string | undefined;
  readonly language: string;
}

/** Replaces the words of a title, as surface forms and as stems. */
export const updateTitleWords = (
  stored: WritableTables,
  kind: "category" | "page",
  id: number,
  before: Title,
  after: Title,
): void => {
  const [removed, added] = diffSets(toWords(before), toWords(after));
  for (const word of removed) stored.remove(tables.titleWords, [word, kind, id]);
  for (const word of added) stored.put(tables.titleWords, [word, kind, id], true);
};

const toWords = ({ text, language }: Title): readonly string[] =>
  text === undefined ? [] : [...indexTerms(text, getLanguage(language))];

import { tables } from "../../schema/tables.ts";
import type { Tables } from "../../store/store.ts";
import { wordList } from "../postings/list-keys.ts";
import { decodeHead, formsOf } from "../postings/posting-list-header.ts";

/** The stems of words that are written alike but for accents and endings: `cafetière` and `cafetiere` are cut elsewhere. */
export type Homographs = (written: string) => readonly string[];

/** What one process remembers of them, while no spelling comes or goes in the catalogue. */
export interface KeptHomographs {
  of(stored: Tables): Homographs;
}

/** Words: all are forgotten when there are more. */
const mostKept = 10_000;

export const keepHomographs = (): KeptHomographs => {
  let kept:
    | { readonly version: number; readonly known: Map<string, readonly string[]> }
    | undefined;
  return {
    of(stored) {
      const version = stored.get(tables.counters, "spellings") ?? 0;
      if (kept?.version !== version || kept.known.size > mostKept) {
        kept = { version, known: new Map() };
      }
      const { known } = kept;
      return (written) => {
        const stems = known.get(written) ?? stemsOf(stored, written);
        known.set(written, stems);
        return stems;
      };
    },
  };
};

const stemsOf = (stored: Tables, written: string): readonly string[] => {
  const range = { start: [written], end: [written, "\u{10ffff}"] };
  const stems = [...stored.keys(tables.forms, range)].map(([, stem]) => stem);
  return isOwnStem(stored, written) ? [written, ...stems] : stems;
};

/** Whether a product says this very word, and its stem is the word itself. */
const isOwnStem = (stored: Tables, written: string): boolean => {
  const list = wordList(written);
  const head = stored.get(tables.lists, list);
  return head !== undefined && formsOf(decodeHead(head), list).has(written);
};

import { tables } from "../../read-model/schema/tables.ts";
import { spellingOf } from "../../read-model/search/text/dictionary-entry.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import { hashOfText } from "../../text/hash.ts";
import { arrayRuns, type RunRows, rewriteRuns } from "./block-rewrite.ts";
import type { Counters } from "./counters.ts";

/** The words that can be mistyped, collected over a batch. */
export interface Spellings {
  /** A spelling came up in the catalogue, or went from it. */
  tell(written: string, stem: string, exists: boolean): void;
  flush(): void;
}

const hasDigit = /[0-9]/;

/** Mean number of words in a run. */
const meanSpellings = 128;

export const openSpellings = (stored: WritableTables, counters: Counters): Spellings => {
  const changes = new Map<string, boolean>();
  return {
    tell(written, stem, exists) {
      if (written !== stem) {
        if (exists) stored.put(tables.forms, [written, stem], true);
        else stored.remove(tables.forms, [written, stem]);
      }
      const spelling = spellingOf(written, stem);
      // What readers keep of words is read again when this changes. A code is its own stem, and no other word's.
      if (!hasDigit.test(written)) {
        // Of both signs, so that the sum over millions of spellings stays an exact integer.
        const hash = hashOfText(spelling ?? `${written} ${stem}`) | 0;
        counters.add("spellings", exists ? hash : -hash);
      }
      if (spelling !== undefined) changes.set(spelling, exists);
    },
    flush() {
      const ascending = [...changes]
        .map(([spelling, exists]) => [spelling, exists ? spelling : undefined] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1));
      rewriteRuns(rowsOf(stored), spellingRuns, ascending);
      changes.clear();
    },
  };
};

const spellingRuns = arrayRuns<string, string>(
  (spelling) => spelling,
  (spelling) => hashOfText(spelling) % meanSpellings === 0,
);

const rowsOf = (stored: WritableTables): RunRows<string, readonly string[]> => {
  const seek = (key: string, isIncluded: boolean): string => {
    const range = { start: rowKey(key), reverse: true, limit: 2 };
    for (const found of stored.keys(tables.spellings, range)) {
      const spelling = found.slice(1);
      if (isIncluded || spelling !== key) return spelling;
    }
    return "";
  };
  return {
    first: "",
    floor: (key) => seek(key, true),
    below: (key) => seek(key, false),
    load: (key) => stored.get(tables.spellings, rowKey(key)) ?? [],
    save: (key, run) => stored.put(tables.spellings, rowKey(key), run),
    remove: (key) => stored.remove(tables.spellings, rowKey(key)),
  };
};

/** No key may be empty. */
const rowKey = (spelling: string): string => `:${spelling}`;

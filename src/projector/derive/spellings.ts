import { tables } from "../../read-model/schema/tables.ts";
import { toDictionaryEntry } from "../../read-model/search/text/dictionary-entry.ts";
import type { WritableTables } from "../../read-model/store/store.ts";
import { hashString } from "../../text/hash.ts";
import { arrayBlockFormat, type BlockStore, rewriteBlocks } from "./block-rewrite.ts";
import type { Counters } from "./derivation.ts";

export type SpellingUpdates = ReturnType<typeof openSpellingUpdates>;

const hasDigit = /[0-9]/;

const meanSpellingsPerBlock = 128;

/** Collects changes of the words that can be mistyped, over a batch. */
export const openSpellingUpdates = (stored: WritableTables, counters: Counters) => {
  const changes = new Map<string, boolean>();
  return {
    /** Records that a spelling was added to the catalogue or removed from it. */
    add(surface: string, stem: string, exists: boolean): void {
      if (surface !== stem) {
        if (exists) stored.put(tables.stemForms, [surface, stem], true);
        else stored.remove(tables.stemForms, [surface, stem]);
      }
      const spelling = toDictionaryEntry(surface, stem);
      // Readers read their cached words again when this counter changes. A code is left out, because it is its own
      // stem, and no other word's.
      if (!hasDigit.test(surface)) {
        // Signed, so that the sum over millions of spellings stays an exact integer.
        const hash = hashString(spelling ?? `${surface} ${stem}`) | 0;
        counters.add("spellings", exists ? hash : -hash);
      }
      if (spelling !== undefined) changes.set(spelling, exists);
    },
    flush(): void {
      const ascending = [...changes]
        .map(([spelling, exists]) => [spelling, exists ? spelling : undefined] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1));
      rewriteBlocks(createBlockStore(stored), spellingFormat, ascending);
      changes.clear();
    },
  };
};

const spellingFormat = arrayBlockFormat<string, string>(
  (spelling) => spelling,
  (spelling) => hashString(spelling) % meanSpellingsPerBlock === 0,
);

const createBlockStore = (stored: WritableTables): BlockStore<string, readonly string[]> => {
  const seek = (key: string, isIncluded: boolean): string => {
    const range = { start: rowKey(key), reverse: true, limit: 2 };
    for (const storedKey of stored.keys(tables.spellings, range)) {
      const spelling = storedKey.slice(1);
      if (isIncluded || spelling !== key) return spelling;
    }
    return "";
  };
  return {
    first: "",
    floor: (key) => seek(key, true),
    below: (key) => seek(key, false),
    load: (key) => stored.get(tables.spellings, rowKey(key)) ?? [],
    save: (key, block) => stored.put(tables.spellings, rowKey(key), block),
    remove: (key) => stored.remove(tables.spellings, rowKey(key)),
  };
};

/** Builds the key of a row. LMDB allows no empty key. */
const rowKey = (spelling: string): string => `:${spelling}`;

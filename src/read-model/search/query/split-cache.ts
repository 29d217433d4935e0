import type { ReadTables } from "../../store/store.ts";
import type { Token } from "../text/token.ts";
import { cacheUntilCounted } from "../versioned-cache.ts";

/** Parts of a word, each of which products have. */
export type Phrase = readonly Token[];

/** The phrases of each word that was split. */
export type Splits = Map<string, readonly Phrase[]>;

/** The cache is emptied when it holds more words. */
export const maxCachedSplits = 10_000;

/** Creates a cache that is valid until a spelling is added to the catalogue or removed from it. */
export const createSplitCache = (): ((stored: ReadTables) => Splits) =>
  cacheUntilCounted("spellings", (): Splits => new Map());

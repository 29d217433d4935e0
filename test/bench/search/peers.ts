import { create, insertMultiple, search } from "@orama/orama";
import { stemmer as oramaStemmer } from "@orama/stemmers/english";
import MiniSearch from "minisearch";
import type { ProductText } from "./corpus.ts";

/** A search engine that has indexed a catalogue. */
export interface Engine {
  readonly name: string;
  /** Returns the ids of the best products, best first, and the number of matches. */
  find(query: string, limit: number): { readonly ids: readonly number[]; readonly total: number };
  close(): Promise<void>;
}

/** Opens MiniSearch with the options its documentation recommends: boosted fields, prefix and fuzzy search. */
export const miniSearch = async (texts: readonly ProductText[]): Promise<Engine> => {
  const index = new MiniSearch<ProductText>({
    fields: ["name", "brand", "description", "reference", "gtin"],
    processTerm: (term) => oramaStemmer(term.toLowerCase()),
    searchOptions: {
      boost: { name: 3, brand: 2 },
      prefix: (_, index, terms) => index === terms.length - 1,
      fuzzy: (term) => (term.length >= 8 ? 2 : term.length >= 4 ? 1 : false),
      combineWith: "AND",
    },
  });
  index.addAll(texts);
  return {
    name: "MiniSearch",
    find(query, limit) {
      const found = index.search(query);
      const all = found.length > 0 ? found : index.search(query, { combineWith: "OR" });
      return { ids: all.slice(0, limit).map(({ id }) => Number(id)), total: all.length };
    },
    close: async () => undefined,
  };
};

/** Opens MiniSearch without fuzzy search, which makes it faster. */
export const miniSearchExact = async (texts: readonly ProductText[]): Promise<Engine> => {
  const engine = await miniSearch([]);
  const index = new MiniSearch<ProductText>({
    fields: ["name", "brand", "description", "reference", "gtin"],
    processTerm: (term) => oramaStemmer(term.toLowerCase()),
    searchOptions: {
      boost: { name: 3, brand: 2 },
      prefix: (_, index, terms) => index === terms.length - 1,
      combineWith: "AND",
    },
  });
  index.addAll(texts);
  return {
    ...engine,
    name: "MiniSearch, no typos",
    find(query, limit) {
      const found = index.search(query);
      const all = found.length > 0 ? found : index.search(query, { combineWith: "OR" });
      return { ids: all.slice(0, limit).map(({ id }) => Number(id)), total: all.length };
    },
  };
};

/** Opens Orama with its stemmer and boosted fields. It tries threshold 0 (all words match) before 1. */
export const orama = async (texts: readonly ProductText[]): Promise<Engine> => {
  const index = create({
    schema: {
      name: "string",
      brand: "string",
      description: "string",
      reference: "string",
      gtin: "string",
    } as const,
    components: { tokenizer: { stemming: true, stemmer: oramaStemmer, language: "english" } },
  });
  await insertMultiple(
    index,
    texts.map((text) => ({ ...text, id: String(text.id) })),
    5_000,
  );
  return {
    name: "Orama",
    find(query, limit) {
      const searchWith = (threshold: number) =>
        search(index, { term: query, limit, boost: { name: 3, brand: 2 }, threshold }) as {
          readonly count: number;
          readonly hits: readonly { readonly id: string }[];
        };
      const found = searchWith(0);
      const all = found.count > 0 ? found : searchWith(1);
      return { ids: all.hits.map(({ id }) => Number(id)), total: all.count };
    },
    close: async () => undefined,
  };
};

/** Opens SQLite FTS5 in memory, with the Porter stemmer, weighted BM25 and a prefix index. */
export const fts5 = async (texts: readonly ProductText[]): Promise<Engine | undefined> => {
  const sqlite = await import("node:sqlite").catch(() => undefined);
  if (!sqlite) return undefined;
  const database = new sqlite.DatabaseSync(":memory:");
  database.exec(`create virtual table products using fts5(
    name, brand, description, reference, gtin,
    tokenize = 'porter unicode61 remove_diacritics 2', prefix = '2 3')`);
  database.exec("begin");
  const insert = database.prepare(
    "insert into products(rowid, name, brand, description, reference, gtin) values (?, ?, ?, ?, ?, ?)",
  );
  for (const { id, name, brand, description, reference, gtin } of texts) {
    insert.run(id, name, brand, description, reference, gtin);
  }
  database.exec("commit");
  database.exec("insert into products(products) values ('optimize')");
  database.exec(
    "insert into products(products, rank) values ('rank', 'bm25(3.0, 2.0, 1.0, 2.0, 2.0)')",
  );
  const best = database.prepare(
    "select rowid as id from products where products match ? order by rank limit ?",
  );
  const count = database.prepare("select count(*) as total from products where products match ?");
  const findMatches = (match: string, limit: number) => ({
    ids: best.all(match, limit).map(({ id }) => Number(id)),
    total: Number(count.get(match)?.total),
  });
  return {
    name: "SQLite FTS5",
    find(query, limit) {
      const words = (query.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"`);
      if (words.length === 0) return { ids: [], total: 0 };
      const found = findMatches(`${words.join(" ")}*`, limit);
      return found.total > 0 ? found : findMatches(`${words.join(" OR ")}*`, limit);
    },
    close: async () => database.close(),
  };
};

import { create, insertMultiple, search } from "@orama/orama";
import { stemmer as oramaStemmer } from "@orama/stemmers/english";
import MiniSearch from "minisearch";
import type { Text } from "./corpus.ts";

/** An engine with a catalogue in it. */
export interface Engine {
  readonly name: string;
  /** Ids of the best products, best first, and how many match. */
  find(query: string, limit: number): { readonly ids: readonly number[]; readonly total: number };
  close(): Promise<void>;
}

/** MiniSearch as its documentation recommends for a catalogue: boosted fields, prefixes, some fuzziness. */
export const miniSearch = async (texts: readonly Text[]): Promise<Engine> => {
  const index = new MiniSearch<Text>({
    fields: ["name", "brand", "description", "reference", "gtin"],
    processTerm: (term) => oramaStemmer(term.toLowerCase()),
    searchOptions: {
      boost: { name: 3, brand: 2 },
      prefix: (_, at, terms) => at === terms.length - 1,
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

/** MiniSearch without typing errors, which costs it less. */
export const miniSearchExact = async (texts: readonly Text[]): Promise<Engine> => {
  const engine = await miniSearch([]);
  const index = new MiniSearch<Text>({
    fields: ["name", "brand", "description", "reference", "gtin"],
    processTerm: (term) => oramaStemmer(term.toLowerCase()),
    searchOptions: {
      boost: { name: 3, brand: 2 },
      prefix: (_, at, terms) => at === terms.length - 1,
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

/** Orama with its own stemmer, boosted fields and the threshold at which all words must match first. */
export const orama = async (texts: readonly Text[]): Promise<Engine> => {
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
      const ask = (threshold: number) =>
        search(index, { term: query, limit, boost: { name: 3, brand: 2 }, threshold }) as {
          readonly count: number;
          readonly hits: readonly { readonly id: string }[];
        };
      const found = ask(0);
      const all = found.count > 0 ? found : ask(1);
      return { ids: all.hits.map(({ id }) => Number(id)), total: all.count };
    },
    close: async () => undefined,
  };
};

/** SQLite FTS5 with its Porter stemmer, BM25 with weighted columns and a prefix index, in memory. */
export const fts5 = async (texts: readonly Text[]): Promise<Engine | undefined> => {
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
  const ask = (match: string, limit: number) => ({
    ids: best.all(match, limit).map(({ id }) => Number(id)),
    total: Number(count.get(match)?.total),
  });
  return {
    name: "SQLite FTS5",
    find(query, limit) {
      const words = (query.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"`);
      if (words.length === 0) return { ids: [], total: 0 };
      const found = ask(`${words.join(" ")}*`, limit);
      return found.total > 0 ? found : ask(`${words.join(" OR ")}*`, limit);
    },
    close: async () => database.close(),
  };
};

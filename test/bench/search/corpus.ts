import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { CloudEvent } from "../../../src/events/envelope.ts";
import { seeded } from "../seeded.ts";

/** The searchable texts of one product. */
export interface ProductText {
  readonly id: number;
  readonly name: string;
  readonly brand: string;
  readonly description: string;
  readonly reference: string;
  readonly gtin: string;
}

/** A catalogue with queries, and the relevance that people gave to products for each query. */
export interface JudgedCatalogue {
  readonly texts: readonly ProductText[];
  readonly queries: readonly {
    readonly query: string;
    readonly labels: ReadonlyMap<number, number>;
  }[];
}

/** Names the folder of the catalogues that must not be distributed. Without it, parts that need them are skipped. */
export const dataVariable = "VITRINE_DATA";

const findFile = (name: string): string | undefined => {
  const folder = process.env[dataVariable];
  const path = folder && join(folder, name);
  return path && existsSync(path) ? path : undefined;
};

/**
 * Reads Icecat's electronics with the judgements of the Chorus project.
 * @returns undefined when the files are not in the folder
 */
export const readJudgedCatalogue = (): JudgedCatalogue | undefined => {
  const [products, queries, labels] = [
    "icecat-chorus.ndjson.gz",
    "icecat-chorus-queries.ndjson",
    "icecat-chorus-labels.ndjson",
  ].map(findFile);
  if (!products || !queries || !labels) return undefined;
  const byQuery = new Map<string, Map<number, number>>();
  for (const { queryId, productId, label } of readLines<Label>(labels)) {
    const labelByProduct = byQuery.get(queryId) ?? new Map<number, number>();
    byQuery.set(queryId, labelByProduct.set(Number(productId), label));
  }
  return {
    texts: readLines<Row>(products).map((row) => toText(row, Number(row.id))),
    queries: readLines<{ queryId: string; query: string }>(queries).map(({ queryId, query }) => ({
      query,
      labels: byQuery.get(queryId) ?? new Map(),
    })),
  };
};

/** Reads 47,551 PC parts. @returns undefined when the file is not in the folder */
export const readLargeCatalogue = (): readonly ProductText[] | undefined => {
  const path = findFile("buildcores-opendb.ndjson.gz");
  return path === undefined
    ? undefined
    : readLines<Row>(path).map((row, index) => toText(row, index + 1));
};

/**
 * Reads the events of a shop of `products` products.
 * @returns undefined when the file is not in the folder
 */
export const readShopEvents = (products: number): readonly CloudEvent[] | undefined => {
  const path = findFile(`shop-events-${products}.ndjson`);
  return path === undefined ? undefined : readLines<CloudEvent>(path);
};

/** Returns the PC parts when their number is `count`, else generated products. Child processes pass the number only. */
export const readOrGenerateProducts = (count: number): readonly ProductText[] => {
  const large = readLargeCatalogue();
  return large?.length === count ? large : generateProducts(count);
};

interface Label {
  readonly queryId: string;
  readonly productId: string;
  readonly label: number;
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly brand: string | null;
  readonly descriptionHtml: string | null;
  readonly reference: string | null;
  readonly gtin: string | null;
}

const readLines = <T>(path: string): readonly T[] => {
  const bytes = readFileSync(path);
  const text = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
};

const toText = (row: Row, id: number): ProductText => ({
  id,
  name: row.name,
  brand: row.brand ?? "",
  description: row.descriptionHtml ?? "",
  // A few references are sentences, longer than the event schema allows.
  reference: (row.reference ?? "").slice(0, 100),
  gtin: row.gtin ?? "",
});

/**
 * Generates a catalogue with the word frequencies of a shop: a few words are in many products, and most words are rare.
 * The same count gives the same products.
 */
export const generateProducts = (count: number): ProductText[] => {
  const chance = seeded(1);
  const syllables = "ka lo mi re tan vel sor din pa gu ben tor lin mar es ol ri co fa zen".split(
    " ",
  );
  const spelling = seeded(2);
  // Words have two to five syllables, so that, as in a language, few words are prefixes of others.
  const makeWords = (size: number): string[] =>
    Array.from({ length: size }, () =>
      Array.from({ length: 2 + spelling.below(4) }, () => spelling.pick(syllables)).join(""),
    );
  const words = makeWords(20_000);
  const wordAt = (rank: number): string => words[rank] as string;
  /** Draws a word approximately by Zipf's law. */
  const drawWord = (vocabulary: number): string =>
    wordAt(Math.floor(vocabulary ** (chance.below(1_000_000) / 1_000_000)) - 1);
  const drawWords = (length: number, vocabulary: number): string =>
    Array.from({ length }, () => drawWord(vocabulary)).join(" ");
  return Array.from({ length: count }, (_, index) => {
    const vocabulary = 20_000;
    const reference = `${drawWord(200).slice(0, 3)}-${index + 1}`;
    return {
      id: index + 1,
      name: `${drawWords(5 + chance.below(4), vocabulary)} ${reference}`,
      brand: drawWord(500),
      description: drawWords(25, vocabulary),
      reference,
      gtin: String(4_000_000_000_000 + index),
    };
  });
};

/** Draws queries of one to three words of a product's brand and name. Every tenth lacks a letter. */
export const drawQueries = (texts: readonly ProductText[], count: number): readonly string[] => {
  const chance = seeded(7);
  return Array.from({ length: count }, (_, index) => {
    const { name, brand } = chance.pick(texts);
    const words = `${brand} ${name}`.split(/\s+/).filter((word) => /^\p{L}{3,}$/u.test(word));
    const start = chance.below(Math.max(1, words.length - 2));
    const query = words.slice(start, start + 1 + chance.below(3));
    if (index % 10 === 0 && query[0] && query[0].length > 5) {
      query[0] = query[0].slice(0, 3) + query[0].slice(4);
    }
    return query.join(" ") || name.slice(0, 20);
  });
};

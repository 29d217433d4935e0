import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { seeded } from "../seeded.ts";

/** One product as every engine is given it. */
export interface Text {
  readonly id: number;
  readonly name: string;
  readonly brand: string;
  readonly description: string;
  readonly reference: string;
  readonly gtin: string;
}

/** Products with queries whose results people judged. */
export interface Judged {
  readonly texts: readonly Text[];
  readonly queries: readonly {
    readonly query: string;
    readonly labels: ReadonlyMap<number, number>;
  }[];
}

/** Names the folder of the catalogues that may not be shipped; what needs them is left out without it. */
export const dataVariable = "VITRINE_DATA";

const fileOf = (name: string): string | undefined => {
  const folder = process.env[dataVariable];
  const path = folder && join(folder, name);
  return path && existsSync(path) ? path : undefined;
};

/** Icecat's electronics with the judgements of the Chorus project; undefined when the folder does not hold them. */
export const readJudged = (): Judged | undefined => {
  const [products, queries, labels] = [
    "icecat-chorus.ndjson.gz",
    "icecat-chorus-queries.ndjson",
    "icecat-chorus-labels.ndjson",
  ].map(fileOf);
  if (!products || !queries || !labels) return undefined;
  const byQuery = new Map<string, Map<number, number>>();
  for (const { queryId, productId, label } of linesOf<Label>(labels)) {
    const known = byQuery.get(queryId) ?? new Map<number, number>();
    byQuery.set(queryId, known.set(Number(productId), label));
  }
  return {
    texts: linesOf<Row>(products).map((row) => textOf(row, Number(row.id))),
    queries: linesOf<{ queryId: string; query: string }>(queries).map(({ queryId, query }) => ({
      query,
      labels: byQuery.get(queryId) ?? new Map(),
    })),
  };
};

/** PC parts, 47,551 of them; undefined when the folder does not hold them. */
export const readLarge = (): readonly Text[] | undefined => {
  const path = fileOf("buildcores-opendb.ndjson.gz");
  return path === undefined ? undefined : linesOf<Row>(path).map((row, at) => textOf(row, at + 1));
};

/** The PC parts, else so many generated products: what a process of its own is told by their number. */
export const textsOf = (count: number): readonly Text[] => {
  const large = readLarge();
  return large?.length === count ? large : generated(count);
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

const linesOf = <T>(path: string): readonly T[] => {
  const bytes = readFileSync(path);
  const text = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
};

const textOf = (row: Row, id: number): Text => ({
  id,
  name: row.name,
  brand: row.brand ?? "",
  description: row.descriptionHtml ?? "",
  // A handful of references are whole sentences, which the contract of events does not take.
  reference: (row.reference ?? "").slice(0, 100),
  gtin: row.gtin ?? "",
});

/**
 * A catalogue of any size with words as commerce has them: few that are everywhere, many that are rare, and new ones
 * as it grows. Always the same one.
 */
export const generated = (count: number): Text[] => {
  const chance = seeded(1);
  const syllables = "ka lo mi re tan vel sor din pa gu ben tor lin mar es ol ri co fa zen".split(
    " ",
  );
  const spelling = seeded(2);
  // Two to five syllables: as in a language, few words begin another one.
  const vocabularyOf = (size: number): string[] =>
    Array.from({ length: size }, () =>
      Array.from({ length: 2 + spelling.below(4) }, () => spelling.pick(syllables)).join(""),
    );
  const known = vocabularyOf(20_000);
  const wordAt = (rank: number): string => known[rank] as string;
  /** Ranks by Zipf's law, near enough. */
  const word = (vocabulary: number): string =>
    wordAt(Math.floor(vocabulary ** (chance.below(1_000_000) / 1_000_000)) - 1);
  const words = (length: number, vocabulary: number): string =>
    Array.from({ length }, () => word(vocabulary)).join(" ");
  return Array.from({ length: count }, (_, at) => {
    const vocabulary = 20_000;
    const reference = `${word(200).slice(0, 3)}-${at + 1}`;
    return {
      id: at + 1,
      name: `${words(5 + chance.below(4), vocabulary)} ${reference}`,
      brand: word(500),
      description: words(25, vocabulary),
      reference,
      gtin: String(4_000_000_000_000 + at),
    };
  });
};

/** What shoppers type: one to three words of a product's name or its brand, every tenth with a typing error. */
export const queriesFor = (texts: readonly Text[], count: number): readonly string[] => {
  const chance = seeded(7);
  return Array.from({ length: count }, (_, at) => {
    const { name, brand } = chance.pick(texts);
    const words = `${brand} ${name}`.split(/\s+/).filter((word) => /^\p{L}{3,}$/u.test(word));
    const begin = chance.below(Math.max(1, words.length - 2));
    const asked = words.slice(begin, begin + 1 + chance.below(3));
    if (at % 10 === 0 && asked[0] && asked[0].length > 5) {
      asked[0] = asked[0].slice(0, 3) + asked[0].slice(4);
    }
    return asked.join(" ") || name.slice(0, 20);
  });
};

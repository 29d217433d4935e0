import type { ProductDetail, ProductDocument } from "../../../src/read-model/documents.ts";
import type { Snapshot } from "../../../src/read-model/reader.ts";
import { stemmerOf } from "../../../src/read-model/search/stemmer.ts";
import {
  compoundsOf,
  identifierOf,
  termsOf,
  wordOfIdentifier,
  wordsOf,
} from "../../../src/read-model/search/words.ts";

/** The ranking once more, over all documents and without an index: slow, and short enough to be seen to be right. */

export interface Seen {
  readonly product: ProductDocument;
  readonly detail: ProductDetail;
}

export interface Placed {
  readonly id: number;
  readonly rank: number;
  readonly inStock: boolean;
}

/** What a product says of a word: how much, and where in its name. */
interface Said {
  readonly impact: number;
  /** From 1; 0 when it is not in the name, or far behind. */
  readonly place: number;
  readonly nameLength: number;
}

const fields = [
  ["name", 3, 0.7, 10],
  ["brand", 2.8, 0, 1],
  ["reference", 3, 0, 1],
  ["gtin", 3, 0, 1],
  ["specifications", 1.2, 0.5, 30],
  ["description", 1, 0.5, 40],
] as const;

/** Products that match every word, best first, of equal ranks by id. */
export const rankPlainly = (
  moment: Snapshot,
  all: readonly Seen[],
  query: string,
): readonly Placed[] => {
  const stemmer = stemmerOf(moment.shop()?.language);
  const told = wordsOf(query, stemmer);
  const words = [...new Map(told.map((word) => [word.stem, word])).values()];
  const docs = all.map((seen) => documentOf(seen, moment));
  const parts = words.map(({ written, stem }) => {
    const isLast = stem === told.at(-1)?.stem;
    const begins = (word: string): boolean => isLast && word.startsWith(written);
    const exact = new Set([stem]);
    for (const { spelled } of docs) {
      for (const [one, forms] of spelled) if (forms.includes(written)) exact.add(one);
    }
    const begun = new Set<string>();
    for (const { spelled } of docs) {
      for (const [one, forms] of spelled) {
        if (!exact.has(one) && (begins(one) || forms.some(begins))) begun.add(one);
      }
    }
    const named = moment
      .categories()
      .filter((category) =>
        namesOf(moment, category.id).some((name) =>
          [...termsOf(name, stemmer)].some((term) => term === stem || begins(term)),
        ),
      )
      .map(({ id }) => id);
    const inCategories = named.map((id) =>
      docs.filter(({ seen }) => seen.detail.categoryIds.includes(id)),
    );
    const having = (one: string) => docs.filter(({ said }) => said.has(one));
    const lists = [...[...exact, ...begun].map(having), ...inCategories];
    const count = lists.reduce((sum, { length }) => sum + length, 0);
    return { exact, begun, named, rarity: rarityOf(count, docs.length) };
  });
  const identifier = identifierOf(query);
  return docs
    .flatMap((doc): readonly Placed[] => {
      const { product, detail } = doc.seen;
      const matched = parts.map(({ exact, begun, named }) =>
        matchOf(
          doc.said,
          exact,
          begun,
          detail.categoryIds.some((id) => named.includes(id)),
        ),
      );
      const isExact =
        identifier !== "" &&
        [product.reference, product.gtin].some((one) => identifierOf(one ?? "") === identifier);
      const isFound = matched.length > 0 && matched.every((one) => one !== undefined);
      if (!isFound && !isExact) return [];
      const rarities = parts.map(({ rarity }) => rarity);
      const rank = isFound ? rankOf(matched as readonly Said[], rarities) : 0;
      const inStock = product.availability === "IN_STOCK";
      return [{ id: product.id, rank: rank + (isExact ? 100_000_000 : 0), inStock }];
    })
    .sort((a, b) => b.rank - a.rank || a.id - b.id);
};

/** Of a category and those above it. */
export const namesOf = (moment: Snapshot, id: number): readonly string[] => {
  const category = moment.category(id);
  if (!category) return [];
  return [category.name, ...(category.parentId === null ? [] : namesOf(moment, category.parentId))];
};

const documentOf = (seen: Seen, moment: Snapshot) => {
  const stemmer = stemmerOf(moment.shop()?.language);
  const { product, detail } = seen;
  const specifications = detail.specifications.map(({ name, value }) => `${name} ${value}`);
  const texts = { ...product, specifications: specifications.join("\n") };
  const frequencies = new Map<string, number>();
  const spelled = new Map<string, string[]>();
  for (const [field, weight, slope, usual] of fields) {
    const text = texts[field] ?? "";
    const words = wordsOf(text, stemmer);
    const told = field === "reference" || field === "gtin" ? words : [];
    const joined = joinedOf(field, text).filter(
      (joined) => joined !== "" && !told.some(({ written }) => written === joined),
    );
    const each = weight / (1 - slope + (slope * words.length) / usual);
    for (const { stem, written } of [
      ...words,
      ...joined.map((written) => ({ stem: written, written })),
    ]) {
      frequencies.set(stem, (frequencies.get(stem) ?? 0) + each);
      spelled.set(stem, [...(spelled.get(stem) ?? []), written]);
    }
  }
  const name = [...new Set(wordsOf(product.name, stemmer).map(({ stem }) => stem))];
  const said = new Map<string, Said>();
  for (const [stem, frequency] of frequencies) {
    const impact = Math.max(1, Math.round((127 * frequency) / (1.2 + frequency)));
    const place = name.indexOf(stem) + 1;
    const isTold = place > 0 && place <= 15;
    const nameLength = isTold ? Math.min(15, name.length) : 0;
    said.set(stem, { impact, place: isTold ? place : 0, nameLength });
  }
  return { seen, said, spelled };
};

/** What a field says in parts, written together. */
const joinedOf = (field: (typeof fields)[number][0], text: string): readonly string[] => {
  if (field === "description") return [];
  return field === "reference" || field === "gtin" ? [wordOfIdentifier(text)] : compoundsOf(text);
};

/** How much a product says a part of a query: the word itself, a word that begins so, or a category's name. */
const matchOf = (
  said: ReadonlyMap<string, Said>,
  exact: ReadonlySet<string>,
  begun: ReadonlySet<string>,
  isInCategory: boolean,
): Said | undefined => {
  const best = (stems: ReadonlySet<string>): Said | undefined =>
    [...stems].flatMap((one) => said.get(one) ?? []).sort(bestFirst)[0];
  const begins = best(begun);
  const weak = begins && { ...begins, impact: Math.floor(begins.impact / 2) || 1 };
  const own = [best(exact), weak].flatMap((one) => one ?? []).sort(bestFirst)[0];
  if (!isInCategory) return own;
  if (!own) return { impact: 84, place: 0, nameLength: 0 };
  return { ...own, impact: Math.min(127, Math.max(own.impact, 84) + 12) };
};

const bestFirst = (a: Said, b: Said): number =>
  b.impact - a.impact || b.nameLength - a.nameLength || b.place - a.place;

const rarityOf = (count: number, products: number): number => {
  const matching = Math.min(count, products);
  const idf = Math.log(1 + (products - matching + 0.5) / (matching + 0.5));
  return Math.max(1, Math.min(63, Math.round(idf * 4)));
};

const rankOf = (matched: readonly Said[], rarities: readonly number[]): number => {
  let rank = 0;
  for (const [at, { impact, place }] of matched.entries()) {
    rank += impact * (rarities[at] as number);
    const before = matched[at - 1];
    if (before && before.place > 0 && place === before.place + 1) {
      rank += 32 * Math.min(rarities[at - 1] as number, rarities[at] as number);
    }
  }
  const isWhole =
    matched.every(({ place }, at) => place === at + 1) &&
    matched.at(-1)?.nameLength === matched.length;
  return isWhole ? rank + 64 * rarities.reduce((sum, one) => sum + one, 0) : rank;
};

import type { Snapshot } from "../../../src/read-model/reader/reader.ts";
import type { ProductDetail, ProductDocument } from "../../../src/read-model/schema/documents.ts";
import {
  compoundTerms,
  identifierToken,
  normaliseIdentifier,
} from "../../../src/read-model/search/text/identifiers.ts";
import { getStemmer, type Stemmer } from "../../../src/read-model/search/text/stemmer.ts";
import type { Token } from "../../../src/read-model/search/text/token.ts";
import { indexTerms, tokenize } from "../../../src/read-model/search/text/tokenizer.ts";

/**
 * The ranking once more, over all documents and without an index: slow, and short enough to be checked by
 * reading.
 */

export interface Seen {
  readonly product: ProductDocument;
  readonly detail: ProductDetail;
}

export interface Ranked {
  readonly id: number;
  readonly rank: number;
  readonly inStock: boolean;
}

/** A match of a word in a product: its impact and its position in the name. */
interface WordMatch {
  readonly impact: number;
  /** From 1; 0 when the word is not in the name, or far behind. */
  readonly position: number;
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

type Doc = ReturnType<typeof documentOf>;

/** The words that match one word of a query. */
interface Meaning {
  readonly exact: ReadonlySet<string>;
  readonly begun: ReadonlySet<string>;
  readonly named: readonly number[];
  /** Weight in sixteenths. */
  readonly sixteenths: number;
}

/** Several words that match together. */
interface Together {
  readonly each: readonly Meaning[];
  /** Whether they must be adjacent in the name. */
  readonly isAdjacent: boolean;
}

/** Alternatives that match one word of a query, or two words that may be one. */
interface Part {
  readonly meant: readonly Together[];
  readonly rarity: number;
  /** Weight in a relaxed search. */
  readonly weight: number;
}

/** Options of a ranking. */
export interface Reading {
  isShown(seen: Seen): boolean;
  /** Whether products that match most of the query count when none matches all of it. */
  readonly relax: boolean;
}

/** Ranks the matching products, best first, equal ranks by id. */
export const rankPlainly = (
  snapshot: Snapshot,
  all: readonly Seen[],
  query: string,
  { isShown, relax }: Reading,
): readonly Ranked[] => {
  const stemmer = getStemmer(snapshot.shop()?.language);
  const told = tokenize(query, stemmer);
  const docs = all.map((seen) => documentOf(seen, snapshot));
  const corpus = { categories: categoriesOf(snapshot), docs };
  const parts = slotsOf(corpus, told, stemmer).map((slot) => partOf(snapshot, docs, slot));
  const rarities = parts.map(({ rarity }) => rarity);
  const identifier = normaliseIdentifier(query);
  const shown = docs
    .filter(({ seen }) => isShown(seen))
    .map((doc) => {
      const { product } = doc.seen;
      const matched = parts.map((part) => matchOf(doc, part));
      const isWhole = matched.length > 0 && matched.every((one) => one !== undefined);
      const isExact =
        identifier !== "" &&
        [product.reference, product.gtin].some(
          (one) => normaliseIdentifier(one ?? "") === identifier,
        );
      const weight = parts.reduce((sum, part, at) => sum + (matched[at] ? part.weight : 0), 0);
      return { product, matched, isWhole, isExact, weight };
    });
  const whole = shown.filter(({ isWhole, isExact }) => isWhole || isExact);
  const best = Math.max(0, ...shown.map(({ weight }) => weight));
  const least = Math.max(1, Math.ceil((best * 7) / 10));
  const found = whole.length > 0 || !relax ? whole : shown.filter(({ weight }) => weight >= least);
  return found
    .map(({ product, matched, isWhole, isExact }) => ({
      id: product.id,
      rank: (isWhole || !isExact ? rankOf(matched, rarities) : 0) + (isExact ? 100_000_000 : 0),
      inStock: product.availability === "IN_STOCK",
    }))
    .sort((a, b) => b.rank - a.rank || a.id - b.id);
};

/** Words of a query that are searched together, and the joined word they may be. */
interface Slot {
  readonly words: readonly Token[];
  readonly joined: Token | undefined;
  /** Prefix of the last word of the query. */
  readonly beginning: string | undefined;
}

const slotsOf = (corpus: Corpus, told: readonly Token[], stemmer: Stemmer) => {
  const slots = new Map<string, Slot>();
  for (let at = 0; at < told.length; ) {
    const pair = told.slice(at, at + 2);
    const joined = joinedWord(corpus, pair, stemmer);
    const words = joined ? pair : pair.slice(0, 1);
    at += words.length;
    const beginning = at === told.length ? words.at(-1)?.surface : undefined;
    slots.set(words.map(({ stem }) => stem).join(" "), { words, joined, beginning });
  }
  return [...slots.values()];
};

/** Joins two words when more products have the joined word, some of them written so, than have both words. */
const joinedWord = (corpus: Corpus, [first, second]: readonly Token[], stemmer: Stemmer) => {
  if (!first || !second || /\d/.test(first.surface + second.surface)) return undefined;
  const [word] = tokenize(first.surface + second.surface, stemmer);
  const meant = [first, second].map((each) => meaningOf(corpus, each, undefined));
  const both = corpus.docs.filter((doc) => meant.every((meaning) => saidOf(doc, meaning)));
  const joined = corpus.docs.filter(({ said }) => word && said.has(word.stem));
  const forms = joined.flatMap(({ spelled }) => spelled.get(word?.stem ?? "") ?? []);
  const [stem] = tokenize(second.surface, stemmer);
  const isSeen = forms
    .filter((form) => form.startsWith(first.surface))
    .flatMap((form) => tokenize(form.slice(first.surface.length), stemmer))
    .some((rest) => rest.stem === stem?.stem);
  return isSeen && joined.length > both.length ? word : undefined;
};

const partOf = (
  snapshot: Snapshot,
  docs: readonly Doc[],
  { words, joined, beginning }: Slot,
): Part => {
  const corpus = { categories: categoriesOf(snapshot), docs };
  const rarity = (count: number): number => rarityOf(count, docs.length);
  const asSaid = words.map((word, at) =>
    meaningOf(corpus, word, at === words.length - 1 ? beginning : undefined),
  );
  const asAsked = [asSaid, joined ? [meaningOf(corpus, joined, undefined)] : []].filter(
    (each) => each.length > 0 && each.every(({ count }) => count > 0),
  );
  if (asAsked.length > 0) {
    const counts = asAsked.map((each) => Math.min(...each.map(({ count }) => count)));
    const rare = rarity(counts.reduce((sum, count) => sum + count, 0));
    const meant = asAsked.map((each) => ({ each, isAdjacent: false }));
    return { meant, rarity: rare, weight: 16 + Math.floor(rare / 4) };
  }
  const [{ surface, stem }] = words as readonly [Token];
  if (/\d/.test(surface)) {
    const apart = partings(surface)
      .map((parts) => tokenize(parts, getStemmer(snapshot.shop()?.language)))
      .map((parts) => parts.map((part) => meaningOf(corpus, part, undefined)))
      .filter((parts) => parts.every(({ count }) => count > 0));
    const counts = apart.map((parts) => Math.min(...parts.map(({ count }) => count)));
    const rare = rarity(counts.reduce((sum, count) => sum + count, 0));
    const meant = apart.map((each) => ({ each, isAdjacent: false }));
    return { meant, rarity: rare, weight: 16 + Math.floor(rare / 4) };
  }
  const parted = bestParting(corpus, [surface, stem]);
  if (parted.count > 0) {
    const rare = rarity(parted.count);
    return { meant: [parted.meant], rarity: rare, weight: 12 + Math.floor(rare / 4) };
  }
  const meant = nearestTo(corpus, surface, stem).map((one) => ({
    ...meaning(corpus, [one], undefined),
    sixteenths: 11,
  }));
  const rare = rarity(meant.reduce((sum, { count }) => sum + count, 0));
  return {
    meant: meant.map((one) => ({ each: [one], isAdjacent: false })),
    rarity: rare,
    weight: (meant.length > 0 ? 12 : 16) + Math.floor(rare / 4),
  };
};

/** Splits a word in two that are adjacent in the names of most products. */
const bestParting = (corpus: Corpus, asked: readonly string[]) => {
  const all = [...new Set(asked)].flatMap((word) =>
    [...word].slice(1).map((_, at) => {
      const each = [word.slice(0, at + 1), word.slice(at + 1)].map((part) => ({
        ...meaning(corpus, [part], undefined),
        named: [],
        sixteenths: 11,
      }));
      const meant = { each, isAdjacent: true };
      return { meant, count: corpus.docs.filter((doc) => togetherOf(doc, meant)).length };
    }),
  );
  const most = Math.max(...all.map(({ count }) => count));
  return all.find(({ count }) => count === most) ?? { meant: noneTogether, count: 0 };
};

const noneTogether: Together = { each: [], isAdjacent: true };

/** Splits a model number where letters meet digits: everywhere, or at one position. */
const partings = (written: string): readonly string[] => {
  const parts = written.match(/\d+|[^\d]+/g) ?? [];
  if (parts.length < 2 || parts.length > 5) return [];
  const atOne = parts
    .slice(1)
    .map((_, at) => `${parts.slice(0, at + 1).join("")} ${parts.slice(at + 1).join("")}`);
  return [...new Set([parts.join(" "), ...atOne])];
};

/** Everything that is searched. */
interface Corpus {
  readonly docs: readonly Doc[];
  readonly categories: readonly {
    readonly id: number;
    readonly terms: ReadonlySet<string>;
    readonly name: string;
  }[];
}

const categoriesOf = (snapshot: Snapshot): Corpus["categories"] => {
  const stemmer = getStemmer(snapshot.shop()?.language);
  return snapshot.categories().map(({ id, name }) => ({
    id,
    name,
    terms: new Set(namesOf(snapshot, id).flatMap((name) => [...indexTerms(name, stemmer)])),
  }));
};

const meaningOf = (corpus: Corpus, { surface, stem }: Token, beginning: string | undefined) => ({
  ...meaning(corpus, [stem, surface], beginning),
  sixteenths: 16,
});

/** @param asked a word and its stem, or a word alone */
const meaning = (
  { docs, categories }: Corpus,
  asked: readonly string[],
  beginning: string | undefined,
) => {
  const begins = (word: string): boolean => beginning !== undefined && word.startsWith(beginning);
  const [stem = ""] = asked;
  const written = asked.at(-1) ?? "";
  const exact = new Set([stem]);
  const begun = new Set<string>();
  for (const { spelled } of docs) {
    for (const [one, forms] of spelled) if (forms.includes(written)) exact.add(one);
  }
  for (const { spelled } of docs) {
    for (const [one, forms] of spelled) {
      if (!exact.has(one) && (begins(one) || forms.some(begins))) begun.add(one);
    }
  }
  const named = categories
    .filter(({ terms }) => [...terms].some((term) => asked.includes(term) || begins(term)))
    .map(({ id }) => id);
  const having = (one: string) => docs.filter(({ said }) => said.has(one)).length;
  const count =
    [...exact, ...begun].reduce((sum, one) => sum + having(one), 0) +
    named.reduce((sum, id) => sum + productsIn(docs, id), 0);
  return { exact, begun, named, count };
};

const productsIn = (docs: readonly Doc[], category: number): number =>
  docs.filter(({ seen }) => seen.detail.categoryIds.includes(category)).length;

/** Corrections of a word: of the nearest words the three of most products. */
const nearestTo = (
  { docs, categories }: Corpus,
  asked: string,
  stem: string,
): readonly string[] => {
  const counts = new Map<string, number>();
  const count = (written: string, products: number): void => {
    if (!/^[\p{L}\p{M}]{3,24}$/u.test(written)) return;
    counts.set(written, (counts.get(written) ?? 0) + products);
  };
  for (const { spelled } of docs) {
    for (const forms of spelled.values()) for (const written of new Set(forms)) count(written, 1);
  }
  const named = categories.flatMap(({ name }) => tokenize(name, (word) => word));
  for (const written of new Set([...counts.keys(), ...named.map((word) => word.surface)])) {
    for (const { id, terms } of categories) {
      if (terms.has(written)) count(written, productsIn(docs, id));
    }
  }
  const near = [...counts]
    .filter(([, products]) => products > 0)
    .map(([written, products]) => {
      const errors = Math.min(forgivenBetween(asked, written), forgivenBetween(stem, written));
      return { written, products, errors };
    });
  const least = Math.min(...near.map(({ errors }) => errors));
  const nearest = near.filter(({ errors }) => errors < tooMany && errors === least);
  const alike = nearest.filter(({ written }) => written.startsWith(asked.slice(0, 1)));
  return (alike.length > 0 ? alike : nearest)
    .sort((a, b) => b.products - a.products || (a.written < b.written ? -1 : 1))
    .slice(0, 3)
    .map(({ written }) => written);
};

const tooMany = Number.POSITIVE_INFINITY;

const forgivenBetween = (asked: string, written: string): number => {
  const most = asked.length >= 8 ? 2 : asked.length >= 4 ? 1 : 0;
  const errors = editsBetween(asked, written);
  return most > 0 && errors <= most ? errors : tooMany;
};

/** As the definition has it: a letter put in, left out, taken for another, or two swapped. */
const editsBetween = (one: string, other: string): number => {
  if (one === "" || other === "") return one.length + other.length;
  const [a, b] = [one.slice(1), other.slice(1)];
  if (one[0] === other[0]) return editsBetween(a, b);
  const ways = [editsBetween(a, other), editsBetween(one, b), editsBetween(a, b)];
  const isSwapped = one[0] === other[1] && one[1] === other[0];
  if (isSwapped && one.length > 1) ways.push(editsBetween(one.slice(2), other.slice(2)));
  return 1 + Math.min(...ways);
};

/** Of a category and those above it. */
export const namesOf = (snapshot: Snapshot, id: number): readonly string[] => {
  const category = snapshot.category(id);
  if (!category) return [];
  return [
    category.name,
    ...(category.parentId === null ? [] : namesOf(snapshot, category.parentId)),
  ];
};

const documentOf = (seen: Seen, snapshot: Snapshot) => {
  const stemmer = getStemmer(snapshot.shop()?.language);
  const { product, detail } = seen;
  const specifications = detail.specifications.map(({ name, value }) => `${name} ${value}`);
  const texts = { ...product, specifications: specifications.join("\n") };
  const frequencies = new Map<string, number>();
  const spelled = new Map<string, string[]>();
  for (const [field, weight, slope, usual] of fields) {
    const text = texts[field] ?? "";
    const words = tokenize(text, stemmer);
    const told = field === "reference" || field === "gtin" ? words : [];
    const joined = joinedOf(field, text).filter(
      (joined) => joined !== "" && !told.some(({ surface }) => surface === joined),
    );
    const each = weight / (1 - slope + (slope * words.length) / usual);
    for (const { stem, surface } of [
      ...words,
      ...joined.map((written) => ({ stem: written, surface: written })),
    ]) {
      frequencies.set(stem, (frequencies.get(stem) ?? 0) + each);
      spelled.set(stem, [...(spelled.get(stem) ?? []), surface]);
    }
  }
  const name = [...new Set(tokenize(product.name, stemmer).map(({ stem }) => stem))];
  const said = new Map<string, WordMatch>();
  for (const [stem, frequency] of frequencies) {
    const impact = Math.max(1, Math.round((127 * frequency) / (1.2 + frequency)));
    const position = name.indexOf(stem) + 1;
    const isTold = position > 0 && position <= 15;
    const nameLength = isTold ? Math.min(15, name.length) : 0;
    said.set(stem, { impact, position: isTold ? position : 0, nameLength });
  }
  return { seen, said, spelled };
};

/** What a field says in parts, written together. */
const joinedOf = (field: (typeof fields)[number][0], text: string): readonly string[] => {
  if (field === "description") return [];
  return field === "reference" || field === "gtin" ? [identifierToken(text)] : compoundTerms(text);
};

/** How much a product says a part of a query. */
const matchOf = (doc: Doc, { meant }: Part): WordMatch | undefined =>
  meant.flatMap((together) => togetherOf(doc, together) ?? []).sort(bestFirst)[0];

/** Several words together as much as they do on average. */
const togetherOf = (doc: Doc, { each, isAdjacent }: Together): WordMatch | undefined => {
  const said = each.map((meaning) => saidOf(doc, meaning));
  const [first, next] = said;
  if (!first || said.includes(undefined)) return undefined;
  if (isAdjacent && (first.position === 0 || next?.position !== first.position + 1))
    return undefined;
  const impacts = said.reduce((sum, one) => sum + (one?.impact ?? 0), 0);
  return { ...first, impact: Math.floor(impacts / said.length) };
};

/** By the word itself, a word that begins so, or a category's name. */
const saidOf = (
  { said, seen }: Doc,
  { exact, begun, named, sixteenths }: Meaning,
): WordMatch | undefined => {
  const isInCategory = seen.detail.categoryIds.some((id) => named.includes(id));
  const own = [best(said, exact, sixteenths), best(said, begun, sixteenths / 2)]
    .flatMap((one) => one ?? [])
    .sort(bestFirst)[0];
  if (!isInCategory) return own;
  const impact = Math.floor((84 * sixteenths) / 16);
  if (!own) return { impact, position: 0, nameLength: 0 };
  return { ...own, impact: Math.min(127, Math.max(own.impact, impact) + 12) };
};

const best = (
  said: ReadonlyMap<string, WordMatch>,
  stems: ReadonlySet<string>,
  sixteenths: number,
): WordMatch | undefined => {
  const strongest = [...stems].flatMap((one) => said.get(one) ?? []).sort(bestFirst)[0];
  if (!strongest) return undefined;
  return { ...strongest, impact: Math.floor((strongest.impact * sixteenths) / 16) || 1 };
};

const bestFirst = (a: WordMatch, b: WordMatch): number =>
  b.impact - a.impact || b.nameLength - a.nameLength || b.position - a.position;

const rarityOf = (count: number, products: number): number => {
  const matching = Math.min(count, products);
  const idf = Math.log(1 + (products - matching + 0.5) / (matching + 0.5));
  return Math.max(1, Math.min(63, Math.round(idf * 4)));
};

const unsaid: WordMatch = { impact: 0, position: 0, nameLength: 0 };

const rankOf = (
  matchedOrNot: readonly (WordMatch | undefined)[],
  rarities: readonly number[],
): number => {
  const matched = matchedOrNot.map((one) => one ?? unsaid);
  let rank = 0;
  for (const [at, { impact, position }] of matched.entries()) {
    rank += impact * (rarities[at] as number);
    const before = matched[at - 1];
    if (before && before.position > 0 && position === before.position + 1) {
      rank += 32 * Math.min(rarities[at - 1] as number, rarities[at] as number);
    }
  }
  const isWhole =
    matched.every(({ position }, at) => position === at + 1) &&
    matched.at(-1)?.nameLength === matched.length;
  return isWhole ? rank + 64 * rarities.reduce((sum, one) => sum + one, 0) : rank;
};

import type { Product } from "../../../src/read-model/reader/product.ts";
import type { Snapshot } from "../../../src/read-model/reader/reader.ts";
import {
  identifierToken,
  normaliseIdentifier,
} from "../../../src/read-model/search/text/identifiers.ts";
import {
  joinGroups,
  joinParts,
  joinUnits,
} from "../../../src/read-model/search/text/joined-terms.ts";
import {
  anyLanguage,
  getLanguage,
  type Language,
} from "../../../src/read-model/search/text/language.ts";
import {
  countNumbers,
  splitIdeographs,
  splitSize,
} from "../../../src/read-model/search/text/split-terms.ts";
import {
  getTokenFactory,
  isSameForm,
  markSpelling,
  type Token,
} from "../../../src/read-model/search/text/token.ts";
import {
  indexTerms,
  prepareText,
  tokenize,
} from "../../../src/read-model/search/text/tokenizer.ts";

/**
 * Ranks products by a scan of all documents, without an index. The scan is slow, but short enough to verify by
 * reading. The test compares the search engine with it.
 */

export interface RankedProduct {
  readonly id: number;
  readonly rank: number;
  readonly inStock: boolean;
}

/** A match of a word in a product: its impact and its position in the name. */
interface WordMatch {
  readonly impact: number;
  /** Starts at 1; 0 when the word is not among the first 15 words of the name. */
  readonly position: number;
  readonly nameLength: number;
  /** Mark of the spelling in the name; -1 when it is not in the name. */
  readonly spelling: number;
}

const fields = [
  ["name", 3, 0.7, 10],
  ["brand", 2.8, 0, 1],
  ["reference", 3, 0, 1],
  ["gtin", 3, 0, 1],
  ["specifications", 1.2, 0.5, 30],
  ["description", 1, 0.5, 40],
] as const;

type Doc = ReturnType<typeof buildDoc>;

/** The stems and categories that match one word of a query. */
interface TermExpansion {
  readonly exact: ReadonlySet<string>;
  readonly byPrefix: ReadonlySet<string>;
  readonly categories: readonly number[];
  /** Weight in sixteenths. */
  readonly sixteenths: number;
}

/** Words that a product must all match. */
interface Conjunction {
  readonly terms: readonly TermExpansion[];
  /** Whether they must be adjacent in the name. */
  readonly isAdjacent: boolean;
}

/** The alternatives that match one word of a query. */
interface QueryPart {
  readonly alternatives: readonly Conjunction[];
  readonly rarity: number;
  readonly word: Token;
  readonly isStopWord: boolean;
  /** Weight in a relaxed search. */
  readonly weight: number;
}

/** Options of a ranking. */
export interface RankingOptions {
  isShown(product: Product): boolean;
  /** Whether products that match only parts of the query are results when none matches all parts. */
  readonly relax: boolean;
}

/** Ranks the matching products, best first, and by id for equal ranks. */
export const rankByScan = (
  snapshot: Snapshot,
  all: readonly Product[],
  query: string,
  { isShown, relax }: RankingOptions,
): readonly RankedProduct[] => {
  const language = getLanguage(snapshot.shop()?.language);
  const tokens = tokenize(query, language);
  const docs = all.map((source) => buildDoc(source, snapshot));
  const parts = buildSlots(tokens, language).map(
    (slot): QueryPart => ({
      ...buildPart(snapshot, docs, slot),
      word: slot.word,
      isStopWord: language.stopWords().has(slot.word.surface),
    }),
  );
  const isRequired = parts.map(
    ({ isStopWord }) => !isStopWord || parts.every((part) => part.isStopWord),
  );
  const identifier = normaliseIdentifier(query);
  const shown = docs
    .filter(({ source }) => isShown(source))
    .map((doc) => {
      const { reference, gtin } = doc.source.text;
      const matched = parts.map((part) => matchPart(doc, part));
      const matchesAll =
        matched.length > 0 && matched.every((one, at) => one !== undefined || !isRequired[at]);
      const isExact =
        identifier !== "" &&
        [reference, gtin].some((one) => normaliseIdentifier(one ?? "") === identifier);
      const weight = parts.reduce((sum, part, index) => {
        const match = isRequired[index] ? matched[index] : undefined;
        return sum + (match ? (namesProduct(match) ? 4 * part.weight : part.weight) : 0);
      }, 0);
      return { product: doc.source, matched, matchesAll, isExact, weight };
    });
  const fullMatches = shown.filter(({ matchesAll, isExact }) => matchesAll || isExact);
  const maxWeight = Math.max(0, ...shown.map(({ weight }) => weight));
  const minWeight = Math.max(1, Math.ceil((maxWeight * 7) / 10));
  const found =
    fullMatches.length > 0 || !relax
      ? fullMatches
      : shown.filter(({ weight }) => weight >= minWeight);
  // Partial matches are ranked by the words that must match.
  const isPartial = found !== fullMatches;
  const rankedParts = parts.map((part, at) =>
    isPartial && !isRequired[at] ? { ...part, rarity: 0 } : part,
  );
  return found
    .map(({ product, matched, matchesAll, isExact }) => ({
      id: product.id,
      rank:
        (matchesAll || !isExact ? computeRank(matched, rankedParts) : 0) +
        (isExact ? 100_000_000 : 0),
      inStock: product.offer.availability === "IN_STOCK",
    }))
    .sort((a, b) => b.rank - a.rank || a.id - b.id);
};

/** Whether a word says what a product is. */
const namesProduct = ({ position, impact }: WordMatch): boolean => position > 0 || impact >= 80;

/** A word of a query, with the words that it makes together with its neighbours. */
interface Slot {
  readonly word: Token;
  readonly joined: readonly Token[];
  /** Prefix of the last word of the query. */
  readonly prefix: string | undefined;
}

const buildSlots = (tokens: readonly Token[], language: Language) => {
  const slots = new Map<string, Slot>();
  for (const [index, word] of countNumbers(tokens).entries()) {
    const prefix = index === tokens.length - 1 ? word.surface : undefined;
    const joined = [2, 3].flatMap((length) =>
      Array.from({ length }, (_, before) => tokens.slice(index - before, index - before + length))
        .filter((parts, before) => before <= index && parts.length === length)
        .flatMap((parts) => joinWords(parts, language)),
    );
    slots.set(word.stem, { word, joined, prefix });
  }
  return [...slots.values()];
};

/** Joins words that a product writes as one: a model number, or a compound of two in this spelling. */
const joinWords = (parts: readonly Token[], language: Language): readonly Token[] => {
  const surface = parts.map((part) => part.surface).join("");
  if (/\d/.test(surface)) {
    const digitsMeet = parts.some(
      (part, at) => /^\d/.test(part.surface) && /\d$/.test(parts[at - 1]?.surface ?? ""),
    );
    return /\p{L}/u.test(surface) && !digitsMeet ? tokenize(surface, language).slice(-1) : [];
  }
  const [first, second, ...more] = parts;
  if (!first || !second || more.length > 0) return [];
  const toToken = getTokenFactory(language);
  const compound = toToken(surface);
  const { stem } = toToken(second.surface);
  const shared = [...stem].findIndex(
    (_, at) => !compound.stem.startsWith(first.surface + stem.slice(0, at + 1)),
  );
  const kept = compound.stem.startsWith(first.surface) ? (shared < 0 ? stem.length : shared) : 0;
  return kept > stem.length / 2 ? [compound] : [];
};

const buildPart = (
  snapshot: Snapshot,
  docs: readonly Doc[],
  { word, joined, prefix }: Slot,
): Omit<QueryPart, "word" | "isStopWord"> => {
  const corpus = { categories: readCategories(snapshot), docs };
  const rarity = (count: number): number => computeRarity(count, docs.length);
  const language = getLanguage(snapshot.shop()?.language);
  const pieces = splitIdeographs(word).map(getTokenFactory(language));
  const phrases = [
    [expandToken(corpus, word, prefix)],
    ...joined.map((one) => [expandToken(corpus, one, undefined)]),
    pieces.map((piece) => expandToken(corpus, piece, undefined)),
  ]
    .filter((each) => each.length > 0 && each.every(({ count }) => count > 0))
    .map((terms) => ({
      conjunction: { terms, isAdjacent: false },
      count: Math.min(...terms.map(({ count }) => count)),
    }));
  const alternatives = [...phrases, ...splitWord(corpus, word, prefix !== undefined, language)];
  if (alternatives.length > 0) {
    const partRarity = rarity(alternatives.reduce((sum, { count }) => sum + count, 0));
    return {
      alternatives: alternatives.map(({ conjunction }) => conjunction),
      rarity: partRarity,
      weight: 16 + Math.floor(partRarity / 4),
    };
  }
  const { surface, stem } = word;
  if (language.stopWords().has(surface)) return { alternatives: [], rarity: rarity(0), weight: 0 };
  const corrections = findCorrections(corpus, surface, stem).map((one) => ({
    ...expandForms(corpus, [one], undefined),
    sixteenths: 11,
  }));
  const partRarity = rarity(corrections.reduce((sum, { count }) => sum + count, 0));
  return {
    alternatives: corrections.map((one) => ({ terms: [one], isAdjacent: false })),
    rarity: partRarity,
    weight: (corrections.length > 0 ? 12 : 16) + Math.floor(partRarity / 4),
  };
};

/** Splits a word into words that are side by side in names; one with digits between letters and digits. */
const splitWord = (corpus: Corpus, { surface }: Token, isLast: boolean, language: Language) =>
  (language.stopWords().has(surface) ? [] : splitText(surface))
    .map((parts) => parts.map(getTokenFactory(language)))
    .filter((parts) => !parts.every((part) => language.stopWords().has(part.surface)))
    .map((parts) => ({
      terms: parts.map((part, at) => {
        const isPrefix = isLast && at === parts.length - 1 && /^\d\d+$/.test(part.surface);
        const prefix = isPrefix ? part.surface : undefined;
        const { byPrefix } = expandToken(corpus, { ...part, surface: part.stem }, prefix);
        return { exact: new Set([part.stem]), byPrefix, categories: [], sixteenths: 16 };
      }),
      isAdjacent: true,
    }))
    .map((conjunction) => ({
      conjunction,
      count: corpus.docs.filter((doc) => matchConjunction(doc, conjunction)).length,
    }))
    .filter(({ count }) => count > 0);

const splitText = (surface: string): readonly (readonly string[])[] => {
  if (!/\d/.test(surface)) {
    const pairs = [...surface].map((_, at) => [surface.slice(0, at), surface.slice(at)]);
    return pairs.filter(
      (parts) => surface.length <= 30 && parts[0] !== "" && (parts[1]?.length ?? 0) > 1,
    );
  }
  const parts = surface.match(/[\d. ]+|[^\d. ]+/g) ?? [];
  if (parts.length > 4) return [];
  // Each bit of a number stands for one position.
  return Array.from({ length: 2 ** (parts.length - 1) - 1 }, (_, bits) =>
    parts
      .map((part, at) => (at > 0 && ((bits + 1) >> (at - 1)) & 1 ? ` ${part}` : part))
      .join("")
      .split(" "),
  );
};

/** All searchable documents and categories. */
interface Corpus {
  readonly docs: readonly Doc[];
  readonly categories: readonly {
    readonly id: number;
    readonly terms: ReadonlySet<string>;
    readonly name: string;
  }[];
}

const readCategories = (snapshot: Snapshot): Corpus["categories"] => {
  const language = getLanguage(snapshot.shop()?.language);
  return snapshot.categories().map(({ id, name }) => ({
    id,
    name,
    terms: new Set(categoryNames(snapshot, id).flatMap((name) => [...indexTerms(name, language)])),
  }));
};

const expandToken = (corpus: Corpus, { surface, stem }: Token, prefix: string | undefined) => ({
  ...expandForms(corpus, [stem, surface], prefix),
  sixteenths: 16,
});

/** @param words a stem and its word, or a word alone */
const expandForms = (
  { docs, categories }: Corpus,
  words: readonly string[],
  prefix: string | undefined,
) => {
  const hasPrefix = (word: string): boolean => prefix !== undefined && word.startsWith(prefix);
  const [stem = ""] = words;
  const written = words.at(-1) ?? "";
  const exact = new Set([stem]);
  const byPrefix = new Set<string>();
  for (const { spelled } of docs) {
    for (const [one, forms] of spelled) if (forms.includes(written)) exact.add(one);
  }
  for (const { spelled } of docs) {
    for (const [one, forms] of spelled) {
      if (!exact.has(one) && (hasPrefix(one) || forms.some(hasPrefix))) byPrefix.add(one);
    }
  }
  const matching = categories
    .filter(({ terms }) => [...terms].some((term) => words.includes(term) || hasPrefix(term)))
    .map(({ id }) => id);
  const having = (one: string) => docs.filter(({ matches }) => matches.has(one)).length;
  const count =
    [...exact, ...byPrefix].reduce((sum, one) => sum + having(one), 0) +
    matching.reduce((sum, id) => sum + productsIn(docs, id), 0);
  return { exact, byPrefix, categories: matching, count };
};

const productsIn = (docs: readonly Doc[], category: number): number =>
  docs.filter(({ source }) => source.text.categoryIds.includes(category)).length;

/** Finds up to three corrections of a word: of the words with the fewest errors, those of the most products. */
const findCorrections = (
  { docs, categories }: Corpus,
  word: string,
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
  const names = categories.flatMap(({ name }) => tokenize(name, anyLanguage));
  for (const written of new Set([...counts.keys(), ...names.map((word) => word.surface)])) {
    for (const { id, terms } of categories) {
      if (terms.has(written)) count(written, productsIn(docs, id));
    }
  }
  const near = [...counts]
    .filter(([, products]) => products > 0)
    .map(([written, products]) => {
      const errors = Math.min(countAllowedErrors(word, written), countAllowedErrors(stem, written));
      return { written, products, errors };
    });
  const minErrors = Math.min(...near.map(({ errors }) => errors));
  const nearest = near.filter(({ errors }) => errors < tooMany && errors === minErrors);
  const sameInitial = nearest.filter(({ written }) => written.startsWith(word.slice(0, 1)));
  return (sameInitial.length > 0 ? sameInitial : nearest)
    .sort((a, b) => b.products - a.products || (a.written < b.written ? -1 : 1))
    .slice(0, 3)
    .map(({ written }) => written);
};

const tooMany = Number.POSITIVE_INFINITY;

const countAllowedErrors = (word: string, written: string): number => {
  const maxErrors = word.length >= 8 ? 2 : word.length >= 4 ? 1 : 0;
  const errors = editDistance(word, written);
  return maxErrors > 0 && errors <= maxErrors ? errors : tooMany;
};

/** Distances of pairs of words and of their ends, because the recursion meets each pair of ends repeatedly. */
const distances = new Map<string, number>();

/** Computes the optimal string alignment distance: insertions, deletions, substitutions and swaps. */
const editDistance = (one: string, other: string): number => {
  if (one === "" || other === "") return one.length + other.length;
  const pair = `${one} ${other}`;
  const distance = distances.get(pair) ?? computeDistance(one, other);
  distances.set(pair, distance);
  return distance;
};

const computeDistance = (one: string, other: string): number => {
  const [a, b] = [one.slice(1), other.slice(1)];
  if (one[0] === other[0]) return editDistance(a, b);
  const ways = [editDistance(a, other), editDistance(one, b), editDistance(a, b)];
  const isSwapped = one[0] === other[1] && one[1] === other[0];
  if (isSwapped && one.length > 1) ways.push(editDistance(one.slice(2), other.slice(2)));
  return 1 + Math.min(...ways);
};

/** Collects the names of a category and its ancestors. */
export const categoryNames = (snapshot: Snapshot, id: number): readonly string[] => {
  const category = snapshot.category(id);
  if (!category) return [];
  return [
    category.name,
    ...(category.parentId === null ? [] : categoryNames(snapshot, category.parentId)),
  ];
};

const buildDoc = (source: Product, snapshot: Snapshot) => {
  const language = getLanguage(snapshot.shop()?.language);
  const { text: own, description } = source;
  const specifications = own.specifications.map(({ name, value }) => `${name} ${value}`);
  const texts = { ...own, description, specifications: specifications.join("\n") };
  const frequencies = new Map<string, number>();
  const spelled = new Map<string, string[]>();
  for (const [field, weight, b, referenceLength] of fields) {
    const text = texts[field] ?? "";
    const words = tokenize(text, language);
    const each = weight / (1 - b + (b * words.length) / referenceLength);
    const add = ({ stem, surface }: Token, share: number): void => {
      frequencies.set(stem, (frequencies.get(stem) ?? 0) + share * each);
      spelled.set(stem, [...(spelled.get(stem) ?? []), surface]);
    };
    for (const word of words) add(word, 1);
    for (const word of countNumbers(words).filter((one, at) => one !== words[at])) add(word, 1);
    for (const word of derivedTokens(field, text, words, language)) add(word, 1);
    const pieces = field === "description" ? [] : words.flatMap(splitIdeographs);
    for (const token of pieces.map(getTokenFactory(language))) add(token, 0.5);
  }
  const nameWords = tokenize(own.name, language);
  const matches = new Map<string, WordMatch>();
  for (const [stem, frequency] of frequencies) {
    const impact = Math.max(1, Math.round((127 * frequency) / (1.2 + frequency)));
    matches.set(stem, { impact, ...findInName(nameWords, stem) });
  }
  return { source, matches, spelled };
};

/** Finds a stem among the first 15 distinct words of a name. */
const findInName = (words: readonly Token[], stem: string): Omit<WordMatch, "impact"> => {
  const stems = [...new Set(words.map((word) => word.stem))];
  const position = stems.indexOf(stem) + 1;
  if (position === 0 || position > 15) return { position: 0, nameLength: 0, spelling: -1 };
  const spelling = words.find((word) => word.stem === stem)?.spelling ?? -1;
  return { position, nameLength: Math.min(15, stems.length), spelling };
};

/** Lists the tokens that a field has in addition to its words. */
const derivedTokens = (
  field: (typeof fields)[number][0],
  text: string,
  words: readonly Token[],
  language: Language,
): readonly Token[] =>
  derivedTexts(field, text, words)
    .flatMap((one) => tokenize(one, language))
    .filter((token) => !words.some(({ stem }) => stem === token.stem));

const derivedTexts = (
  field: (typeof fields)[number][0],
  text: string,
  words: readonly Token[],
): readonly string[] => {
  if (field === "reference" || field === "gtin") {
    const joined = identifierToken(text);
    return joined === "" || words.some(({ surface }) => surface === joined) ? [] : [joined];
  }
  const prepared = prepareText(text);
  const sizes = [...words.flatMap(splitSize), ...joinGroups(prepared)];
  if (field === "description") return sizes;
  return [...sizes, ...joinParts(prepared), ...joinUnits(prepared)];
};

/** Finds the best match of a product with a part of a query. */
const matchPart = (doc: Doc, { alternatives }: QueryPart): WordMatch | undefined =>
  alternatives.flatMap((one) => matchConjunction(doc, one) ?? []).sort(bestFirst)[0];

/** Matches all words of a conjunction. The impact is the mean of their impacts. */
const matchConjunction = (doc: Doc, { terms, isAdjacent }: Conjunction): WordMatch | undefined => {
  const matches = terms.map((term) => matchTerm(doc, term));
  const [first] = matches;
  if (!first || matches.includes(undefined)) return undefined;
  if (
    isAdjacent &&
    matches.some((one, at) => first.position === 0 || one?.position !== first.position + at)
  )
    return undefined;
  const impacts = matches.reduce((sum, one) => sum + (one?.impact ?? 0), 0);
  const impact = Math.floor(impacts / matches.length);
  return { ...first, impact: isAdjacent ? Math.floor((impact * 8) / 16) || 1 : impact };
};

/** Matches a term by its stems, by a prefix, or by the name of a category. */
const matchTerm = (
  { matches, source }: Doc,
  { exact, byPrefix, categories, sixteenths }: TermExpansion,
): WordMatch | undefined => {
  const isInCategory = source.text.categoryIds.some((id) => categories.includes(id));
  const own = [bestMatch(matches, exact, sixteenths), bestMatch(matches, byPrefix, sixteenths / 2)]
    .flatMap((one) => one ?? [])
    .sort(bestFirst)[0];
  if (!isInCategory) return own;
  const impact = Math.floor((84 * sixteenths) / 16);
  if (!own) return { ...noMatch, impact };
  return { ...own, impact: Math.min(127, Math.max(own.impact, impact) + 12) };
};

const bestMatch = (
  matches: ReadonlyMap<string, WordMatch>,
  stems: ReadonlySet<string>,
  sixteenths: number,
): WordMatch | undefined => {
  const strongest = [...stems].flatMap((one) => matches.get(one) ?? []).sort(bestFirst)[0];
  if (!strongest) return undefined;
  return { ...strongest, impact: Math.floor((strongest.impact * sixteenths) / 16) || 1 };
};

const bestFirst = (a: WordMatch, b: WordMatch): number =>
  b.impact - a.impact ||
  b.spelling - a.spelling ||
  b.nameLength - a.nameLength ||
  b.position - a.position;

const computeRarity = (count: number, products: number): number => {
  const matching = Math.min(count, products);
  const idf = Math.log(1 + (products - matching + 0.5) / (matching + 0.5));
  return Math.max(1, Math.min(63, Math.round(idf * 4)));
};

const noMatch: WordMatch = { impact: 0, position: 0, nameLength: 0, spelling: -1 };

const isMarked = ({ surface, spelling }: Token): boolean =>
  spelling !== markSpelling(surface, surface);

const isSpelledAs = (word: Token | undefined, spelling: number): boolean =>
  word !== undefined &&
  (isMarked(word) ? spelling === word.spelling : isSameForm(spelling, word.spelling));

const spellingBonus = ({ spelling, impact }: WordMatch, word: Token): number => {
  if (spelling === word.spelling) return word.isSigned ? 64 : 4;
  if (!isSameForm(spelling, word.spelling)) return 0;
  return isMarked(word) && !word.isSigned ? -Math.floor(impact / 2) : 3;
};

const computeRank = (
  matches: readonly (WordMatch | undefined)[],
  parts: readonly QueryPart[],
): number => {
  const matched = matches.map((one) => one ?? noMatch);
  const rarities = parts.map(({ rarity }) => rarity);
  let rank = 0;
  for (const [index, match] of matched.entries()) {
    const { impact, position } = match;
    const word = parts[index]?.word;
    const bonus = position > 0 && word ? spellingBonus(match, word) : 0;
    rank += (impact + bonus) * (rarities[index] as number);
    const before = matched[index - 1];
    if (before && before.position > 0 && position === before.position + 1) {
      rank += 32 * Math.min(rarities[index - 1] as number, rarities[index] as number);
    }
  }
  const isCompleteName =
    matched.every(
      ({ position, spelling }, index) =>
        position === index + 1 && isSpelledAs(parts[index]?.word, spelling),
    ) && matched.at(-1)?.nameLength === matched.length;
  return isCompleteName ? rank + 64 * rarities.reduce((sum, one) => sum + one, 0) : rank;
};

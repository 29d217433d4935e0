import type { ProductText } from "../src/read-model/schema/documents.ts";
import type { Specification } from "../src/read-model/schema/product-parts.ts";
import { encodePayload, type Payload } from "../src/read-model/search/postings/payload.ts";
import { identifierToken } from "../src/read-model/search/text/identifiers.ts";
import { joinGroups, joinParts, joinUnits } from "../src/read-model/search/text/joined-terms.ts";
import type { Language } from "../src/read-model/search/text/language.ts";
import { countNumbers, listPieces, splitSize } from "../src/read-model/search/text/split-terms.ts";
import {
  getTokenFactory,
  maxTokenLength,
  type SpellingMark,
  type Token,
} from "../src/read-model/search/text/token.ts";
import {
  prepareText,
  removeElided,
  tokenizeNormalised,
} from "../src/read-model/search/text/tokenizer.ts";
import { formatAttribute } from "../src/text/attribute-value.ts";

/** The product texts that a search reads. Category names are added when a query runs. */
export interface SearchableFields
  extends Pick<ProductText, "name" | "brand" | "reference" | "gtin"> {
  readonly description: string | null;
  readonly specifications: readonly Specification[];
  /** Names and values of options, tags and highlights; they weigh as specifications do. */
  readonly labels: readonly string[];
  /** SKUs, GTINs and MPNs that are not in `reference` and `gtin`. */
  readonly codes: readonly string[];
}

/** An index term of a product: a stem with its weight. */
export interface TermEntry {
  readonly payload: Payload;
  /** The spellings of the stem in this product. */
  readonly surfaceForms: readonly string[];
}

type Field = keyof typeof fields;

/**
 * The BM25F parameters of each field: weight, length normalisation `b` and reference length. The reference lengths
 * are constants, because with the catalogue's averages each edit would change the weights of every product.
 */
const fields = {
  name: { weight: 3, b: 0.7, referenceLength: 10 },
  brand: { weight: 2.8, b: 0, referenceLength: 1 },
  reference: { weight: 3, b: 0, referenceLength: 1 },
  gtin: { weight: 3, b: 0, referenceLength: 1 },
  specifications: { weight: 1.2, b: 0.5, referenceLength: 30 },
  description: { weight: 1, b: 0.5, referenceLength: 40 },
} as const;

/** Characters of specifications that are indexed. A product with a hundred specifications has a few thousand. */
export const maxSpecificationChars = 100_000;

/** The saturation parameter k1 of BM25F: how fast repetitions of a term stop adding weight. */
const saturation = 1.2;

/** Computes the index terms of a product, each with its weight in this product alone. */
export const computeTermEntries = (
  product: SearchableFields,
  language: Language,
): ReadonlyMap<string, TermEntry> => {
  const terms = new Map<string, TermAccumulator>();
  addTerms(terms, "name", product.name, language);
  // Count distinct words, because a word that the name repeats adds nothing.
  const nameLength = [...terms.values()].filter(({ wordPosition }) => wordPosition > 0).length;
  for (const field of ["brand", "reference", "gtin", "description"] as const) {
    addTerms(terms, field, product[field] ?? "", language);
  }
  for (const code of product.codes) addTerms(terms, "reference", code, language);
  const specificationText = [...product.specifications.map(toText), ...product.labels].join("\n");
  addTerms(terms, "specifications", specificationText.slice(0, maxSpecificationChars), language);
  for (const entry of terms.values()) {
    const { frequency, wordPosition, spelling } = entry;
    const impact = Math.max(1, Math.round((127 * frequency) / (saturation + frequency)));
    entry.payload = encodePayload(impact, wordPosition, nameLength, spelling);
  }
  return terms;
};

/** Writes a specification as pages show it, so that the unit of an attribute is found. */
export const toText = ({ name, value, typed }: Specification): string =>
  `${name} ${formatAttribute(value, typed)}`;

interface TermAccumulator {
  frequency: number;
  /** Position among the distinct words of the name, from 1; 0 when the name does not contain the word. */
  readonly wordPosition: number;
  /** Of the first occurrence in the name. */
  readonly spelling: SpellingMark;
  /** Set after all fields were read. */
  payload: Payload;
  readonly surfaceForms: string[];
}

const addTerms = (
  terms: Map<string, TermAccumulator>,
  field: Field,
  text: string,
  language: Language,
): void => {
  if (text === "") return;
  const prepared = prepareText(text);
  const words = tokenizeNormalised(removeElided(prepared, language), language);
  const { weight, b, referenceLength } = fields[field];
  const increment = weight / (1 - b + (b * words.length) / referenceLength);
  const stems = new Set(words.map(({ stem }) => stem));
  const add = (token: Token, wordPosition: number, share = 1): void => {
    const { surface, stem, spelling } = token;
    const entry = terms.get(stem);
    if (!entry) {
      const frequency = share * increment;
      terms.set(stem, { frequency, wordPosition, spelling, payload: 0, surfaceForms: [surface] });
      return;
    }
    entry.frequency += share * increment;
    if (!entry.surfaceForms.includes(surface)) entry.surfaceForms.push(surface);
  };
  let wordPosition = 0;
  for (const word of words) {
    const isNewNameTerm = field === "name" && !terms.has(word.stem);
    if (isNewNameTerm) wordPosition += 1;
    add(word, isNewNameTerm ? wordPosition : 0);
  }
  const derived = deriveTexts(field, text, prepared, words);
  // A joined word that is a form of a word of the text adds nothing: `men's` is `men` already.
  for (const token of toTokens(derived, language)) if (!stems.has(token.stem)) add(token, 0);
  for (const token of countNumbers(words)) if (!stems.has(token.stem)) add(token, 0);
  if (field === "description") return;
  const toToken = getTokenFactory(language);
  for (const piece of listPieces(prepared, words)) add(toToken(piece), 0, pieceShare);
};

/** Weight of a piece of a word, relative to the word. */
const pieceShare = 0.5;

const toTokens = (texts: readonly string[], language: Language): readonly Token[] =>
  texts.flatMap((text) => tokenizeNormalised(text.slice(0, maxTokenLength), language).slice(-1));

/** Lists the terms that a field has in addition to its words: the parts of a word or number as one, and the numbers of a size. */
const deriveTexts = (
  field: Field,
  text: string,
  prepared: string,
  words: readonly Token[],
): readonly string[] => {
  if (field === "reference" || field === "gtin") {
    const joined = identifierToken(text);
    return joined === "" || words.some(({ surface }) => surface === joined) ? [] : [joined];
  }
  const numbers = joinGroups(prepared);
  const sizes = [...words, ...numbers.map((surface) => ({ surface }))].flatMap(splitSize);
  // Prose contains many pairs of words, and queries do not use them.
  if (field === "description") return [...sizes, ...numbers];
  // The parts of `L'Oréal` are one word, too, because it is also written without the apostrophe.
  return [...sizes, ...numbers, ...joinParts(prepared), ...joinUnits(prepared)];
};

import type { NameValue } from "../src/events/event.ts";
import type { IdentifierMember, ProductDocument } from "../src/read-model/schema/documents.ts";
import { encodePayload, type Payload } from "../src/read-model/search/postings/payload.ts";
import {
  compoundTerms,
  identifierToken,
  normaliseIdentifier,
} from "../src/read-model/search/text/identifiers.ts";
import type { Stemmer } from "../src/read-model/search/text/stemmer.ts";
import type { Token } from "../src/read-model/search/text/token.ts";
import { tokenize } from "../src/read-model/search/text/tokenizer.ts";

/** The product texts that a search reads. Category names are added when a query runs. */
export interface SearchableFields
  extends Pick<ProductDocument, "name" | "brand" | "reference" | "gtin" | "description"> {
  readonly specifications: readonly NameValue[];
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
  stemmer: Stemmer,
): ReadonlyMap<string, TermEntry> => {
  const terms = new Map<string, TermAccumulator>();
  addTerms(terms, "name", product.name, stemmer);
  // Count distinct words, because a word that the name repeats adds nothing.
  const nameLength = [...terms.values()].filter(({ wordPosition }) => wordPosition > 0).length;
  for (const field of ["brand", "reference", "gtin", "description"] as const) {
    addTerms(terms, field, product[field] ?? "", stemmer);
  }
  const specificationText = product.specifications
    .map(({ name, value }) => `${name} ${value}`)
    .join("\n");
  addTerms(terms, "specifications", specificationText.slice(0, maxSpecificationChars), stemmer);
  for (const entry of terms.values()) {
    const { frequency, wordPosition } = entry;
    const impact = Math.max(1, Math.round((127 * frequency) / (saturation + frequency)));
    entry.payload = encodePayload(impact, wordPosition, nameLength);
  }
  return terms;
};

interface TermAccumulator {
  /** Weighted sum over all fields. */
  frequency: number;
  /** Position among the distinct words of the name, from 1; 0 when the name does not contain the word. */
  readonly wordPosition: number;
  /** Set after all fields were read. */
  payload: Payload;
  readonly surfaceForms: string[];
}

const addTerms = (
  terms: Map<string, TermAccumulator>,
  field: Field,
  text: string,
  stemmer: Stemmer,
): void => {
  if (text === "") return;
  const words = tokenize(text, stemmer);
  const { weight, b, referenceLength } = fields[field];
  const increment = weight / (1 - b + (b * words.length) / referenceLength);
  const add = ({ surface, stem }: Token, wordPosition: number): void => {
    const entry = terms.get(stem);
    if (!entry) {
      terms.set(stem, { frequency: increment, wordPosition, payload: 0, surfaceForms: [surface] });
      return;
    }
    entry.frequency += increment;
    if (!entry.surfaceForms.includes(surface)) entry.surfaceForms.push(surface);
  };
  let wordPosition = 0;
  for (const word of words) {
    const isNewNameTerm = field === "name" && !terms.has(word.stem);
    if (isNewNameTerm) wordPosition += 1;
    add(word, isNewNameTerm ? wordPosition : 0);
  }
  for (const written of joinParts(field, text, words)) add({ surface: written, stem: written }, 0);
};

/** Joins the parts of a word that a field writes separated, as additional terms. */
const joinParts = (field: Field, text: string, words: readonly Token[]): readonly string[] => {
  // Prose contains many such pairs, and queries do not use them.
  if (field === "description") return [];
  if (field !== "reference" && field !== "gtin") return compoundTerms(text);
  const joined = identifierToken(text);
  return joined === "" || words.some(({ surface }) => surface === joined) ? [] : [joined];
};

/** Normalises reference and GTIN for the exact look-up; a missing one becomes an empty string. */
export const normaliseIdentifiers = (
  product: Pick<ProductDocument, IdentifierMember> | undefined,
): Readonly<Record<IdentifierMember, string>> => ({
  reference: normaliseIdentifier(product?.reference ?? ""),
  gtin: normaliseIdentifier(product?.gtin ?? ""),
});

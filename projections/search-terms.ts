import type { Named } from "../src/events/event.ts";
import type { IdentifierMember, ProductDocument } from "../src/read-model/schema/documents.ts";
import { type Payload, payloadOf } from "../src/read-model/search/postings/posting-codec.ts";
import type { Stemmer } from "../src/read-model/search/text/stemmer.ts";
import {
  compoundsOf,
  identifierOf,
  type Word,
  wordOfIdentifier,
  wordsOf,
} from "../src/read-model/search/text/tokenizer.ts";

/** The texts a product is found by; the names of its categories are looked up when it is searched for. */
export interface Searched
  extends Pick<ProductDocument, "name" | "brand" | "reference" | "gtin" | "description"> {
  readonly specifications: readonly Named[];
}

/** One word of a product, by its stem. */
export interface Entry {
  readonly payload: Payload;
  /** The stem's spellings in this product. */
  readonly forms: readonly string[];
}

type Field = keyof typeof fields;

/**
 * BM25F with its averages fixed: how much a field counts, how much of that its length takes away, and the length
 * of such a field that is neither long nor short. Were they the catalogue's own averages, every edit would move
 * every product.
 */
const fields = {
  name: { weight: 3, b: 0.7, referenceLength: 10 },
  brand: { weight: 2.8, b: 0, referenceLength: 1 },
  reference: { weight: 3, b: 0, referenceLength: 1 },
  gtin: { weight: 3, b: 0, referenceLength: 1 },
  specifications: { weight: 1.2, b: 0.5, referenceLength: 30 },
  description: { weight: 1, b: 0.5, referenceLength: 40 },
} as const;

/** Characters of specifications that are indexed: a product of a hundred has a few thousand. */
export const longestTold = 100_000;

/** How soon saying a word again adds nothing. */
const saturation = 1.2;

/** The words of a product by their stems, each with what it counts in this product alone. */
export const deriveEntries = (product: Searched, stemmer: Stemmer): ReadonlyMap<string, Entry> => {
  const terms = new Map<string, TermAccumulator>();
  addTerms(terms, "name", product.name, stemmer);
  // A name that says a word twice says nothing else for it.
  const nameLength = [...terms.values()].filter(({ wordPosition }) => wordPosition > 0).length;
  for (const field of ["brand", "reference", "gtin", "description"] as const) {
    addTerms(terms, field, product[field] ?? "", stemmer);
  }
  const specificationText = product.specifications
    .map(({ name, value }) => `${name} ${value}`)
    .join("\n");
  addTerms(terms, "specifications", specificationText.slice(0, longestTold), stemmer);
  for (const entry of terms.values()) {
    const { frequency, wordPosition } = entry;
    const impact = Math.max(1, Math.round((127 * frequency) / (saturation + frequency)));
    entry.payload = payloadOf(impact, wordPosition, nameLength);
  }
  return terms;
};

interface TermAccumulator {
  /** Of all fields, weighted. */
  frequency: number;
  /** Among the words of the name, from 1; 0 when it is not there. A word said again has no place of its own. */
  readonly wordPosition: number;
  /** Known when all fields were read. */
  payload: Payload;
  readonly forms: string[];
}

const addTerms = (
  terms: Map<string, TermAccumulator>,
  field: Field,
  text: string,
  stemmer: Stemmer,
): void => {
  if (text === "") return;
  const words = wordsOf(text, stemmer);
  const { weight, b, referenceLength } = fields[field];
  const increment = weight / (1 - b + (b * words.length) / referenceLength);
  const add = ({ written, stem }: Word, wordPosition: number): void => {
    const entry = terms.get(stem);
    if (!entry) {
      terms.set(stem, { frequency: increment, wordPosition, payload: 0, forms: [written] });
      return;
    }
    entry.frequency += increment;
    if (!entry.forms.includes(written)) entry.forms.push(written);
  };
  let wordPosition = 0;
  for (const word of words) {
    const isNewNameTerm = field === "name" && !terms.has(word.stem);
    if (isNewNameTerm) wordPosition += 1;
    add(word, isNewNameTerm ? wordPosition : 0);
  }
  for (const written of joinParts(field, text, words)) add({ written, stem: written }, 0);
};

/** What a field says in parts, written together. */
const joinParts = (field: Field, text: string, words: readonly Word[]): readonly string[] => {
  // Prose is full of such pairs, and nobody asks for them there.
  if (field === "description") return [];
  if (field !== "reference" && field !== "gtin") return compoundsOf(text);
  const joined = wordOfIdentifier(text);
  return joined === "" || words.some(({ written }) => written === joined) ? [] : [joined];
};

/** What a product is found by exactly: its reference and its GTIN, each empty where it has none. */
export const deriveIdentifiers = (
  product: Pick<ProductDocument, IdentifierMember> | undefined,
): Readonly<Record<IdentifierMember, string>> => ({
  reference: identifierOf(product?.reference ?? ""),
  gtin: identifierOf(product?.gtin ?? ""),
});

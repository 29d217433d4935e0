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
  name: { weight: 3, slope: 0.7, usual: 10 },
  brand: { weight: 2.8, slope: 0, usual: 1 },
  reference: { weight: 3, slope: 0, usual: 1 },
  gtin: { weight: 3, slope: 0, usual: 1 },
  specifications: { weight: 1.2, slope: 0.5, usual: 30 },
  description: { weight: 1, slope: 0.5, usual: 40 },
} as const;

/** Characters of specifications that are indexed: a product of a hundred has a few thousand. */
export const longestTold = 100_000;

/** How soon saying a word again adds nothing. */
const saturation = 1.2;

/** The words of a product by their stems, each with what it counts in this product alone. */
export const deriveEntries = (product: Searched, stemmer: Stemmer): ReadonlyMap<string, Entry> => {
  const found = new Map<string, Found>();
  collect(found, "name", product.name, stemmer);
  // A name that says a word twice says nothing else for it.
  const nameLength = [...found.values()].filter(({ place }) => place > 0).length;
  for (const field of ["brand", "reference", "gtin", "description"] as const) {
    collect(found, field, product[field] ?? "", stemmer);
  }
  const told = product.specifications.map(({ name, value }) => `${name} ${value}`).join("\n");
  collect(found, "specifications", told.slice(0, longestTold), stemmer);
  for (const entry of found.values()) {
    const { frequency, place } = entry;
    const impact = Math.max(1, Math.round((127 * frequency) / (saturation + frequency)));
    entry.payload = payloadOf(impact, place, nameLength);
  }
  return found;
};

interface Found {
  /** Of all fields, weighted. */
  frequency: number;
  /** Among the words of the name, from 1; 0 when it is not there. A word said again has no place of its own. */
  readonly place: number;
  /** Known when all fields were read. */
  payload: Payload;
  readonly forms: string[];
}

const collect = (found: Map<string, Found>, field: Field, text: string, stemmer: Stemmer): void => {
  if (text === "") return;
  const words = wordsOf(text, stemmer);
  const { weight, slope, usual } = fields[field];
  const each = weight / (1 - slope + (slope * words.length) / usual);
  const add = ({ written, stem }: Word, place: number): void => {
    const entry = found.get(stem);
    if (!entry) {
      found.set(stem, { frequency: each, place, payload: 0, forms: [written] });
      return;
    }
    entry.frequency += each;
    if (!entry.forms.includes(written)) entry.forms.push(written);
  };
  let place = 0;
  for (const word of words) {
    const isPlaced = field === "name" && !found.has(word.stem);
    if (isPlaced) place += 1;
    add(word, isPlaced ? place : 0);
  }
  for (const written of joinedOf(field, text, words)) add({ written, stem: written }, 0);
};

/** What a field says in parts, written together. */
const joinedOf = (field: Field, text: string, words: readonly Word[]): readonly string[] => {
  // Prose is full of such pairs, and nobody asks for them there.
  if (field === "description") return [];
  if (field !== "reference" && field !== "gtin") return compoundsOf(text);
  const whole = wordOfIdentifier(text);
  return whole === "" || words.some(({ written }) => written === whole) ? [] : [whole];
};

/** What a product is found by exactly: its reference and its GTIN, each empty where it has none. */
export const deriveIdentifiers = (
  product: Pick<ProductDocument, IdentifierMember> | undefined,
): Readonly<Record<IdentifierMember, string>> => ({
  reference: identifierOf(product?.reference ?? ""),
  gtin: identifierOf(product?.gtin ?? ""),
});

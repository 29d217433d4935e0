import type { ProductDocument } from "../src/read-model/documents.ts";
import type { Stemmer } from "../src/read-model/search/stemmer.ts";
import { identifierOf, termsOf } from "../src/read-model/search/words.ts";

/** How much a word counts by the field it stands in; a word in several fields counts for each once. */
const weights = { name: 8, brand: 4, reference: 4, gtin: 4, description: 1 } as const;

/** The words of a product and their stems, each with its weight, in a stable order. */
export const deriveWords = (product: ProductDocument, stemmer: Stemmer): Record<string, number> => {
  const found = new Map<string, number>();
  for (const field of Object.keys(weights) as (keyof typeof weights)[]) {
    for (const word of termsOf(product[field] ?? "", stemmer)) {
      found.set(word, (found.get(word) ?? 0) + weights[field]);
    }
  }
  return Object.fromEntries(found);
};

/** What a product is found by exactly: its reference and its GTIN. */
export const deriveIdentifiers = (product: ProductDocument | undefined): string[] =>
  [product?.reference, product?.gtin]
    .map((text) => identifierOf(text ?? ""))
    .filter((identifier, at, all) => identifier !== "" && all.indexOf(identifier) === at);

import { foldDiacritics, normalise } from "./text-normalisation.ts";
import { maxTokenLength } from "./token.ts";

/**
 * Removes separators and case from a reference or GTIN, so that "AB-12 3" finds "ab123". Leading zeros that only pad
 * a barcode to the length of another standard are removed.
 * @returns an empty text when nothing is left
 */
export const normaliseIdentifier = (text: string): string => {
  const normalised = normalise(text)
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .slice(0, 100);
  return /^\d{8,14}$/.test(normalised) ? normalised.replace(/^0+(?=\d{7})/, "") : normalised;
};

/** Normalises a reference or GTIN as a token of a longer query. */
export const identifierToken = (text: string): string =>
  foldDiacritics(normaliseIdentifier(text)).slice(0, maxTokenLength);

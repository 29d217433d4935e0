import { foldDiacritics, normalise } from "./text-normalisation.ts";
import { maxTokenLength } from "./token.ts";

/**
 * Joins model numbers whose parts are also tokens (`WH-1000XM4`, `usb_3.0`), because many customers type them so.
 * Only parts with both letters and digits are joined, so that neither compounds nor dates are doubled, and never
 * across a decimal point or the stroke of a fraction: 2.0m is not 20m.
 */
export const compoundTerms = (text: string): string[] =>
  ((compoundSeparator.test(text) && normalise(text).match(compoundPattern)) || [])
    .flatMap((part) => part.split(numberSeparator))
    .filter((part) => compoundSeparator.test(part) && /\d/.test(part) && /\p{L}/u.test(part))
    .map((part) => foldDiacritics(part.replace(/[-_./]/g, "")).slice(0, maxTokenLength));

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

/** From the start of a run only: matches from each of its letters would take a second for a long run. */
const compoundPattern = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[-_./][\p{L}\p{N}]+)+/gu;
const compoundSeparator = /[-_./]/;
const numberSeparator = /(?<=\d)[./](?=\d)/;

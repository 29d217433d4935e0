import { foldDiacritics, normalise } from "./text-normalisation.ts";
import { maxTokenLength } from "./token.ts";

/**
 * Removes separators and case from a reference or GTIN, so that "AB-12 3" finds "ab123". Numbers that several standards write
 * in different ways become one: the name of the standard and leading zeros are removed, and an ISBN-10 becomes an ISBN-13.
 * @returns an empty text when nothing is left
 */
export const normaliseIdentifier = (text: string): string => {
  const normalised = normalise(text)
    .replace(standardName, "")
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .slice(0, 100);
  if (isIsbn10(normalised)) return toIsbn13(normalised);
  return /^\d{8,14}$/.test(normalised) ? normalised.replace(/^0+(?=\d{7})/, "") : normalised;
};

/** Name of a standard before a number of at least eight digits. */
const standardName =
  /^\s*(?:isbn|ean|gtin|upc)(?:[-\s]?(?:8|1[0234])(?=[\s:]))?[\s:.#-]*(?=(?:[\s-]*[\dx]){8,}\s*$)/;

const isIsbn10 = (text: string): boolean => {
  if (!/^\d{9}[\dx]$/.test(text)) return false;
  const sum = Array.from(text).reduce(
    (total, digit, at) => total + (10 - at) * (digit === "x" ? 10 : Number(digit)),
    0,
  );
  return sum % 11 === 0;
};

const toIsbn13 = (isbn10: string): string => {
  const digits = `978${isbn10.slice(0, 9)}`;
  const sum = Array.from(digits).reduce(
    (total, digit, at) => total + (at % 2 === 0 ? 1 : 3) * Number(digit),
    0,
  );
  return `${digits}${(10 - (sum % 10)) % 10}`;
};

/** Normalises a reference or GTIN as a token of a longer query. */
export const identifierToken = (text: string): string =>
  foldDiacritics(normaliseIdentifier(text)).slice(0, maxTokenLength);

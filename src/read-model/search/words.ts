/** Longest word kept, in UTF-16 units: anything longer is cut, in the index and in the query alike. */
const longest = 40;

/** The words of a text: case and accents folded, split at everything that is neither letter nor digit. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => word.slice(0, longest));

/** A reference or GTIN without separators and case, so that "AB-12 3" finds "ab123"; empty when nothing is left. */
export const identifierOf = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .slice(0, 100);

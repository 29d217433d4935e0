import type { Token } from "../text/token.ts";
import type { CatalogueVocabulary } from "./vocabulary.ts";

/** Splits a model number that no product writes together: `1000g` into `1000 g`, `iphone13` into `iphone 13`. */
export const splitModelNumber = (
  token: Token,
  asPrefix: boolean,
  { isIndexed, toTokens }: CatalogueVocabulary,
): readonly (readonly Token[])[] => {
  if (!letterDigitPair.test(token.surface)) return [];
  if (isIndexed(token.surface, asPrefix)) return [];
  return splitAtEdges(token.surface).map(toTokens);
};

/**
 * Splits a word at all edges between letters and digits, and at each edge alone: `eos5d` into `eos 5d`.
 * @returns nothing when the word has more than `maxModelParts` parts
 */
const splitAtEdges = (surface: string): readonly string[] => {
  const fullySplit = surface.replace(letterDigitEdges, " ");
  const parts = fullySplit.split(" ");
  if (parts.length > maxModelParts) return [];
  const splitOnce = parts
    .slice(1)
    .map((_, at) => `${parts.slice(0, at + 1).join("")} ${parts.slice(at + 1).join("")}`);
  return [...new Set([fullySplit, ...splitOnce])];
};

/** Limits the parts of a model number, because every way to split it looks up each part. */
const maxModelParts = 5;

const letterDigitPair = /\d[\p{L}]|\p{L}\d/u;
const letterDigitEdges = /(?<=\d)(?=\p{L})|(?<=[\p{L}\p{M}])(?=\d)/gu;

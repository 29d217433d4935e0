import { hashOfText } from "../../../text/hash.ts";
import { foldText } from "../text/tokenizer.ts";

/** Keys of posting lists. The first letter is the kind, so that the terms can be scanned by themselves. */

export const wordList = (stem: string): string => `w${stem}`;
export const categoryList = (id: number): string => `c${id}`;
/** Builds the key of a brand's list. Case and accents make no difference. */
export const brandList = (brand: string): string => `b${brandKey(brand)}`;
/** Key of the list of products in stock. */
export const stockList = "s";

export const wordOf = (key: string): string => key.slice(1);

/** The rest of a longer brand is cut off, because it would exceed the key size of LMDB. */
const maxBrandLength = 200;

export const brandKey = (brand: string): string =>
  foldText(brand).replace(/\s+/g, " ").trim().slice(0, maxBrandLength);

/**
 * Hashes a brand to 48 bits, which two brands of one shop do not share.
 * @returns never 0
 */
export const brandNumber = (brand: string): number => {
  const key = brandKey(brand);
  return hashOfText(key) * 0x10000 + (hashOfText(` ${key}`) & 0xffff) || 1;
};

import { hashOfText } from "../../../text/hash.ts";
import { foldText } from "../text/tokenizer.ts";

/** How lists of products are named. The first letter tells the kind, so that words can be walked by themselves. */

export const wordList = (stem: string): string => `w${stem}`;
export const categoryList = (id: number): string => `c${id}`;
/** Case and accents of a brand make no difference. */
export const brandList = (brand: string): string => `b${brandKey(brand)}`;
/** Products that can be ordered. */
export const stockList = "s";

export const wordOf = (list: string): string => list.slice(1);

/** Longest part of a brand that counts: the rest would make the key larger than the store takes. */
const longestBrand = 200;

export const brandKey = (brand: string): string =>
  foldText(brand).replace(/\s+/g, " ").trim().slice(0, longestBrand);

/** The same as a number of 48 bits, which two brands of one shop do not share. */
export const brandNumber = (brand: string): number => {
  const key = brandKey(brand);
  return hashOfText(key) * 0x10000 + (hashOfText(` ${key}`) & 0xffff) || 1;
};

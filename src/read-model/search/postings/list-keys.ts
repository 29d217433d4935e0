import { hashString } from "../../../text/hash.ts";
import { normaliseText } from "../text/text-normalisation.ts";

/** Keys of posting lists. The first letter is the kind, so that the terms can be scanned by themselves. */

export const termKey = (stem: string): string => `w${stem}`;
export const categoryKey = (id: number): string => `c${id}`;
/** Builds the key of a brand's list. Case and accents make no difference. */
export const brandKey = (brand: string): string => `b${normaliseBrand(brand)}`;
/** Key of the list of products in stock. */
export const inStockKey = "s";

export const termOfKey = (key: string): string => key.slice(1);

/** The rest of a longer brand is cut off, because it would exceed the key size of LMDB. */
const maxBrandLength = 200;

const normaliseBrand = (brand: string): string =>
  normaliseText(brand).replace(/\s+/g, " ").trim().slice(0, maxBrandLength);

/**
 * Hashes a brand to 48 bits, which two brands of one shop do not share.
 * @returns never 0
 */
export const brandHash = (brand: string): number => {
  const key = normaliseBrand(brand);
  return hashString(key) * 0x10000 + (hashString(` ${key}`) & 0xffff) || 1;
};

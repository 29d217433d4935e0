import { createHash } from "node:crypto";
import type { Money } from "../../events/event.ts";
import { parseUrl } from "../../text/parse-url.ts";
import { collationFor } from "./collation.ts";

/** Keys of rows: of sorts, of page paths and of variants. A sort key is text whose byte order is the sort of a listing. */

/** The position of a product in a sort: its key, and its id among equal keys. */
export interface SortPosition {
  readonly key: string;
  readonly id: number;
}

/** Maximum number of digits of an amount before and after its point, as in the event schemas. */
const [maxIntegerDigits, maxFractionDigits] = [15, 6];

/** Key of a product without a price; greater than the key of any amount. */
export const noPriceKey = "~";

/** Number of letters of a name in its key, because every product has an index row with that key. */
const maxNameLetters = 48;

/**
 * Returns the price that ranges, facets and sorts compare; null for a price in another currency than the shop's.
 * @param currency currency of the shop; undefined before the first settings event, when every price is compared
 */
export const toComparablePrice = (
  price: Money | null,
  currency: string | undefined,
): Money | null =>
  price === null || currency === undefined || price.currency === currency ? price : null;

/** Pads an amount to a fixed number of digits, without floats, so that text order is numeric order. */
export const priceKey = (price: Money | null): string => {
  if (!price) return noPriceKey;
  const [before = "", after = ""] = price.amount.split(".");
  return `${before.padStart(maxIntegerDigits, "0")}.${after.padEnd(maxFractionDigits, "0")}`;
};

/**
 * Returns the price key of an amount in millionths.
 * @param millionths an integer below 2^53
 */
export const priceKeyFromMillionths = (millionths: number): string => {
  const digits = String(millionths).padStart(maxIntegerDigits + maxFractionDigits, "0");
  return `${digits.slice(0, maxIntegerDigits)}.${digits.slice(maxIntegerDigits)}`;
};

/** Returns a key that sorts like the name in a language, without case; accents count only where they make another letter. */
export const nameKey = (name: string, language = "en"): string => {
  const { letters: letterKeys, pairs: pairKeys } = collationFor(language);
  const letters = Array.from(name.normalize("NFC").toLowerCase()).slice(0, maxNameLetters);
  let key = "";
  for (let at = 0; at < letters.length; at += 1) {
    const letter = letters[at] as string;
    const pairKey =
      pairKeys.size === 0 ? undefined : pairKeys.get(letter + (letters[at + 1] ?? ""));
    if (pairKey !== undefined) at += 1;
    key += pairKey ?? letterKeys.get(letter) ?? letter;
  }
  return key;
};

/** Compares texts by their UTF-8 bytes, as LMDB does. It encodes them only when UTF-16 order differs from UTF-8 order. */
export const compareUtf8 = (a: string, b: string): number => {
  const shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at += 1) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (one === other) continue;
    if (isSurrogate(one) || isSurrogate(other)) {
      return Buffer.compare(Buffer.from(a), Buffer.from(b));
    }
    return one - other;
  }
  return a.length - b.length;
};

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

/** Maximum length of an unhashed path: LMDB rejects keys of 1,978 bytes, also in lookups. */
const maxPathBytes = 900;

/** Returns the key of a path and query: the text itself, or its SHA-256 when it is too long for a key. */
export const pathKey = (pathAndQuery: string): string =>
  Buffer.byteLength(pathAndQuery) <= maxPathBytes
    ? pathAndQuery
    : `sha256:${createHash("sha256").update(pathAndQuery).digest("base64url")}`;

/**
 * Returns the key of a URL's path and query.
 * @returns undefined when the URL cannot be parsed
 */
export const pathKeyOfUrl = (url: string): string | undefined => {
  const page = parseUrl(url);
  return page && pathKey(page.pathname + page.search);
};

/** The key of rows of a variant: `4711/90001`. */
export const variantKey = (product: number, variant: number): string => `${product}/${variant}`;

/** The key of the rows that an event of a price or stock writes. */
export const toRowKey = ({
  productId,
  variantId,
}: {
  readonly productId: number;
  readonly variantId?: number;
}): number | string => (variantId === undefined ? productId : variantKey(productId, variantId));

export const productOfKey = (key: number | string): number =>
  typeof key === "number" ? key : Number(key.slice(0, key.indexOf("/")));

export const variantOfKey = (key: string): number => Number(key.slice(key.indexOf("/") + 1));

/** The range of keys of all variants of a product. `0` is the character after the slash. */
export const variantKeys = (product: number): { readonly start: string; readonly end: string } => ({
  start: `${product}/`,
  end: `${product}0`,
});

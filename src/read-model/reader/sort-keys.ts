import type { Money } from "../../events/event.ts";
import { alphabetOf } from "./collation.ts";

/** Keys whose order as text is the order a listing shows; equal keys are told apart by the product's id. */

/** Digits of an amount before and after its point, as the contract of events allows them. */
const [whole, fraction] = [15, 6];

/** Behind every amount. */
export const unpriced = "~";

/** Letters of a name that count: each product has a row with so many. */
const longestName = 48;

/**
 * Selects the price that ranges, facets and orders compare: null for one in another currency than the shop's.
 * @param currency the shop's; undefined until its settings are known, when every price is compared
 */
export const comparedPrice = (price: Money | null, currency: string | undefined): Money | null =>
  price === null || currency === undefined || price.currency === currency ? price : null;

/** An amount of money without floats: the same number of digits for all, so that text order is number order. */
export const priceKey = (price: Money | null): string => {
  if (!price) return unpriced;
  const [before = "", after = ""] = price.amount.split(".");
  return `${before.padStart(whole, "0")}.${after.padEnd(fraction, "0")}`;
};

/** The same of an amount in millionths: an integer below 2^53. */
export const priceKeyOf = (millionths: number): string => {
  const digits = String(millionths).padStart(whole + fraction, "0");
  return `${digits.slice(0, whole)}.${digits.slice(whole)}`;
};

/** As the language orders names; case does not count, and accents only where they make another letter. */
export const nameKey = (name: string, language = "en"): string => {
  const { letters, pairs } = alphabetOf(language);
  const told = Array.from(name.normalize("NFC").toLowerCase()).slice(0, longestName);
  let key = "";
  for (let at = 0; at < told.length; at += 1) {
    const letter = told[at] as string;
    const pair = pairs.size === 0 ? undefined : pairs.get(letter + (told[at + 1] ?? ""));
    if (pair !== undefined) at += 1;
    key += pair ?? letters.get(letter) ?? letter;
  }
  return key;
};

/** The store's own order of texts: by bytes of UTF-8. Those are made only where it is not that of UTF-16. */
export const compareKeys = (a: string, b: string): number => {
  const shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at += 1) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (one === other) continue;
    if (isHalf(one) || isHalf(other)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
    return one - other;
  }
  return a.length - b.length;
};

/** Half a character past U+FFFF. */
const isHalf = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

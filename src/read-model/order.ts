import type { Money } from "../events/event.ts";

/** Keys whose order as text is the order a listing shows; equal keys are told apart by the product's id. */

/** Digits of an amount before and after its point, as the contract of events allows them. */
const [whole, fraction] = [15, 6];

/** Behind every amount. */
export const unpriced = "~";

/** Longest part of a name that counts: the rest would make the key larger than the store takes. */
const longestName = 100;

/** An amount of money without floats: the same number of digits for all, so that text order is number order. */
export const priceKey = (price: Money | null): string => {
  if (!price) return unpriced;
  const [before = "", after = ""] = price.amount.split(".");
  return `${before.padStart(whole, "0")}.${after.padEnd(fraction, "0")}`;
};

/** Case and accents do not count. */
export const nameKey = (name: string): string => {
  const folded = name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
  return Array.from(folded).slice(0, longestName).join("");
};

/** The store's own order of texts: by bytes of UTF-8. */
export const compareKeys = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b));

import type { Offer } from "../read-model/reader/offer.ts";

export type Price = Offer["price"];

/** Text of tools in place of a price that the shop hides. */
export const noPriceShown = "no price shown";

/** Formats a price: `12.90 EUR`. @param hidden text in place of a hidden price */
export const formatPrice = (price: Price, hidden = noPriceShown): string =>
  price ? `${price.amount} ${price.currency}` : hidden;

/** Formats a count with its noun: `1 product`, `2 products`. */
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** Formats a range of amounts or days. */
export const formatRange = <T extends string | number>(min: T, max: T, to: string): string =>
  min === max ? `${min}` : `${min}${to}${max}`;

/** Joins the non-empty lines of a text. */
export const joinLines = (...parts: readonly (string | undefined)[]): string =>
  parts.filter(Boolean).join("\n");

/** Cuts a text that is too long behind a word, and marks the end. */
export const cutWords = (text: string, maxLength: number): string => {
  if (text.length <= maxLength) return text;
  const start = text.slice(0, maxLength);
  const end = start.search(/\s\S*$/);
  const words = end > 0 ? start.slice(0, end) : start.slice(0, -1).replace(/[\ud800-\udbff]$/, "");
  return `${words.trimEnd()}…`;
};

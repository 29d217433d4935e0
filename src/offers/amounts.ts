import type { Money } from "../events/event.ts";

/** Exact arithmetic on decimal amounts. */

/** Digits after the decimal point of a scaled amount: more than an event may have. */
const scale = 9;

/** Converts a decimal text to a whole number of units of 10^-9. */
export const toScaled = (amount: string): bigint => {
  const [integer = "", fraction = ""] = amount.split(".");
  return BigInt(integer + fraction.padEnd(scale, "0"));
};

/** Compares two amounts: negative when the first is lower, 0 when they are equal. */
export const compareAmounts = (one: string, other: string): number => {
  if (one === other) return 0;
  // Texts with equally many digits before and after the point compare as their numbers do.
  if (one.length === other.length && one.indexOf(".") === other.indexOf("."))
    return one < other ? -1 : 1;
  const [a, b] = [toScaled(one), toScaled(other)];
  return a < b ? -1 : a > b ? 1 : 0;
};

/** Whether an amount is below another one in the same currency. */
export const isLower = (one: Money, other: Money): boolean =>
  one.currency === other.currency && compareAmounts(one.amount, other.amount) < 0;

/**
 * Computes the whole part of a reduction in percent.
 * @returns undefined when it is below 1 %, or the currencies differ
 */
export const percentOff = (price: Money, before: Money): number | undefined => {
  if (!isLower(price, before)) return undefined;
  const list = toScaled(before.amount);
  const percent = Number((100n * (list - toScaled(price.amount))) / list);
  return percent < 1 ? undefined : percent;
};

/** Formats the quotient of two whole numbers with a number of decimals, rounded half up. */
export const formatQuotient = (dividend: bigint, divisor: bigint, decimals: number): string => {
  const factor = 10n ** BigInt(decimals);
  const rounded = (2n * dividend * factor + divisor) / (2n * divisor);
  const digits = rounded.toString().padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

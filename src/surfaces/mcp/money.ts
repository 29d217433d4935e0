import type { Price } from "./format.ts";

/** Digits after the point that amounts of the contract may have. */
const places = 6;

interface Part {
  readonly price: Price;
  readonly quantity: number;
}

/**
 * The sum of price times quantity, exactly, with as many decimals as the most exact of its prices.
 * Null when a price is not told, or prices differ in currency.
 */
export const subtotalOf = (parts: readonly Part[]): Price => {
  const currency = parts[0]?.price?.currency;
  let sum = 0n;
  let decimals = 0;
  for (const { price, quantity } of parts) {
    if (!price || currency === undefined || price.currency !== currency) return null;
    sum += scaled(price.amount) * BigInt(quantity);
    decimals = Math.max(decimals, price.amount.split(".")[1]?.length ?? 0);
  }
  return currency === undefined ? null : { amount: written(sum, decimals), currency };
};

const scaled = (amount: string): bigint => {
  const [whole = "0", fraction = ""] = amount.split(".");
  return BigInt(whole + fraction.padEnd(places, "0"));
};

const written = (sum: bigint, decimals: number): string => {
  const digits = sum.toString().padStart(places + 1, "0");
  const fraction = digits.slice(-places, digits.length - places + decimals);
  return digits.slice(0, -places) + (decimals > 0 ? `.${fraction}` : "");
};

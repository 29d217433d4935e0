import type { Price } from "../format.ts";

/** Maximum decimals of an amount in the contract. */
const maxDecimals = 6;

interface PricedItem {
  readonly price: Price;
  readonly quantity: number;
}

/**
 * Computes the exact sum of price times quantity, with as many decimals as the price with the most.
 * @returns null when a price is absent, or the prices differ in currency
 */
export const computeSubtotal = (items: readonly PricedItem[]): Price => {
  const currency = items[0]?.price?.currency;
  let sum = 0n;
  let decimals = 0;
  for (const { price, quantity } of items) {
    if (!price || currency === undefined || price.currency !== currency) return null;
    sum += toUnits(price.amount) * BigInt(quantity);
    decimals = Math.max(decimals, price.amount.split(".")[1]?.length ?? 0);
  }
  return currency === undefined ? null : { amount: formatUnits(sum, decimals), currency };
};

const toUnits = (amount: string): bigint => {
  const [integer = "0", fraction = ""] = amount.split(".");
  return BigInt(integer + fraction.padEnd(maxDecimals, "0"));
};

const formatUnits = (sum: bigint, decimals: number): string => {
  const digits = sum.toString().padStart(maxDecimals + 1, "0");
  const fraction = digits.slice(-maxDecimals, digits.length - maxDecimals + decimals);
  return digits.slice(0, -maxDecimals) + (decimals > 0 ? `.${fraction}` : "");
};

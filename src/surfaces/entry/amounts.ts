import type { Money } from "../../events/product-facts.ts";
import { currencyDecimals } from "../../offers/unit-price.ts";

/** An amount in minor units of its currency: 1290 for 12.90 EUR. */
export interface MinorAmount {
  readonly amount: number;
  readonly currency: string;
}

/**
 * Converts a decimal text by its digits, never through a float.
 * @returns undefined for more decimals than the currency has, because a rounded price is another price
 */
export const toMinorUnits = ({ amount, currency }: Money): MinorAmount | undefined => {
  const decimals = currencyDecimals(currency);
  const [integer = "", fraction = ""] = amount.split(".");
  if (/[1-9]/.test(fraction.slice(decimals))) return undefined;
  const units = Number(integer + fraction.slice(0, decimals).padEnd(decimals, "0"));
  return Number.isSafeInteger(units) ? { amount: units, currency } : undefined;
};

/** Converts minor units to a decimal text: 5000 to 50.00 for EUR. */
export const toDecimal = ({ amount, currency }: MinorAmount): string => {
  const decimals = currencyDecimals(currency);
  const digits = String(amount).padStart(decimals + 1, "0");
  if (decimals === 0) return digits;
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

/** Returns the lowest and the highest of some amounts of one currency. @returns undefined without any */
export const toRange = (amounts: readonly MinorAmount[]) => {
  const [min, ...others] = [...amounts].sort((a, b) => a.amount - b.amount);
  return min && { min, max: others.at(-1) ?? min };
};

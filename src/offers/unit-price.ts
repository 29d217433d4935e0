import type { Money } from "../events/event.ts";
import type { Measure, UnitPricing } from "../events/product-facts.ts";
import { formatQuotient, toScaled } from "./amounts.ts";
import { convertibleUnit, isConvertible } from "./units.ts";

/** A price for a fixed amount: `13.20 EUR` per `1 l`. */
export interface UnitPrice {
  readonly price: Money;
  readonly base: Measure;
  readonly measure: Measure;
}

/**
 * Computes a unit price, rounded half up once.
 * @returns undefined when measure and base do not convert into each other
 */
export const unitPrice = (price: Money, { measure, base }: UnitPricing): UnitPrice | undefined => {
  if (!isConvertible(measure.unit, base.unit)) return undefined;
  const dividend = toScaled(price.amount) * toScaledUnits(base);
  const divisor = oneScaled * toScaledUnits(measure);
  const amount = formatQuotient(dividend, divisor, currencyDecimals(price.currency));
  return { price: { amount, currency: price.currency }, measure, base };
};

const toScaledUnits = ({ value, unit }: Measure): bigint =>
  toScaled(value) * (convertibleUnit(unit)?.factor ?? 1n);

const oneScaled = toScaled("1");

/** Returns the minor unit of a currency by ISO 4217. The list of the running Node is another one, and changes with its version. */
export const currencyDecimals = (currency: string): number =>
  exceptions.find(([codes]) => codes.includes(currency))?.[1] ?? 2;

/** Codes without two decimals. Those of the second line are withdrawn. */
const exceptions = [
  ["BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF", 0],
  ["ADP BEF BYB BYR ESP GRD ITL LUF MGF PTE TPE TRL", 0],
  ["BHD IQD JOD KWD LYD OMR TND", 3],
  ["CLF UYW", 4],
] as const;

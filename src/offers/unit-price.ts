import type { Money } from "../events/event.ts";
import type { Measure, UnitPricing } from "../events/goods.ts";
import { formatQuotient, toScaled } from "./amounts.ts";

/** A price for a fixed amount: `13.20 EUR` per `1 l`. */
export interface UnitPrice {
  readonly price: Money;
  readonly base: Measure;
  readonly measure: Measure;
}

/**
 * Computes a unit price, rounded half up once.
 * @returns undefined when measure and base are of different kinds
 */
export const unitPrice = (price: Money, { measure, base }: UnitPricing): UnitPrice | undefined => {
  const [from, to] = [toSmallestUnits(measure), toSmallestUnits(base)];
  if (from.kind !== to.kind) return undefined;
  const decimals = currencyDecimals(price.currency);
  const dividend = toScaled(price.amount) * to.amount;
  const amount = formatQuotient(dividend, oneScaled * from.amount, decimals);
  return { price: { amount, currency: price.currency }, measure, base };
};

const oneScaled = toScaled("1");

/** Units that are converted: the kind, and how many of its smallest unit they are. */
const units: Readonly<Record<string, readonly [kind: string, factor: bigint]>> = {
  mg: ["mass", 1n],
  g: ["mass", 1_000n],
  kg: ["mass", 1_000_000n],
  ml: ["volume", 1n],
  cl: ["volume", 10n],
  l: ["volume", 1_000n],
  mm: ["length", 1n],
  cm: ["length", 10n],
  m: ["length", 1_000n],
  cm2: ["area", 1n],
  "cm²": ["area", 1n],
  m2: ["area", 10_000n],
  "m²": ["area", 10_000n],
};

const toSmallestUnits = ({
  value,
  unit,
}: Measure): { readonly kind: string; readonly amount: bigint } => {
  const name = unit.trim();
  const [kind, factor] = (Object.hasOwn(units, name) && units[name]) || [name, 1n];
  return { kind, amount: toScaled(value) * factor };
};

const decimalsByCurrency = new Map<string, number>();

/** The decimals of a currency by ISO 4217. */
const currencyDecimals = (currency: string): number => {
  const stored = decimalsByCurrency.get(currency);
  if (stored !== undefined) return stored;
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  const decimals = format.resolvedOptions().maximumFractionDigits ?? 2;
  decimalsByCurrency.set(currency, decimals);
  return decimals;
};

import type { NameValue } from "../../../events/event.ts";
import { findOption, findValues } from "../../../offers/option-selection.ts";
import { priceAt, type ShownPrice } from "../../../offers/price.ts";
import type { VariantEntry, VariantIndex } from "../../schema/documents.ts";
import { toComparablePrice } from "../../schema/sort-keys.ts";
import { toMicroUnits } from "../doc-values/doc-values.ts";
import type { SearchView } from "../query/search-context.ts";
import { type AttributeTest, meetsTest } from "./attribute-match.ts";

/** What one variant has to meet. */
export interface VariantFilter {
  readonly options: readonly NameValue[];
  /** Inclusive, in units of 10^-6; undefined when prices do not matter. */
  readonly prices: { readonly min: number; readonly max: number } | undefined;
  readonly inStockOnly: boolean;
  readonly stockStatuses: ReadonlySet<string> | undefined;
  readonly onSale: boolean;
  readonly attributes: readonly AttributeTest[];
  /** Whether only variants match that the price of the product counts. */
  readonly isCounted: boolean;
}

/** Finds the variants of a product that meet a filter, in the order of the shop. */
export const matchVariants = (
  index: VariantIndex,
  filter: VariantFilter,
  view: SearchView,
): readonly VariantEntry[] => {
  const wanted = resolveOptions(index, filter.options);
  if (!wanted) return [];
  const { attributes } = index;
  const prices = index.prices.map((terms) => toFilterPrice(priceAt(terms, view.instant), view));
  const isCounted = filter.isCounted ? countedVariants(index, prices) : undefined;
  const meetsPrice = (entry: VariantEntry): boolean => {
    const price = prices[entry[1]];
    return (
      (!filter.prices || isWithin(price?.amount ?? null, filter.prices)) &&
      (!filter.onSale || price?.isReduced === true) &&
      (!isCounted || isCounted(entry))
    );
  };
  return index.entries.filter((entry, at) => {
    const stock = index.stocks[entry[2]];
    if (filter.inStockOnly && !stock?.orderable) return false;
    if (filter.stockStatuses && !(stock && filter.stockStatuses.has(stock.status))) return false;
    if (!hasValues(entry, wanted) || !meetsPrice(entry)) return false;
    const stated = attributes?.distinct[attributes.of[at] ?? -1] ?? [];
    return filter.attributes.every((test) => meetsTest(stated, test));
  });
};

/** A price of variants, as filters compare it. */
interface FilterPrice {
  /** In units of 10^-6; null without a price in the shop's currency. */
  readonly amount: number | null;
  readonly isReduced: boolean;
}

const toFilterPrice = ({ price, listPrice }: ShownPrice, { currency }: SearchView): FilterPrice => {
  const compared = toComparablePrice(price, currency);
  return { amount: compared && toMicroUnits(compared.amount), isReduced: listPrice !== null };
};

export const isWithin = (
  price: number | null,
  { min, max }: { readonly min: number; readonly max: number },
): boolean => price !== null && price >= min && price <= max;

/** Values that a variant must have: the index of the option, and those of the values that fit. */
type WantedValues = readonly (readonly [option: number, values: ReadonlySet<number>])[];

/** @returns undefined when the product has an option or a value in no way */
const resolveOptions = (
  { options }: VariantIndex,
  requested: readonly NameValue[],
): WantedValues | undefined => {
  const wanted: (readonly [number, ReadonlySet<number>])[] = [];
  for (const { name, value } of requested) {
    const option = findOption(options, name);
    if (!option) return undefined;
    const [, , values, open] = option;
    const alike = findValues(values, value);
    if (alike.length === 0 && !open) return undefined;
    const ordinals = alike.map((text) => values.indexOf(text));
    wanted.push([options.indexOf(option), new Set(ordinals)]);
  }
  return wanted;
};

/** A variant that leaves an option out has any value of it. */
const hasValues = (variant: VariantEntry, wanted: WantedValues): boolean =>
  wanted.every(([option, values]) => {
    const ordinal = variant[3 + option];
    return ordinal === -1 || (ordinal !== undefined && values.has(ordinal));
  });

/** The variants that the price of the product counts: those that can be ordered and have a price, else those with a price. */
const countedVariants = (
  { entries, stocks }: VariantIndex,
  prices: readonly FilterPrice[],
): ((entry: VariantEntry) => boolean) => {
  const hasPrice = ([, price]: VariantEntry): boolean => prices[price]?.amount != null;
  const counts = (entry: VariantEntry): boolean =>
    stocks[entry[2]]?.orderable === true && hasPrice(entry);
  return entries.some(counts) ? counts : hasPrice;
};

import type { SelectableOption } from "../../offers/option-selection.ts";

/** Options and attributes by which products are filtered and counted. Stored as arrays, to be short. */

/** An option with the values that active variants have; all values that the product lists where a variant leaves it out. */
export type OptionValues = SelectableOption;

/** An attribute: a specification with a code or a number. */
export type AttributeValue = readonly [
  name: string,
  code: string | null,
  value: string,
  number: number | null,
  max: number | null,
  /** Only of a number whose unit is converted. */
  unit?: string,
];

/** A condition is filtered by as an attribute without a name, which no request can have. */
export const conditionName = "";

export const toConditionAttribute = (condition: string): AttributeValue => [
  ...([conditionName, null, condition, null, null] as const),
];

/** Lists the attributes that variants state themselves, each once. @param lists of the distinct ones */
export const listVariantAttributes = (
  lists: readonly (readonly AttributeValue[])[] = [],
): readonly AttributeValue[] => distinctValues(lists.flat());

export const distinctValues = <V>(values: readonly V[]): readonly V[] => {
  const distinct = collectDistinct<V>();
  for (const value of values) distinct.indexOf(value);
  return distinct.all;
};

/** Collects distinct values. The same object is compared once, because decoded rows share them. */
export const collectDistinct = <V>() => {
  const [indexes, indexesByKey] = [new Map<V, number>(), new Map<string, number>()];
  const all: V[] = [];
  const add = (value: V): number => {
    const key = JSON.stringify(value);
    const index = indexesByKey.get(key) ?? all.push(value) - 1;
    indexes.set(value, index);
    indexesByKey.set(key, index);
    return index;
  };
  return {
    all: all as readonly V[],
    indexOf: (value: V): number => indexes.get(value) ?? add(value),
  };
};

/** What one product is filtered by in addition to its doc values. */
export interface ProductAttributes {
  readonly id: number;
  readonly options: readonly OptionValues[];
  /** A condition is one of them. */
  readonly attributes: readonly AttributeValue[];
  /** Attributes and conditions that active variants state themselves. */
  readonly variantAttributes: readonly AttributeValue[];
}

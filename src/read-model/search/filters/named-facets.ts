import { foldText, type NamedOption } from "../../../offers/option-selection.ts";
import {
  type AttributeValue,
  conditionName,
  type OptionValues,
} from "../../schema/filter-values.ts";
import type { Facets, NamedFacet } from "../../schema/queries.ts";
import type { ReadTables } from "../../store/store.ts";
import { readAttributeBlocks } from "../doc-values/attribute-scan.ts";
import type { OrdinalLists } from "../doc-values/doc-values-block.ts";
import type { DocIds } from "../postings/doc-ids.ts";

/** A facet lists at most this many names, and as many values of each: those of most products. */
export const maxFacetValues = 50;

/** Counts matching products by the values of their options and attributes. */
export const computeNamedFacets = (
  stored: ReadTables,
  ids: DocIds,
): Pick<Facets, "options" | "attributes"> => {
  const options = createNamedCounts<OptionValues>(([, , values]) => values);
  const attributes = createNamedCounts<AttributeValue>(([, , value]) => [value]);
  let [product, at] = [0, 0];
  for (const block of readAttributeBlocks(stored, ids)) {
    const [optionsOf, productsOf] = [options.open(block.optionLists), new Map<number, number>()];
    const attributesOf = attributes.open(block.values.map((value) => [value]));
    const countAttributes = ({ ordinals, starts }: OrdinalLists, row: number): void => {
      const end = starts[row + 1] as number;
      for (let index = starts[row] as number; index < end; index += 1) {
        addProduct(attributesOf(ordinals[index] as number), product);
      }
    };
    for (let row = 0; row < block.ids.length; row += 1) {
      const id = block.ids[row] as number;
      while ((ids[at] as number) < id) at += 1;
      if (ids[at] !== id) continue;
      product += 1;
      const list = block.optionsOf[row] as number;
      productsOf.set(list, (productsOf.get(list) ?? 0) + 1);
      countAttributes(block.attributes, row);
      countAttributes(block.variantAttributes, row);
    }
    for (const [list, products] of productsOf) {
      for (const each of new Set(optionsOf(list))) each.count += products;
    }
  }
  return { options: options.list(), attributes: attributes.list() };
};

/** A name, or one of its values. They have one form, because V8 reads members of one form faster. */
interface Counted {
  readonly text: string;
  readonly code: string | null;
  /** By folded value; undefined of a value. */
  readonly values: Map<string, Counted> | undefined;
  /** Number of products. */
  count: number;
  /** Number of the product that was counted last, because one may have a value repeatedly. */
  last: number;
}

const addProduct = (counted: readonly Counted[], product: number): void => {
  for (let at = 0; at < counted.length; at += 1) {
    const each = counted[at] as Counted;
    if (each.last !== product) each.count += 1;
    each.last = product;
  }
};

/**
 * Counts the values of names. Names with one code are one; it is shown as the first product spells it.
 * @param valuesOf values of an option or an attribute
 */
const createNamedCounts = <N extends NamedOption>(valuesOf: (named: N) => readonly string[]) => {
  const names = new Map<string, Counted & { readonly values: Map<string, Counted> }>();
  const find = (each: N): readonly Counted[] => {
    const [name, code] = each;
    if (name === conditionName) return [];
    const named = getOrAdd(names, nameKey(name, code), () => ({
      text: name,
      code,
      values: new Map(),
      count: 0,
      last: 0,
    }));
    const add = (text: string): Counted =>
      getOrAdd(named.values, foldText(text), () => ({
        text,
        code: null,
        values: undefined,
        count: 0,
        last: 0,
      }));
    return [named, ...valuesOf(each).map(add)];
  };
  return {
    /**
     * @param groups those of a block
     * @returns a function that finds what a group counts, once for all products of the block
     */
    open(groups: readonly (readonly N[])[]): (group: number) => readonly Counted[] {
      const found: (readonly Counted[])[] = [];
      return (group) => {
        found[group] ??= groups[group]?.flatMap(find) ?? [];
        return found[group];
      };
    },
    list: (): readonly NamedFacet[] =>
      listMost(names).map(({ text: name, code, values }) => ({
        name,
        code,
        values: listMost(values).map(({ text: value, count }) => ({ value, count })),
      })),
  };
};

const listMost = <C extends Counted>(counted: ReadonlyMap<string, C>): readonly C[] =>
  topByCount([...counted.values()], ({ text }) => text);

const nameKey = (name: string, code: string | null): string =>
  code === null ? foldText(name) : `code ${code}`;

const getOrAdd = <V>(map: Map<string, V>, key: string, create: () => V): V => {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const created = create();
  map.set(key, created);
  return created;
};

/** Sorts values by count, then by name. @returns the first ones, as many as a facet lists */
export const topByCount = <V extends { readonly count: number }>(
  values: readonly V[],
  nameOf: (value: V) => string,
): readonly V[] =>
  [...values]
    .sort((a, b) => b.count - a.count || (nameOf(a) < nameOf(b) ? -1 : 1))
    .slice(0, maxFacetValues);

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
import { containsId, type DocIds } from "../postings/doc-ids.ts";

/** A facet lists at most this many names, and as many values of each: those of most products. */
export const maxFacetValues = 50;

/** Counts matching products by the values of their options and attributes. */
export const computeNamedFacets = (
  stored: ReadTables,
  ids: DocIds,
): Pick<Facets, "options" | "attributes"> => {
  const options = createNamedCounts<OptionValues>(([, , values]) => values);
  const attributes = createNamedCounts<AttributeValue>(([, , value]) => [value]);
  for (const block of readAttributeBlocks(stored, ids)) {
    const countOptions = options.open(block.optionLists);
    const countAttribute = attributes.open(block.values.map((value) => [value]));
    for (let row = 0; row < block.ids.length; row += 1) {
      const id = block.ids[row] as number;
      if (!containsId(ids, id)) continue;
      countOptions(id, block.optionsOf[row] as number);
      forEachIndex(block.attributes, row, (index) => countAttribute(id, index));
      forEachIndex(block.variantAttributes, row, (index) => countAttribute(id, index));
    }
  }
  return { options: options.list(), attributes: attributes.list() };
};

const forEachIndex = (
  { ordinals, starts }: OrdinalLists,
  row: number,
  visit: (index: number) => void,
): void => {
  const end = starts[row + 1] as number;
  for (let at = starts[row] as number; at < end; at += 1) visit(ordinals[at] as number);
};

interface Count {
  count: number;
  /** Id of the product that was counted last, because one may have a value repeatedly. */
  last: number;
}

interface NamedCount extends Count {
  readonly name: string;
  readonly code: string | null;
  /** By folded value. */
  readonly values: Map<string, ValueCount>;
}

interface ValueCount extends Count {
  readonly value: string;
}

/**
 * Counts the values of names. Names with one code are one; it is shown as the first product spells it.
 * @param valuesOf values of an option or an attribute
 */
const createNamedCounts = <N extends NamedOption>(valuesOf: (named: N) => readonly string[]) => {
  const counts = new Map<string, NamedCount>();
  const findCounts = ([name, code]: N, values: readonly string[]): readonly Count[] => {
    const named = getOrAdd(counts, nameKey(name, code), () => ({
      ...{ name, code, count: 0, last: 0, values: new Map() },
    }));
    const add = (value: string): Count =>
      getOrAdd(named.values, foldText(value), () => ({ value, count: 0, last: 0 }));
    return [named, ...values.map(add)];
  };
  const findAll = (group: readonly N[]): readonly Count[] =>
    group.flatMap((each) => (each[0] === conditionName ? [] : findCounts(each, valuesOf(each))));
  return {
    /**
     * @param groups those of a block
     * @returns a function that counts a product for a group, which is looked up once for all products of the block
     */
    open(groups: readonly (readonly N[])[]): (id: number, group: number) => void {
      const found: (readonly Count[])[] = [];
      return (id, group) => {
        found[group] ??= findAll(groups[group] ?? []);
        for (const entry of found[group]) {
          if (entry.last !== id) entry.count += 1;
          entry.last = id;
        }
      };
    },
    list: (): readonly NamedFacet[] =>
      topByCount([...counts.values()], ({ name }) => name).map(({ name, code, values }) => ({
        name,
        code,
        values: topByCount([...values.values()], ({ value }) => value).map(({ value, count }) => ({
          ...{ value, count },
        })),
      })),
  };
};

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

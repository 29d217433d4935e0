import { foldText, type NamedOption } from "../../../offers/option-selection.ts";
import { memoize } from "../../../platform/memo.ts";
import {
  type AttributeValue,
  conditionName,
  type OptionValues,
} from "../../schema/filter-values.ts";
import type { Facets, NamedFacet } from "../../schema/queries.ts";
import { tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import { containsId, type DocIds } from "../postings/doc-ids.ts";
import { readEntries } from "./value-entries.ts";

/** A facet lists at most this many names, and as many values of each: those of most products. */
export const maxFacetValues = 50;

/** Counts matching products by the values of their options and attributes. */
export const computeNamedFacets = (
  stored: ReadTables,
  ids: DocIds,
): Pick<Facets, "options" | "attributes"> => {
  const options = createNamedCounts<OptionValues>(([, , values]) => values);
  const attributes = createNamedCounts<AttributeValue>(([, , value]) => [value]);
  for (const [id, facts] of readEntries(stored, tables.attributeValues, (entry) => entry.id, ids)) {
    if (!containsId(ids, id)) continue;
    options.add(id, facts.options);
    attributes.add(id, facts.attributes);
    attributes.add(id, facts.variantAttributes);
  }
  return { options: options.list(), attributes: attributes.list() };
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
  // Products of a block share these objects, so that each is looked up once for all of them.
  const countsOf = memoize(
    (named: N) => (named[0] === conditionName ? [] : findCounts(named, valuesOf(named))),
    (named) => named,
  );
  return {
    add(id: number, product: readonly N[]): void {
      for (const named of product) {
        for (const entry of countsOf(named)) {
          if (entry.last !== id) entry.count += 1;
          entry.last = id;
        }
      }
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

import { foldText } from "../../../offers/option-selection.ts";
import { conditionName } from "../../schema/filter-values.ts";
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
  const [options, attributes] = [createNamedCounts(), createNamedCounts()];
  for (const [id, facts] of readEntries(stored, tables.attributeValues, (entry) => entry.id, ids)) {
    if (!containsId(ids, id)) continue;
    options.add(facts.options.map(([name, code, values]) => ({ name, code, values })));
    attributes.add(
      [...facts.attributes, ...facts.variantAttributes]
        .filter(([name]) => name !== conditionName)
        .map(([name, code, value]) => ({ name, code, values: [value] })),
    );
  }
  return { options: options.list(), attributes: attributes.list() };
};

/** Values of one name, of one product. */
interface NamedValues {
  readonly name: string;
  readonly code: string | null;
  readonly values: readonly string[];
}

interface NamedCount {
  readonly name: string;
  readonly code: string | null;
  count: number;
  /** By folded value. */
  readonly values: Map<string, ValueCount>;
}

interface ValueCount {
  readonly value: string;
  count: number;
}

/** Counts the values of names. Names with one code are one; it is shown as the first product spells it. */
const createNamedCounts = () => {
  const counts = new Map<string, NamedCount>();
  return {
    /** Counts a product once for each name and each value, however often it has them. */
    add(product: readonly NamedValues[]): void {
      const seen = new Set<object>();
      const count = <C extends { count: number }>(entry: C): C => {
        if (!seen.has(entry)) entry.count += 1;
        seen.add(entry);
        return entry;
      };
      for (const { name, code, values } of product) {
        const create = (): NamedCount => ({ name, code, count: 0, values: new Map() });
        const named = count(getOrAdd(counts, nameKey(name, code), create));
        for (const value of values) {
          count(getOrAdd(named.values, foldText(value), () => ({ value, count: 0 })));
        }
      }
    },
    list: (): readonly NamedFacet[] =>
      topByCount([...counts.values()], ({ name }) => name).map(({ name, code, values }) => ({
        name,
        code,
        values: topByCount([...values.values()], ({ value }) => value),
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

import { foldText } from "../../../offers/option-selection.ts";
import type { FactValues } from "../../schema/filter-values.ts";
import type { Facets, NamedFacet } from "../../schema/queries.ts";
import { tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import { containsId, type DocIds } from "../postings/doc-ids.ts";
import { readEntries } from "./value-entries.ts";

/** Facets of one kind list at most this many names, and as many values of each: those of most products. */
const maxEntries = 50;

/** Counts matching products by the values of their options and attributes. */
export const computeNamedFacets = (
  stored: ReadTables,
  ids: DocIds,
): Pick<Facets, "options" | "attributes"> => {
  const [options, attributes] = [createNamedCounts(), createNamedCounts()];
  for (const [id, facts] of readEntries(stored, tables.factValues, (entry) => entry.id, ids)) {
    if (!containsId(ids, id)) continue;
    for (const [name, code, values] of facts.options ?? []) options.add(name, code, values);
    for (const [name, code, values] of groupAttributes(facts)) attributes.add(name, code, values);
  }
  return { options: options.list(), attributes: attributes.list() };
};

const groupAttributes = ({ attributes = [] }: FactValues) =>
  attributes.map(([name, code, value]) => [name, code, [value]] as const);

interface NamedCount {
  readonly name: string;
  readonly code: string | null;
  count: number;
  /** By folded value. */
  readonly values: Map<string, { readonly value: string; count: number }>;
}

/** Counts the values of names. Names with one code are one; it is shown as the first product spells it. */
const createNamedCounts = () => {
  const counts = new Map<string, NamedCount>();
  return {
    add(name: string, code: string | null, values: readonly string[]): void {
      const key = code === null ? foldText(name) : `code ${code}`;
      const named = counts.get(key) ?? { name, code, count: 0, values: new Map() };
      counts.set(key, named);
      named.count += 1;
      for (const value of values) {
        const entry = named.values.get(foldText(value));
        if (entry) entry.count += 1;
        else named.values.set(foldText(value), { value, count: 1 });
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

const topByCount = <V extends { readonly count: number }>(
  values: readonly V[],
  nameOf: (value: V) => string,
): readonly V[] =>
  [...values]
    .sort((a, b) => b.count - a.count || (nameOf(a) < nameOf(b) ? -1 : 1))
    .slice(0, maxEntries);

import type { Facets } from "../../schema/queries.ts";
import { tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import { forEachBlock } from "../doc-values/doc-values-scan.ts";
import type { DocIds } from "../postings/doc-ids.ts";

/** A facet lists at most this many values: those of most products. */
const maxFacetValues = 50;

/** Counts matching products by brand, category and price band. */
export const computeFacets = (
  stored: ReadTables,
  ids: DocIds,
  { withPrices }: { readonly withPrices: boolean },
): Facets => {
  const brands = new Map<number, ValueCount>();
  const categories = new Map<number, ValueCount>();
  const priceBands = new Map<number, ValueCount>();
  forEachBlock(stored, ids, (block, { rows }) => {
    const idAt = (row: number): number => block.ids[row] as number;
    const { values, ordinals } = block.brands();
    countRows(brands, rows, (row) => values[(ordinals[row] as number) - 1], idAt);
    const categoryColumn = block.categories();
    for (const row of rows) {
      for (
        let at = categoryColumn.starts[row] as number;
        at < (categoryColumn.starts[row + 1] as number);
        at += 1
      ) {
        addOccurrence(
          categories,
          categoryColumn.values[categoryColumn.ordinals[at] as number] as number,
          idAt(row),
        );
      }
    }
    if (!withPrices) return;
    const prices = block.prices();
    countRows(priceBands, rows, (row) => findBand(prices[row] as number), idAt);
  });
  return {
    brands: readBrandFacets(stored, [...brands.values()]),
    categories: readCategoryFacets(
      stored,
      new Map([...categories].map(([id, entry]) => [id, entry.count])),
    ),
    prices: [...priceBands]
      .sort(([a], [b]) => a - b)
      .map(([band, counted]) => ({ ...getBandLimits(band), count: counted.count })),
  };
};

/** Number of products with a value, and the id of the first one. */
interface ValueCount {
  count: number;
  readonly id: number;
}

const addOccurrence = (counts: Map<number, ValueCount>, value: number, id: number): void => {
  const entry = counts.get(value);
  if (entry) entry.count += 1;
  else counts.set(value, { count: 1, id });
};

const countRows = (
  counts: Map<number, ValueCount>,
  rows: readonly number[],
  valueAt: (row: number) => number | undefined,
  idAt: (row: number) => number,
): void => {
  for (const row of rows) {
    const value = valueAt(row);
    if (value !== undefined) addOccurrence(counts, value, idAt(row));
  }
};

/** Names each brand as its first product spells it. Only brands that can be among the most common are looked up. */
const readBrandFacets = (stored: ReadTables, entries: readonly ValueCount[]): Facets["brands"] => {
  const descending = [...entries].sort((a, b) => b.count - a.count);
  const minCount = descending[maxFacetValues - 1]?.count ?? 0;
  const brands = descending.flatMap(({ count, id }) => {
    const brand = count >= minCount && stored.get(tables.products, id)?.brand;
    return brand ? [{ brand, count }] : [];
  });
  return topByCount(brands, ({ brand }) => brand);
};

const readCategoryFacets = (
  stored: ReadTables,
  counts: ReadonlyMap<number, number>,
): Facets["categories"] =>
  topByCount(
    [...counts].flatMap(([id, count]) => {
      const category = stored.get(tables.categories, id);
      return category ? [{ id, name: category.name, count }] : [];
    }),
    ({ name }) => name,
  );

const topByCount = <V extends { readonly count: number }>(
  values: readonly V[],
  nameOf: (value: V) => string,
): readonly V[] => {
  const byName = (a: V, b: V): number => (nameOf(a) < nameOf(b) ? -1 : 1);
  return [...values].sort((a, b) => b.count - a.count || byName(a, b)).slice(0, maxFacetValues);
};

/**
 * Price bands end at 1, 2 and 5 times each power of ten. So a shop of screws and a shop of cars both have several.
 */
const bandSteps = [1, 2, 5];
const microUnits = 1_000_000;

const getBandStart = (band: number): number =>
  band === 0 ? 0 : (bandSteps[(band - 1) % 3] as number) * 10 ** Math.floor((band - 1) / 3);

/** Start of each band in units of 10^-6, up to the largest amount. */
const bandStarts = Array.from({ length: 50 }, (_, band) => getBandStart(band) * microUnits);

/**
 * Finds the band of a price. Band 0 holds prices below 1.
 * @returns undefined without a price
 */
const findBand = (price: number): number | undefined => {
  if (Number.isNaN(price)) return undefined;
  let band = 0;
  while (price >= (bandStarts[band + 1] ?? Number.POSITIVE_INFINITY)) band += 1;
  return band;
};

/** Formats the limits of a band. `max` is exclusive. */
const getBandLimits = (band: number): { readonly min: string; readonly max: string } => ({
  min: String(getBandStart(band)),
  max: String(getBandStart(band + 1)),
});

import type { Facets } from "../../schema/queries.ts";
import { tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import { forEachBlock } from "../doc-values/doc-values-scan.ts";
import type { DocIds } from "../postings/doc-ids.ts";
import { computeNamedFacets, maxFacetValues, topByCount } from "./named-facets.ts";

export const computeFacets = (
  stored: ReadTables,
  ids: DocIds,
  { withPrices, instant }: { readonly withPrices: boolean; readonly instant: number },
): Facets => {
  const brands: ValueCounts = new Map();
  const categories: ValueCounts = new Map();
  const bands: number[] = Array(bandStarts.length).fill(0);
  forEachBlock(stored, ids, instant, (block, { rows }) => {
    const [brandsOf, categoriesOf] = [block.brands(), block.categories()];
    const prices = withPrices ? block.prices().amounts : undefined;
    for (const row of rows) {
      const id = block.ids[row] as number;
      addOccurrence(brands, brandsOf.values[(brandsOf.ordinals[row] as number) - 1], id);
      const end = categoriesOf.starts[row + 1] as number;
      for (let at = categoriesOf.starts[row] as number; at < end; at += 1) {
        addOccurrence(categories, categoriesOf.values[categoriesOf.ordinals[at] as number], id);
      }
      const band = prices && findBand(prices[row] as number);
      if (band !== undefined) bands[band] = (bands[band] ?? 0) + 1;
    }
  });
  return {
    brands: readBrandFacets(stored, [...brands.values()]),
    categories: readCategoryFacets(stored, categories),
    prices: bands.flatMap((count, band) => (count > 0 ? [{ ...getBandLimits(band), count }] : [])),
    ...computeNamedFacets(stored, ids),
  };
};

/** Number of products with a value, and the id of the first one. */
interface ValueCount {
  count: number;
  readonly id: number;
}

type ValueCounts = Map<number, ValueCount>;

const addOccurrence = (counts: ValueCounts, value: number | undefined, id: number): void => {
  if (value === undefined) return;
  const entry = counts.get(value);
  if (entry) entry.count += 1;
  else counts.set(value, { count: 1, id });
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
  counts: ReadonlyMap<number, ValueCount>,
): Facets["categories"] => {
  const categories = [...counts].flatMap(([id, { count }]) => {
    const category = stored.get(tables.categories, id);
    return category ? [{ id, name: category.name, count }] : [];
  });
  return topByCount(categories, ({ name }) => name);
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

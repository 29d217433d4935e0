import type { Facets } from "../reader/reader.ts";
import { tables } from "../schema/tables.ts";
import type { Tables } from "../store/store.ts";
import { eachFactRun } from "./doc-values-scan.ts";
import type { Ids } from "./postings/doc-ids.ts";

/** Values a facet tells at most: those of most products. */
const mostValues = 50;

/** How the products that match spread over brands, categories and prices. */
export const facetsOf = (
  stored: Tables,
  ids: Ids,
  { withPrices }: { readonly withPrices: boolean },
): Facets => {
  const brands = new Map<number, Counted>();
  const categories = new Map<number, Counted>();
  const bands = new Map<number, Counted>();
  eachFactRun(stored, ids, (run, { rows }) => {
    const idAt = (row: number): number => run.ids[row] as number;
    const { known, places } = run.brands();
    countRows(brands, rows, (row) => known[(places[row] as number) - 1], idAt);
    const within = run.categories();
    for (const row of rows) {
      for (
        let at = within.begins[row] as number;
        at < (within.begins[row + 1] as number);
        at += 1
      ) {
        count(categories, within.known[within.places[at] as number] as number, idAt(row));
      }
    }
    if (!withPrices) return;
    const prices = run.prices();
    countRows(bands, rows, (row) => bandOf(prices[row] as number), idAt);
  });
  return {
    brands: namedBrands(stored, [...brands.values()]),
    categories: namedCategories(
      stored,
      new Map([...categories].map(([id, counted]) => [id, counted.count])),
    ),
    prices: [...bands]
      .sort(([a], [b]) => a - b)
      .map(([band, counted]) => ({ ...endsOf(band), count: counted.count })),
  };
};

/** So many products, and the first of them. */
interface Counted {
  count: number;
  readonly id: number;
}

const count = (counts: Map<number, Counted>, value: number, id: number): void => {
  const counted = counts.get(value);
  if (counted) counted.count += 1;
  else counts.set(value, { count: 1, id });
};

const countRows = (
  counts: Map<number, Counted>,
  rows: readonly number[],
  valueOf: (row: number) => number | undefined,
  idAt: (row: number) => number,
): void => {
  for (const row of rows) {
    const value = valueOf(row);
    if (value !== undefined) count(counts, value, idAt(row));
  }
};

/** A brand is told as its first product spells it. Only those that can be among the commonest are looked up. */
const namedBrands = (stored: Tables, counted: readonly Counted[]): Facets["brands"] => {
  const descending = [...counted].sort((a, b) => b.count - a.count);
  const least = descending[mostValues - 1]?.count ?? 0;
  const named = descending.flatMap(({ count, id }) => {
    const brand = count >= least && stored.get(tables.products, id)?.brand;
    return brand ? [{ brand, count }] : [];
  });
  return commonest(named, ({ brand }) => brand);
};

const namedCategories = (
  stored: Tables,
  counts: ReadonlyMap<number, number>,
): Facets["categories"] =>
  commonest(
    [...counts].flatMap(([id, count]) => {
      const category = stored.get(tables.categories, id);
      return category ? [{ id, name: category.name, count }] : [];
    }),
    ({ name }) => name,
  );

const commonest = <V extends { readonly count: number }>(
  values: readonly V[],
  nameOf: (value: V) => string,
): readonly V[] => {
  const byName = (a: V, b: V): number => (nameOf(a) < nameOf(b) ? -1 : 1);
  return [...values].sort((a, b) => b.count - a.count || byName(a, b)).slice(0, mostValues);
};

/** Bands end at 1, 2 and 5 times each power of ten, so that a shop of screws and one of cars both have some. */
const steps = [1, 2, 5];
const unit = 1_000_000;

const startOf = (band: number): number =>
  band === 0 ? 0 : (steps[(band - 1) % 3] as number) * 10 ** Math.floor((band - 1) / 3);

/** Where bands begin, in millionths, as far as amounts go. */
const starts = Array.from({ length: 50 }, (_, band) => startOf(band) * unit);

/** Number of the band a price falls into, the lowest being 0: below 1; undefined without a price. */
const bandOf = (price: number): number | undefined => {
  if (Number.isNaN(price)) return undefined;
  let band = 0;
  while (price >= (starts[band + 1] ?? Number.POSITIVE_INFINITY)) band += 1;
  return band;
};

/** `max` is not included. */
const endsOf = (band: number): { readonly min: string; readonly max: string } => ({
  min: String(startOf(band)),
  max: String(startOf(band + 1)),
});

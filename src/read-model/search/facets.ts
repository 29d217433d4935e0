import type { Facets } from "../reader.ts";
import type { Tables } from "../store.ts";
import { tables } from "../tables.ts";
import { eachFact } from "./each-fact.ts";
import type { Fact } from "./facts.ts";
import type { Ids } from "./ids.ts";
import { brandKey } from "./names.ts";

/** Values a facet tells at most: those of most products. */
const mostValues = 50;

/** How the products that match spread over brands, categories and prices. */
export const facetsOf = (
  stored: Tables,
  ids: Ids,
  { withPrices }: { readonly withPrices: boolean },
): Facets => {
  const brands = new Map<string, { readonly brand: string; count: number }>();
  const categories = new Map<number, number>();
  const bands = new Map<number, number>();
  const keys = new Map<string, string>();
  const keyOf = (brand: string): string => {
    const key = keys.get(brand) ?? brandKey(brand);
    keys.set(brand, key);
    return key;
  };
  eachFact(stored, ids, ({ brand, categoryIds, price }: Fact) => {
    if (brand !== null) {
      const known = brands.get(keyOf(brand));
      if (known) known.count += 1;
      else brands.set(keyOf(brand), { brand, count: 1 });
    }
    for (const id of categoryIds) categories.set(id, (categories.get(id) ?? 0) + 1);
    if (price !== undefined) bands.set(bandOf(price), (bands.get(bandOf(price)) ?? 0) + 1);
  });
  return {
    brands: commonest([...brands.values()], ({ brand }) => brand),
    categories: namedCategories(stored, categories),
    prices: withPrices
      ? [...bands].sort(([a], [b]) => a - b).map(([band, count]) => ({ ...endsOf(band), count }))
      : [],
  };
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

/** Number of the band a price falls into, the lowest being 0: below 1. */
const bandOf = (price: number): number => {
  let band = 0;
  while (price >= startOf(band + 1) * unit) band += 1;
  return band;
};

const startOf = (band: number): number =>
  band === 0 ? 0 : (steps[(band - 1) % 3] as number) * 10 ** Math.floor((band - 1) / 3);

/** `max` is not included. */
const endsOf = (band: number): { readonly min: string; readonly max: string } => ({
  min: String(startOf(band)),
  max: String(startOf(band + 1)),
});

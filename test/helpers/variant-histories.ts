import fc from "fast-check";
import type { VariantData } from "../../src/events/product-facts.ts";

/** Random variants, prices and facts of a small shop; ids, options and instants often collide. */

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

/** Removes undefined members, because an event either has a member or does not. */
export const withoutUndefined = <T extends object>(data: T): Present<T> =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) as Present<T>;

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

const currency = fc.constantFrom("EUR", "EUR", "USD");
export const money = fc
  .tuple(fc.integer({ min: 1, max: 3 }), currency)
  .map(([units, currency]) => ({ amount: `${units}.00`, currency }));

/** Instants around which prices change; they are after the events of a history. */
export const edge = fc
  .integer({ min: 0, max: 6 })
  .map((hour) => new Date(Date.UTC(2026, 9, 2, hour)).toISOString());

export const sales = fc.array(
  fc
    .record({ price: money, window: fc.record({ from: maybe(edge), to: maybe(edge) }) })
    .map(({ price, window }) => ({ price, ...withoutUndefined(window) })),
  { maxLength: 2 },
);

const nullable = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

/** The members of the price group, each often left out. */
export const priceMembers = fc
  .record({
    price: maybe(nullable(money)),
    listPrice: maybe(nullable(money)),
    priorPrice: maybe(nullable(money)),
    sales: maybe(nullable(sales)),
  })
  .map(withoutUndefined);

export const variantId = fc.integer({ min: 1, max: 4 });

const option = (name: string, ...values: string[]) =>
  fc.constantFrom(...values).map((value) => ({ name, value }));

/** A variant without its id. */
export const variantBody: fc.Arbitrary<Omit<VariantData, "id">> = fc
  .tuple(
    fc.record({
      sku: maybe(fc.constantFrom("S-1", "S-2", "")),
      url: maybe(fc.constantFrom("?v=1", "?v=2", "/products/1")),
      active: maybe(fc.boolean()),
      condition: maybe(fc.constantFrom("new" as const, "used" as const)),
    }),
    fc.tuple(maybe(option("Color", "Red", "Blue")), maybe(option("Size", "S", "M", "L"))),
    fc.oneof(fc.constant({}), priceMembers),
  )
  .map(([data, options, prices]) => ({
    ...withoutUndefined(data),
    options: options.filter((each) => each !== undefined),
    ...prices,
  }));

/** A list of variants with different ids and options. */
export const variantList: fc.Arbitrary<readonly VariantData[]> = fc
  .uniqueArray(fc.tuple(variantId, variantBody), { maxLength: 4, selector: ([id]) => id })
  .map((entries) => {
    const combinations = new Set<string>();
    return entries.flatMap(([id, body]) => {
      const key = JSON.stringify(body.options);
      if (body.options?.length && combinations.has(key)) return [];
      combinations.add(key);
      return [{ id, ...body }];
    });
  });

/** Facts of a product, each often left out. */
export const facts = fc
  .record({
    mpn: maybe(nullable(fc.constantFrom("M-1", "M-2"))),
    rating: maybe(nullable(fc.constantFrom({ value: 4, count: 2 }, { value: 3, count: 0 }))),
    tags: maybe(nullable(fc.constantFrom(["new"], ["old", "new"], []))),
    options: maybe(nullable(fc.constantFrom([{ name: "Color", code: "color", values: ["Red"] }]))),
    releaseDate: maybe(fc.constantFrom("2026-01-01", null)),
  })
  .map(withoutUndefined);

export const stockState = fc
  .record({
    availability: maybe(fc.constantFrom("preorder" as const, "out_of_stock" as const, null)),
    availabilityDate: maybe(fc.constantFrom("2026-10-02", "2026-10-02T03:00:00Z", null)),
  })
  .map(withoutUndefined);

/** Settings that say how prices and stock are shown. */
export const goodsSettings = fc
  .record({
    listPriceKind: maybe(fc.constantFrom("former" as const, "recommended" as const, null)),
    lowStockThreshold: maybe(fc.constantFrom(2, null)),
    timeZone: maybe(fc.constantFrom("Europe/Berlin", "America/New_York")),
  })
  .map(withoutUndefined);

import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openReader } from "../../../src/read-model/reader/open-reader.ts";
import type {
  OffsetPageQuery,
  ProductQuery,
  Sort,
} from "../../../src/read-model/schema/queries.ts";
import type { Store } from "../../../src/read-model/store/store.ts";
import { property } from "../../helpers/effort.ts";
import {
  categoryUpserted,
  priceChanged,
  productDeleted,
  productPatched,
  productUpserted,
  settingsUpdated,
  stockChanged,
} from "../../helpers/events.ts";
import { openModel, type TestModel } from "../../helpers/model.ts";

const test = suite<{ model: TestModel }>("listing");

test.before.each((context) => {
  context.model = openModel();
  context.model.apply(settingsUpdated());
});
test.after.each(({ model }) => model.close());

const ids = (model: TestModel, wanted: Partial<OffsetPageQuery> = {}): readonly number[] =>
  listed(model, wanted).products.map(({ id }) => id);

const listed = ({ read: ask }: TestModel, wanted: Partial<OffsetPageQuery>) =>
  ask((snapshot) => snapshot.listing({ sort: "relevance", limit: 100, offset: 0, ...wanted }));

const priced = (id: number, amount: string | null, currency = "EUR") =>
  productUpserted({ id, price: amount === null ? null : { amount, currency } });

test("the largest possible id is in every list, and is found by its members", ({ model }) => {
  const greatest = Number.MAX_SAFE_INTEGER;
  const named = { reference: "REF-MAX", url: "https://shop.example/p/max" };
  model.apply(priced(1, null), productUpserted({ id: greatest, price: null, ...named }));
  for (const sort of ["relevance", "price_asc", "price_desc", "name"] as const) {
    assert.ok(ids(model, { sort }).includes(greatest), sort);
  }
  for (const filter of [{ reference: "REF-MAX" }, { url: named.url }, { query: "REF-MAX" }]) {
    assert.equal(ids(model, filter), [greatest], JSON.stringify(filter));
  }
});

test("prices sort as numbers, equal prices by id, and products without a price come last", ({
  model,
}) => {
  model.apply(
    priced(1, "100"),
    priced(2, "9.5"),
    priced(3, null),
    priced(4, "9.50"),
    priced(5, "0.000001"),
    priced(6, "999999999999999.999999"),
    priced(7, null),
  );
  assert.equal(ids(model, { sort: "price_asc" }), [5, 2, 4, 1, 6, 3, 7]);
  assert.equal(ids(model, { sort: "price_desc" }), [6, 1, 2, 4, 5, 3, 7]);
});

/** Ids sorted by price both ways, from the price index and by sorting matches, then by range and facet. */
const compared = (model: TestModel) => ({
  ascending: [
    ids(model, { sort: "price_asc" }),
    ids(model, { sort: "price_asc", query: "product" }),
  ],
  descending: [
    ids(model, { sort: "price_desc" }),
    ids(model, { sort: "price_desc", query: "product" }),
  ],
  ranges: [ids(model, { priceMin: "0" }), ids(model, { priceMax: "999" })],
  counted: model.read((snapshot) =>
    snapshot.facets({}).prices.reduce((sum, { count }) => sum + count, 0),
  ),
});

const ofEuros = {
  ascending: [
    [4, 1, 2, 3, 5],
    [4, 1, 2, 3, 5],
  ],
  descending: [
    [1, 4, 2, 3, 5],
    [1, 4, 2, 3, 5],
  ],
  ranges: [
    [1, 4],
    [1, 4],
  ],
  counted: 2,
};

const ofDollars = {
  ascending: [
    [5, 2, 1, 3, 4],
    [5, 2, 1, 3, 4],
  ],
  descending: [
    [2, 5, 1, 3, 4],
    [2, 5, 1, 3, 4],
  ],
  ranges: [
    [2, 5],
    [2, 5],
  ],
  counted: 2,
};

const inTwoCurrencies = [
  priced(1, "7"),
  priced(2, "6", "USD"),
  priced(3, null),
  priced(4, "3.50"),
  priced(5, "5", "USD"),
];

test("a price in a foreign currency is shown, but is in no range, facet or sort", ({ model }) => {
  model.apply(...inTwoCurrencies);
  assert.equal(compared(model), ofEuros);
  assert.equal(
    listed(model, {}).products.map(
      ({ offer: { price } }) => price && `${price.amount} ${price.currency}`,
    ),
    ["7 EUR", "6 USD", null, "3.50 EUR", "5 USD"],
  );
});

test("a change of the shop's currency updates ranges, facets and sorts", ({ model }) => {
  model.apply(...inTwoCurrencies, settingsUpdated({ currency: "USD" }));
  assert.equal(compared(model), ofDollars);
  model.apply(settingsUpdated({ currency: "EUR" }), productPatched({ id: 1, name: "Product one" }));
  assert.equal(compared(model), ofEuros);
});

test("before the first settings event every price is compared", async () => {
  const model = openModel();
  model.apply(...inTwoCurrencies);
  const every = compared(model);
  assert.equal(
    [every.ascending[0], every.ranges[0], every.counted],
    [[4, 5, 2, 1, 3], [1, 2, 4, 5], 4],
  );
  model.apply(settingsUpdated());
  assert.equal(compared(model), ofEuros);
  await model.close();
});

test("a product moves to the end of a price sort when its price changes currency, and back again", ({
  model,
}) => {
  model.apply(priced(1, "1"), priced(2, "2"), priced(3, "3"));
  model.apply(priceChanged({ productId: 1, price: { amount: "1", currency: "USD" } }));
  assert.equal(ids(model, { sort: "price_asc" }), [2, 3, 1]);
  model.apply(priceChanged({ productId: 1, price: { amount: "2.5", currency: "EUR" } }));
  assert.equal(ids(model, { sort: "price_asc" }), [2, 1, 3]);
});

test("names sort without case and accents, equal names by id", ({ model }) => {
  for (const [at, name] of ["zebra", "Öl", "apple", "OL", "Äpfel", "ol"].entries()) {
    model.apply(productUpserted({ id: at + 1, name }));
  }
  assert.equal(ids(model, { sort: "name" }), [5, 3, 2, 4, 6, 1]);
});

for (const [language, names] of Object.entries({
  sv: ["apa", "Zebra", "Åka", "älg", "Öl"],
  de: ["Apfel", "Äpfelchen", "Zug"],
  cs: ["cukr", "Čaj", "divan", "hrad", "chata", "jablko"],
  hu: ["cukor", "csak", "dal", "zúg", "zseb"],
})) {
  test(`names sort by the alphabet of the shop's language: ${language}`, ({ model }) => {
    model.apply(settingsUpdated({ language }));
    const alphabetical = names.map((_, at) => names.length - at);
    for (const [at, id] of alphabetical.entries()) {
      model.apply(productUpserted({ id, name: names[at] as string }));
    }
    assert.equal(ids(model, { sort: "name" }), alphabetical);
    // Another language sorts them differently, and this one as before.
    model.apply(settingsUpdated({ language: "en" }), settingsUpdated({ language }));
    assert.equal(ids(model, { sort: "name" }), alphabetical);
  });
}

test("names of any length and script are sorted: signs, then letters, then characters", ({
  model,
}) => {
  const names = ["\u{1f600}".repeat(250), "語".repeat(500), "~", "A".repeat(500)];
  for (const [at, name] of names.entries()) model.apply(productUpserted({ id: at + 1, name }));
  assert.equal(ids(model, { sort: "name" }), [3, 4, 2, 1]);
});

test("a category includes the products of its descendants, each once", ({ model }) => {
  model.apply(
    categoryUpserted({ id: 1 }),
    categoryUpserted({ id: 2, parentId: 1 }),
    categoryUpserted({ id: 3, parentId: 2 }),
    categoryUpserted({ id: 4 }),
    productUpserted({ id: 1, categoryIds: [3] }),
    productUpserted({ id: 2, categoryIds: [1, 2, 3] }),
    productUpserted({ id: 3, categoryIds: [4] }),
  );
  assert.equal(ids(model, { categoryIds: [1] }), [1, 2]);
  assert.is(listed(model, { categoryIds: [1], limit: 1 }).total, 2);
  assert.equal(ids(model, { categoryIds: [3], sort: "price_desc" }), [1, 2]);
  assert.equal(ids(model, { categoryIds: [4], query: "product" }), [3]);
});

test("a sort follows every change of its products", ({ model }) => {
  model.apply(priced(1, "1"), priced(2, "2"), priced(3, "3"));
  const later = { time: "2026-10-01T09:00:00Z" };
  model.apply(productPatched({ id: 1, price: { amount: "9" }, name: "Zzz" }, later));
  model.apply(productPatched({ id: 2, active: false }, later));
  assert.equal(ids(model, { sort: "price_asc" }), [3, 1]);
  assert.equal(ids(model, { sort: "name" }), [3, 1]);
  model.apply(productDeleted(3, later));
  assert.equal(ids(model, { sort: "price_asc" }), [1]);
});

interface Example {
  readonly amount: string | null;
  readonly stocked: boolean;
  readonly category: number;
}

const example: fc.Arbitrary<Example> = fc.record({
  amount: fc.option(fc.constantFrom("1", "2", "2.0", "10", "10.5", "100")),
  stocked: fc.boolean(),
  category: fc.integer({ min: 1, max: 3 }),
});

test("every listing is a section of the full sort, with an exact total", async () => {
  const agrees = fc.asyncProperty(
    fc.array(example, { maxLength: 30 }),
    fc.constantFrom("relevance", "price_asc", "price_desc", "name"),
    fc.boolean(),
    fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    fc.integer({ min: 1, max: 10 }),
    fc.integer({ min: 0, max: 35 }),
    async (examples, sort, inStockOnly, categoryId, limit, offset) => {
      const model = openModel();
      try {
        model.apply(
          ...[1, 2, 3].map((id) => categoryUpserted({ id, parentId: id === 3 ? 1 : null })),
          ...examples.flatMap(({ amount, stocked, category }, at) => [
            productUpserted({
              id: at + 1,
              categoryIds: [category],
              price: amount === null ? null : { amount, currency: "EUR" },
            }),
            stockChanged({ productId: at + 1, quantity: stocked ? 1 : 0 }),
          ]),
        );
        const within = categoryId === 1 ? [1, 3] : [categoryId];
        const expected = examples
          .map((one, at) => ({ ...one, id: at + 1, name: `product ${at + 1}` }))
          .filter((one) => !inStockOnly || one.stocked)
          .filter((one) => categoryId === undefined || within.includes(one.category))
          .sort((a, b) => compareBy(sort, a, b) || a.id - b.id)
          .map(({ id }) => id);
        const more = {
          inStockOnly,
          ...(categoryId !== undefined && { categoryIds: [categoryId] }),
        };
        const { products, total } = listed(model, { sort, limit, offset, ...more });
        assert.is(total, expected.length);
        assert.equal(
          products.map(({ id }) => id),
          expected.slice(offset, offset + limit),
        );
      } finally {
        await model.close();
      }
    },
  );
  await fc.assert(agrees, property(60));
});

/** Counts the rows that are read. */
const counting = (store: Store) => {
  const read = { rows: 0 };
  const one = <A extends readonly unknown[], R>(lookup: (...wanted: A) => R) => {
    return (...wanted: A): R => {
      read.rows += 1;
      return lookup(...wanted);
    };
  };
  const each = <A extends readonly unknown[], R>(walk: (...wanted: A) => Iterable<R>) =>
    function* (...wanted: A): Iterable<R> {
      for (const row of walk(...wanted)) {
        read.rows += 1;
        yield row;
      }
    };
  const all = <A extends readonly unknown[], R>(scan: (...wanted: A) => readonly R[]) => {
    return (...wanted: A): readonly R[] => {
      const rows = scan(...wanted);
      read.rows += rows.length;
      return rows;
    };
  };
  const { get, has, keys, entries, scan, scanJson } = store;
  const counted = { get: one(get), has: one(has), keys: each(keys), entries: each(entries) };
  const scans = { scan: all(scan), scanJson: all(scanJson) };
  return { reader: openReader({ ...store, ...counted, ...scans } as Store), read };
};

test("a small set of matching products is not searched for by a walk of the full sort", ({
  model,
}) => {
  const all = Array.from({ length: 2_000 }, (_, at) => at + 1);
  model.apply(
    ...all.map((id) => productUpserted({ id, price: { amount: `${id}.00`, currency: "EUR" } })),
  );
  const { reader, read } = counting(model.store);
  const sorts: readonly Sort[] = ["price_asc", "price_desc", "name"];
  for (const stocked of [[], [1], [2_000], all.slice(0, 60), all.slice(-60)]) {
    model.apply(...all.slice(0, 60).map((productId) => stockChanged({ productId, quantity: 0 })));
    model.apply(...all.slice(-60).map((productId) => stockChanged({ productId, quantity: 0 })));
    model.apply(...stocked.map((productId) => stockChanged({ productId, quantity: 1 })));
    const within = stocked[0] === 1 ? { priceMax: "60" } : { priceMin: "1941" };
    for (const sort of sorts) {
      const queries: readonly ProductQuery[] = [
        { first: 1, sort, inStockOnly: true },
        { first: 1, sort, ...within },
      ];
      for (const query of queries) {
        const wanted = `${stocked.length} in stock: ${JSON.stringify(query)}`;
        read.rows = 0;
        const page = reader.snapshot((snapshot) => snapshot.products(query));
        assert.ok(read.rows < 1_000, `${read.rows} rows for a page of ${wanted}`);
        read.rows = 0;
        const after = page?.cursor(-1);
        reader.snapshot((snapshot) => snapshot.products({ ...query, ...(after && { after }) }));
        assert.ok(read.rows < 1_800, `${read.rows} rows for the next page of ${wanted}`);
        read.rows = 0;
        reader.snapshot((snapshot) => snapshot.listing({ ...query, sort, offset: 0, limit: 1 }));
        assert.ok(read.rows < 1_000, `${read.rows} rows for a listing of ${wanted}`);
      }
    }
  }
});

test("every page of a sort is correct, however unevenly the matches are distributed", async () => {
  const agrees = fc.asyncProperty(
    fc.array(fc.constantFrom("1", "2", "2.0", "10", "2 USD", null), {
      minLength: 40,
      maxLength: 120,
    }),
    fc.constantFrom<Sort>("price_asc", "price_desc"),
    fc.constantFrom("first", "last", "every seventh"),
    fc.integer({ min: 0, max: 30 }),
    fc.integer({ min: 1, max: 9 }),
    fc.constantFrom({}, { priceMin: "2" }, { priceMax: "2.00" }),
    async (amounts, sort, where, stocked, first, within: Partial<ProductQuery>) => {
      const model = openModel();
      try {
        model.apply(settingsUpdated());
        const examples = amounts.map((amountShown, at) => {
          const [amount = null, currency] = amountShown?.split(" ") ?? [];
          // The compared amount: none for a price in a foreign currency.
          return {
            amount: currency ? null : amount,
            id: at + 1,
            name: "",
            amountShown: amount,
            currency,
          };
        });
        const sorted = examples.toSorted((a, b) => compareBy(sort, a, b) || a.id - b.id);
        const chosen = sorted.filter((_, at) => {
          if (where === "every seventh") return at % 7 === 0;
          return where === "first" ? at < stocked : at >= sorted.length - stocked;
        });
        model.apply(
          ...examples.map(({ id, amountShown, currency }) => priced(id, amountShown, currency)),
          ...chosen.map(({ id }) => stockChanged({ productId: id, quantity: 1 })),
        );
        const { priceMin = 0, priceMax = Number.POSITIVE_INFINITY } = within;
        const isWithin = ({ amount }: { amount: string | null }): boolean =>
          amount !== null &&
          Number(amount) >= Number(priceMin) &&
          Number(amount) <= Number(priceMax);
        const narrowed = Object.keys(within).length > 0;
        for (const inStockOnly of [true, false]) {
          const expected = (inStockOnly ? chosen : sorted)
            .filter((one) => !narrowed || isWithin(one))
            .map(({ id }) => id);
          const query = { first, sort, inStockOnly, ...within };
          const walked: number[] = [];
          for (let after: string | undefined; ; ) {
            const page = model.read((snapshot) =>
              snapshot.products({ ...query, ...(after !== undefined && { after }) }),
            );
            assert.is(page?.totalCount, expected.length);
            assert.is(page?.hasPreviousPage, walked.length > 0);
            walked.push(...(page?.products ?? []).map(({ id }) => id));
            assert.is(page?.hasNextPage, walked.length < expected.length);
            after = page?.cursor(-1);
            if (!page?.hasNextPage) break;
          }
          assert.equal(walked, expected);
        }
      } finally {
        await model.close();
      }
    },
  );
  await fc.assert(agrees, property(25));
});

const compareBy = (
  sort: string,
  a: { amount: string | null; name: string },
  b: { amount: string | null; name: string },
): number => {
  if (sort === "relevance") return 0;
  if (sort === "name") return a.name === b.name ? 0 : a.name < b.name ? -1 : 1;
  if (a.amount === null || b.amount === null)
    return Number(a.amount === null) - Number(b.amount === null);
  const difference = Number(a.amount) - Number(b.amount);
  return sort === "price_asc" ? difference : -difference;
};

test.run();

/**
 * Whatever happened to the shop, a search finds the same products in the same sequence as a scan of all
 * documents.
 */
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { computeTermEntries } from "../../../projections/search-terms.ts";
import type { CloudEvent } from "../../../src/events/envelope.ts";
import type { Product } from "../../../src/read-model/reader/product.ts";
import type { Snapshot } from "../../../src/read-model/reader/reader.ts";
import type { ProductFilters } from "../../../src/read-model/schema/queries.ts";
import { getLanguage } from "../../../src/read-model/search/text/language.ts";
import { indexTerms, tokenize } from "../../../src/read-model/search/text/tokenizer.ts";
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
import { categoryNames } from "./reference-ranking.ts";

const test = suite("search agrees with the documents");

const vocabulary = [
  "red",
  "shoe",
  "shoes",
  "running",
  "lamp",
  "lamps",
  "lamppost",
  "42",
  "crème",
  "cafetière",
  "cafetiere",
];
const text = fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 4 });
const words = text.map((some) => some.join(" "));
const brand = fc.constantFrom("Acme", "ACME", "Lampe & Co", null);
const currency = fc.constantFrom("EUR", "EUR", "EUR", "USD");
const money = fc.option(
  fc
    .tuple(fc.constantFrom("5.00", "9.90", "20", "20.000001"), currency)
    .map(([amount, currency]) => ({ amount, currency })),
  { nil: null },
);
// Ids that start posting blocks and ids that do not, close together and far apart.
const id = fc.constantFrom(1, 2, 3, 700, 701, 4_000_000, 7_982_340_112_345, 7_982_340_112_346);
const category = fc.integer({ min: 1, max: 3 });

const event: fc.Arbitrary<CloudEvent> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .record({
        id,
        name: words,
        brand,
        price: money,
        categoryIds: fc.uniqueArray(category, { maxLength: 2 }),
        descriptionHtml: fc.option(words, { nil: null }),
        specifications: fc.array(fc.record({ name: words, value: words }), { maxLength: 1 }),
        active: fc.boolean(),
      })
      .map((data) => productUpserted({ ...data, active: data.active || data.id < 700 })),
  },
  { weight: 2, arbitrary: fc.tuple(id, words).map(([id, name]) => productPatched({ id, name })) },
  {
    weight: 1,
    arbitrary: fc.tuple(id, fc.boolean()).map(([id, active]) => productPatched({ id, active })),
  },
  { weight: 1, arbitrary: id.map((id) => productDeleted(id)) },
  {
    weight: 2,
    arbitrary: fc.tuple(id, money).map(([productId, price]) => priceChanged({ productId, price })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(id, fc.integer({ min: 0, max: 1 }))
      .map(([productId, quantity]) => stockChanged({ productId, quantity })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(category, words)
      .map(([id, name]) => categoryUpserted({ id, name, parentId: id > 1 ? id - 1 : null })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ language: fc.constantFrom("en", "de"), currency })
      .map((data) => settingsUpdated(data)),
  },
);

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 });

const filters = fc
  .record({
    inStockOnly: maybe(fc.constant(true)),
    categoryIds: maybe(fc.array(category, { minLength: 1, maxLength: 2 })),
    brand: maybe(fc.constantFrom("acme", "LAMPE & CO", "none")),
    priceMin: maybe(fc.constantFrom("5", "9.91", "20.000001")),
    priceMax: maybe(fc.constantFrom("5.00", "20", "999999999999999")),
  })
  .map(
    (all) =>
      Object.fromEntries(
        Object.entries(all).filter(([, value]) => value !== undefined),
      ) as ProductFilters,
  );

const query = fc
  .tuple(text, fc.constantFrom("", "la", "lamp", "r", "CREME", "sho"))
  .map(([some, last]) => `${some.slice(0, 2).join(" ")} ${last}`.trim())
  // A repeated number asks for products that have it as often, which the scan below does not count.
  .filter((words) => !/\b(\d+)\b.*\b\1\b/.test(words));

const ids = [1, 2, 3, 700, 701, 4_000_000, 7_982_340_112_345, 7_982_340_112_346];

const visible = (snapshot: Snapshot): readonly Product[] =>
  ids.flatMap((id) => snapshot.product(id) ?? []);

/** A price in a foreign currency counts as none; before the first settings event all prices count. */
const comparedPrice = (snapshot: Snapshot, { offer: { price } }: Product): number | null => {
  const currency = snapshot.shop()?.currency;
  return price && (currency ?? price.currency) === price.currency ? Number(price.amount) : null;
};

const isLetThrough = (snapshot: Snapshot, product: Product, wanted: ProductFilters) => {
  const { categoryIds, brand } = product.text;
  const price = comparedPrice(snapshot, product);
  const within = new Set(wanted.categoryIds?.filter((id) => snapshot.category(id)));
  for (const { id, parentId } of snapshot.categories()) {
    if (parentId !== null && within.has(parentId)) within.add(id);
  }
  return (
    (!wanted.inStockOnly || product.offer.availability === "IN_STOCK") &&
    (wanted.categoryIds === undefined || categoryIds.some((id) => within.has(id))) &&
    (wanted.brand === undefined || brand?.toLowerCase() === wanted.brand.toLowerCase()) &&
    (wanted.priceMin === undefined || (price !== null && price >= Number(wanted.priceMin))) &&
    (wanted.priceMax === undefined || (price !== null && price <= Number(wanted.priceMax)))
  );
};

/**
 * Whether a product has all words of the query, found by a scan of its texts. No query here is two words that products write
 * as one.
 */
const isFound = (snapshot: Snapshot, { text, description }: Product, query: string): boolean => {
  const language = getLanguage(snapshot.shop()?.language);
  const all = tokenize(query, language);
  // A word that the last word repeats requires nothing more.
  const wanted = all.filter(({ stem }, at) => at === all.length - 1 || stem !== all.at(-1)?.stem);
  const names = snapshot
    .categories()
    .filter(({ id }) => text.categoryIds.includes(id))
    .flatMap(({ id }) => categoryNames(snapshot, id));
  const named = [...indexTerms(names.join(" "), language)];
  const own = computeTermEntries({ ...text, description, labels: [], codes: [] }, language);
  const spelled = [...own.values()].flatMap(({ surfaceForms }) => surfaceForms);
  const stems = [...named, ...own.keys()];
  return wanted.every(({ surface, stem }, at) => {
    const begins = (term: string): boolean => at === wanted.length - 1 && term.startsWith(surface);
    return (
      stems.some((term) => term === stem || begins(term)) ||
      [...named, ...spelled].some((term) => term === surface || begins(term))
    );
  });
};

const walk = (snapshot: Snapshot, wanted: ProductFilters & { readonly query?: string }) => {
  const seen: number[] = [];
  let after: string | undefined;
  for (;;) {
    const page = snapshot.products({ ...wanted, first: 2, ...(after !== undefined && { after }) });
    assert.ok(page);
    seen.push(...page.products.map(({ id }) => id));
    assert.is(page.hasPreviousPage, after !== undefined);
    if (!page.hasNextPage) return { seen, total: page.totalCount };
    after = page.cursor(-1);
  }
};

const check = (model: TestModel, query: string, wanted: ProductFilters): void =>
  model.read((snapshot) => {
    const all = visible(snapshot);
    const filtered = all.filter((seen) => isLetThrough(snapshot, seen, wanted));
    const plain = walk(snapshot, wanted);
    assert.equal(plain, {
      seen: filtered.map(({ id }) => id),
      total: filtered.length,
    });
    const { seen, total } = walk(snapshot, { ...wanted, query });
    assert.is(total, seen.length);
    const fullPage = snapshot.products({ ...wanted, query, first: 100 });
    assert.equal(
      fullPage?.products.map(({ id }) => id),
      seen,
      "pages are sections of the full result",
    );
    if (fullPage?.understood?.corrected.length) return;
    const found = filtered.filter((one) => isFound(snapshot, one, query));
    assert.equal(
      [...seen].sort((a, b) => a - b),
      found.map(({ id }) => id),
    );
    const facets = snapshot.facets({ ...wanted, query });
    const priced = found.filter((product) => comparedPrice(snapshot, product) !== null);
    assert.is(sum(facets.prices), priced.length);
    assert.is(sum(facets.brands), found.filter(({ text }) => text.brand !== null).length);
    for (const sort of ["price_asc", "price_desc", "name"] as const) {
      const sorted = walk(snapshot, { ...wanted, query, sort } as never);
      assert.equal(
        [...sorted.seen].sort((a, b) => a - b),
        [...seen].sort((a, b) => a - b),
        sort,
      );
      if (sort !== "name") assert.equal(sorted.seen, byPrice(snapshot, found, sort), sort);
      const listed = snapshot.listing({ ...wanted, query, sort, limit: 100, offset: 0 });
      assert.equal(
        listed.products.map(({ id }) => id),
        sorted.seen,
        sort,
      );
    }
  });

const byPrice = (
  snapshot: Snapshot,
  found: readonly Product[],
  sort: "price_asc" | "price_desc",
): readonly number[] => {
  const keyOf = (product: Product): number => {
    const price = comparedPrice(snapshot, product);
    if (price === null) return Number.POSITIVE_INFINITY;
    return sort === "price_asc" ? price : -price;
  };
  const compare = (a: Product, b: Product): number => {
    const [one, other] = [keyOf(a), keyOf(b)];
    return one === other ? a.id - b.id : one - other;
  };
  return found.toSorted(compare).map(({ id }) => id);
};

const sum = (counted: readonly { readonly count: number }[]): number =>
  counted.reduce((all, { count }) => all + count, 0);

test("search agrees after any upserts, patches, deletions and visibility changes, filter by filter", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(event, { maxLength: 6 }), { minLength: 1, maxLength: 6 }),
      fc.array(fc.tuple(query, filters), { minLength: 3, maxLength: 3 }),
      async (batches, wanted) => {
        const model = openModel();
        try {
          for (const batch of batches) if (batch.length > 0) model.apply(...batch);
          for (const [query, filters] of wanted) check(model, query, filters);
        } finally {
          await model.close();
        }
      },
    ),
    property(150),
  );
});

test("the index is the same whether a shop is applied at once or event by event", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 30 }), async (events) => {
      const [fullPage, single] = [openModel(), openModel()];
      try {
        if (events.length > 0) fullPage.apply(...events);
        for (const one of events) single.apply(one);
        assert.equal(single.digest(), fullPage.digest());
      } finally {
        await fullPage.close();
        await single.close();
      }
    }),
    property(60),
  );
});

test.run();

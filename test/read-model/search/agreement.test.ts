/** Whatever happened to the shop, a search finds what a look at every document finds, in the same order. */
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { computeTermEntries } from "../../../projections/search-terms.ts";
import type { CloudEvent } from "../../../src/events/envelope.ts";
import type { Snapshot } from "../../../src/read-model/reader/reader.ts";
import type { ProductDetail, ProductDocument } from "../../../src/read-model/schema/documents.ts";
import type { ProductFilters } from "../../../src/read-model/schema/queries.ts";
import { getStemmer } from "../../../src/read-model/search/text/stemmer.ts";
import { indexTerms, tokenize } from "../../../src/read-model/search/text/tokenizer.ts";
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
import { property } from "../../torture/effort.ts";
import { namesOf } from "./plain-ranking.ts";

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
// Ids that start runs of their own and ids that do not, close together and far apart.
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
    categoryId: maybe(category),
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
  .tuple(text, fc.constantFrom("", "la", "lamp", "s", "CREME", "sho"))
  .map(([some, last]) => `${some.slice(0, 2).join(" ")} ${last}`.trim());

interface Seen {
  readonly product: ProductDocument;
  readonly detail: ProductDetail;
}

const ids = [1, 2, 3, 700, 701, 4_000_000, 7_982_340_112_345, 7_982_340_112_346];

const visible = (moment: Snapshot): readonly Seen[] =>
  ids.flatMap((id) => {
    const [product, detail] = [moment.product(id), moment.productDetail(id)];
    return product && detail ? [{ product, detail }] : [];
  });

/** A price in another currency than the shop's counts as none; until the shop tells its currency all count. */
const comparedPrice = (moment: Snapshot, { price }: ProductDocument): number | null => {
  const currency = moment.shop()?.currency;
  return price && (currency ?? price.currency) === price.currency ? Number(price.amount) : null;
};

const isLetThrough = (moment: Snapshot, { product, detail }: Seen, asked: ProductFilters) => {
  const price = comparedPrice(moment, product);
  const within = new Set(asked.categoryId === undefined ? [] : [asked.categoryId]);
  for (const { id, parentId } of moment.categories()) {
    if (parentId !== null && within.has(parentId)) within.add(id);
  }
  const isKnown = asked.categoryId !== undefined && moment.category(asked.categoryId);
  return (
    (!asked.inStockOnly || product.availability === "IN_STOCK") &&
    (asked.categoryId === undefined ||
      (isKnown && detail.categoryIds.some((id) => within.has(id) && moment.category(id)))) &&
    (asked.brand === undefined || product.brand?.toLowerCase() === asked.brand.toLowerCase()) &&
    (asked.priceMin === undefined || (price !== null && price >= Number(asked.priceMin))) &&
    (asked.priceMax === undefined || (price !== null && price <= Number(asked.priceMax)))
  );
};

/**
 * Whether a product says all words of the query, found by looking at all it says. None of these queries is two words that
 * products write as one: of `lamp s` each product says the second, by its reference.
 */
const isFound = (moment: Snapshot, { product, detail }: Seen, query: string): boolean => {
  const stemmer = getStemmer(moment.shop()?.language);
  const all = tokenize(query, stemmer);
  // What the last word says again asks for nothing more.
  const asked = all.filter(({ stem }, at) => at === all.length - 1 || stem !== all.at(-1)?.stem);
  const names = moment
    .categories()
    .filter(({ id }) => detail.categoryIds.includes(id))
    .flatMap(({ id }) => namesOf(moment, id));
  const named = [...indexTerms(names.join(" "), stemmer)];
  const own = computeTermEntries({ ...product, specifications: detail.specifications }, stemmer);
  const spelled = [...own.values()].flatMap(({ surfaceForms }) => surfaceForms);
  const stems = [...named, ...own.keys()];
  return asked.every(({ surface, stem }, at) => {
    const begins = (term: string): boolean => at === asked.length - 1 && term.startsWith(surface);
    return (
      stems.some((term) => term === stem || begins(term)) ||
      [...named, ...spelled].some((term) => term === surface || begins(term))
    );
  });
};

const walk = (moment: Snapshot, asked: ProductFilters & { readonly query?: string }) => {
  const seen: number[] = [];
  let after: string | undefined;
  for (;;) {
    const page = moment.products({ ...asked, first: 2, ...(after !== undefined && { after }) });
    assert.ok(page);
    seen.push(...page.products.map(({ id }) => id));
    assert.is(page.hasPreviousPage, after !== undefined);
    if (!page.hasNextPage) return { seen, total: page.totalCount };
    after = page.cursors.at(-1);
  }
};

const check = (model: TestModel, query: string, asked: ProductFilters): void =>
  model.read((moment) => {
    const all = visible(moment);
    const filtered = all.filter((seen) => isLetThrough(moment, seen, asked));
    const plain = walk(moment, asked);
    assert.equal(plain, {
      seen: filtered.map(({ product }) => product.id),
      total: filtered.length,
    });
    const { seen, total } = walk(moment, { ...asked, query });
    assert.is(total, seen.length);
    const whole = moment.products({ ...asked, query, first: 100 });
    assert.equal(
      whole?.products.map(({ id }) => id),
      seen,
      "pages are stretches of the whole",
    );
    if (whole?.understood?.corrected.length) return;
    const found = filtered.filter((one) => isFound(moment, one, query));
    assert.equal(
      [...seen].sort((a, b) => a - b),
      found.map(({ product }) => product.id),
    );
    const facets = moment.facets({ ...asked, query });
    const priced = found.filter(({ product }) => comparedPrice(moment, product) !== null);
    assert.is(sum(facets.prices), priced.length);
    assert.is(sum(facets.brands), found.filter(({ product }) => product.brand !== null).length);
    for (const sort of ["price_asc", "price_desc", "name"] as const) {
      const sorted = walk(moment, { ...asked, query, sort } as never);
      assert.equal(
        [...sorted.seen].sort((a, b) => a - b),
        [...seen].sort((a, b) => a - b),
        sort,
      );
      if (sort !== "name") assert.equal(sorted.seen, byPrice(moment, found, sort), sort);
      const listed = moment.listing({ ...asked, query, sort, limit: 100, offset: 0 });
      assert.equal(
        listed.products.map(({ id }) => id),
        sorted.seen,
        sort,
      );
    }
  });

const byPrice = (
  moment: Snapshot,
  found: readonly Seen[],
  sort: "price_asc" | "price_desc",
): readonly number[] => {
  const keyOf = ({ product }: Seen): number => {
    const price = comparedPrice(moment, product);
    if (price === null) return Number.POSITIVE_INFINITY;
    return sort === "price_asc" ? price : -price;
  };
  const compare = (a: Seen, b: Seen): number => {
    const [one, other] = [keyOf(a), keyOf(b)];
    return one === other ? a.product.id - b.product.id : one - other;
  };
  return found.toSorted(compare).map(({ product }) => product.id);
};

const sum = (counted: readonly { readonly count: number }[]): number =>
  counted.reduce((all, { count }) => all + count, 0);

test("whatever was upserted, patched, deleted, hidden and shown, filter by filter", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(event, { maxLength: 6 }), { minLength: 1, maxLength: 6 }),
      fc.array(fc.tuple(query, filters), { minLength: 3, maxLength: 3 }),
      async (batches, asked) => {
        const model = openModel();
        try {
          for (const batch of batches) if (batch.length > 0) model.apply(...batch);
          for (const [query, filters] of asked) check(model, query, filters);
        } finally {
          await model.close();
        }
      },
    ),
    property(150),
  );
});

test("the tables of a shop told at once are those of one told event by event", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 30 }), async (events) => {
      const [whole, single] = [openModel(), openModel()];
      try {
        if (events.length > 0) whole.apply(...events);
        for (const one of events) single.apply(one);
        assert.equal(single.digest(), whole.digest());
      } finally {
        await whole.close();
        await single.close();
      }
    }),
    property(60),
  );
});

test.run();

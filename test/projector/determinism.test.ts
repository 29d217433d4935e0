import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../src/events/envelope.ts";
import type { Product } from "../../src/read-model/reader/product.ts";
import type { Snapshot } from "../../src/read-model/reader/reader.ts";
import { categoryPageSize } from "../../src/read-model/schema/documents.ts";
import { tables } from "../../src/read-model/schema/tables.ts";
import { getLanguage } from "../../src/read-model/search/text/language.ts";
import { indexTerms, tokenize } from "../../src/read-model/search/text/tokenizer.ts";
import { property } from "../helpers/effort.ts";
import {
  type Attributes,
  categoryUpserted,
  type ExampleRecord,
  priceChanged,
  productDeleted,
  productPatched,
  productUpserted,
  recordOf,
  settingsUpdated,
  stockChanged,
} from "../helpers/events.ts";
import { history, interleave } from "../helpers/histories.ts";
import { openModel, type TestModel } from "../helpers/model.ts";
import { flatten } from "../helpers/reader.ts";
import {
  money,
  priceMembers,
  stockState,
  variantId,
  variantList,
} from "../helpers/variant-histories.ts";

const test = suite("determinism");
const runs = property(150);

const recordsOf = (events: readonly CloudEvent[]): ExampleRecord[] =>
  events.map((event, at) => recordOf(event, at + 1));

const withModel = async <T>(use: (model: TestModel) => T): Promise<T> => {
  const model = openModel();
  try {
    return use(model);
  } finally {
    await model.close();
  }
};

/** All rows and the checkpoint: its counts and the time of the last event must not differ either. */
const imprintOf = ({ digest, store }: TestModel) => ({
  digest: digest(),
  checkpoint: store.get(tables.meta, "checkpoint"),
});

const ofOneBatch = (events: readonly CloudEvent[]) =>
  withModel((model) => {
    model.deliver(recordsOf(events));
    return imprintOf(model);
  });

const batchSizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 8 });

/** Delivers records in batches whose sizes repeat. */
const deliverInBatches = (
  model: TestModel,
  records: readonly ExampleRecord[],
  sizes: readonly number[],
): void => {
  for (let at = 0, turn = 0; at < records.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    model.deliver(records.slice(at, at + size));
    at += size;
  }
};

test("the model does not depend on how the log is cut into batches", async () => {
  await fc.assert(
    fc.asyncProperty(history, batchSizes, async (events, sizes) => {
      const cut = await withModel((model) => {
        deliverInBatches(model, recordsOf(events), sizes);
        return imprintOf(model);
      });
      assert.equal(cut, await ofOneBatch(events));
    }),
    runs,
  );
});

test("the model does not depend on redelivered events", async () => {
  const restarts = fc.array(fc.nat({ max: 39 }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(history, restarts, async (events, backTo) => {
      const repeated = await withModel((model) => {
        const records = recordsOf(events);
        for (const record of records) model.deliver([record, record]);
        for (const from of backTo) model.deliver(records.slice(from));
        return imprintOf(model);
      });
      assert.equal(repeated, await ofOneBatch(events));
    }),
    runs,
  );
});

test("the model does not depend on a batch that failed half way and was repeated", async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.nat({ max: 39 }), async (events, at) => {
      const crashed = await withModel((model) => {
        const records = recordsOf(events);
        assert.throws(() =>
          model.store.transaction((stored) => {
            stored.put(tables.orphans, 99, true);
            model.deliver(records.slice(0, at));
            throw new Error("crash before the commit");
          }),
        );
        model.deliver(records);
        return imprintOf(model);
      });
      assert.equal(crashed, await ofOneBatch(events));
    }),
    runs,
  );
});

test("the model does not depend on how entities interleave, when each keeps its own sequence", async () => {
  const picks = fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(history, picks, async (events, picked) => {
      assert.equal(
        (await ofOneBatch(interleave(events, picked))).digest,
        (await ofOneBatch(events)).digest,
      );
    }),
    runs,
  );
});

const minute = (at: number) => ({ time: new Date(Date.UTC(2026, 9, 1, 8, at)).toISOString() });

/** Changes of members by events that are not newer than the current value. */
const movesOfOneTime: Readonly<Record<string, readonly CloudEvent[]>> = {
  "a product leaves its category": [
    categoryUpserted({ id: 1, parentId: null }, minute(0)),
    productUpserted({ id: 1, categoryIds: [1] }, minute(5)),
    stockChanged({ quantity: 1 }, minute(12)),
    productUpserted({ id: 1, categoryIds: [] }, minute(5)),
  ],
  "a category moves and comes back": [
    categoryUpserted({ id: 1, parentId: null }, minute(0)),
    categoryUpserted({ id: 2, parentId: null }, minute(0)),
    categoryUpserted({ id: 3, parentId: 1 }, minute(0)),
    productUpserted({ id: 1, categoryIds: [3] }, minute(12)),
    categoryUpserted({ id: 3, parentId: 2 }, minute(5)),
    categoryUpserted({ id: 3, parentId: 1 }, minute(5)),
  ],
  "a category is switched off and on": [
    categoryUpserted({ id: 1, parentId: null }, minute(0)),
    categoryUpserted({ id: 3, parentId: 1 }, minute(5)),
    productUpserted({ id: 1, categoryIds: [3] }, minute(12)),
    categoryUpserted({ id: 3, parentId: 1, active: false }, minute(5)),
    categoryUpserted({ id: 3, parentId: 1 }, minute(5)),
  ],
};

for (const [name, events] of Object.entries(movesOfOneTime)) {
  test(`dates do not depend on the cut into batches when ${name} by an event of the same time`, async () => {
    const cut = await withModel((model) => {
      for (const record of recordsOf(events)) model.deliver([record]);
      return imprintOf(model);
    });
    assert.equal(cut, await ofOneBatch(events));
  });
}

/** Goods of one product whose times are often equal; a sequence may contradict the time. */
const goodsOfOneTime: fc.Arbitrary<readonly CloudEvent[]> = fc.array(
  fc
    .tuple(
      fc.constantFrom(0, 0, 0, 1),
      fc.option(fc.constantFrom("1", "2", "3"), { nil: undefined }),
      fc.oneof(
        fc.tuple(fc.constantFrom(3, 100, 101, 150), stockState).map(
          ([quantity, state]) =>
            (attributes: Attributes) =>
              stockChanged({ productId: 1, quantity, ...state }, attributes),
        ),
        priceMembers.map(
          (prices) => (attributes: Attributes) => productPatched({ id: 1, ...prices }, attributes),
        ),
        fc.tuple(money, priceMembers).map(
          ([price, prices]) =>
            (attributes: Attributes) =>
              priceChanged({ ...prices, productId: 1, price }, attributes),
        ),
        fc.tuple(money, variantList).map(
          ([price, variants]) =>
            (attributes: Attributes) =>
              productUpserted({ id: 1, price, variants }, attributes),
        ),
        fc.tuple(variantId, stockState).map(
          ([variant, state]) =>
            (attributes: Attributes) =>
              stockChanged({ productId: 1, variantId: variant, quantity: 2, ...state }, attributes),
        ),
        fc.constant((attributes: Attributes) => productDeleted(1, attributes)),
      ),
    )
    .map(([at, sequence, build]) =>
      build({ ...minute(at), ...(sequence === undefined ? {} : { sequence }) }),
    ),
  { minLength: 2, maxLength: 12 },
);

test("the model does not depend on batches when events of goods have equal times, or a sequence against their times", async () => {
  const policy = fc.record({
    upcomingSales: fc.constantFrom("hidden" as const, "shown" as const),
    quantityVisible: fc.constantFrom("never" as const, "low" as const, "always" as const),
    lowStockThreshold: fc.constantFrom(null, 3, 100),
  });
  await fc.assert(
    fc.asyncProperty(policy, goodsOfOneTime, async (shown, goods) => {
      const log = [
        settingsUpdated(shown, minute(0)),
        productUpserted({ id: 1 }, minute(0)),
        ...goods,
      ];
      const cut = await withModel((model) => {
        for (const record of recordsOf(log)) model.deliver([record]);
        return imprintOf(model);
      });
      assert.equal(cut, await ofOneBatch(log));
    }),
    runs,
  );
});

test("the indexes of names and prices do not depend on batches when settings and products change together", async () => {
  const log = [
    settingsUpdated({ language: "sv", currency: "USD" }, minute(0)),
    productUpserted({ id: 1, name: "Ärta", price: { amount: "3.00", currency: "EUR" } }, minute(0)),
    productUpserted(
      { id: 2, name: "Zebra", price: { amount: "2.00", currency: "USD" } },
      minute(0),
    ),
    settingsUpdated({ language: "de", currency: "EUR" }, minute(1)),
    productUpserted({ id: 1, name: "Öl", price: { amount: "4.00", currency: "EUR" } }, minute(1)),
    productUpserted({ id: 2, name: "Ähre", price: { amount: "5.00", currency: "USD" } }, minute(1)),
  ];
  const cut = await withModel((model) => {
    model.deliver(recordsOf(log).slice(0, 3));
    model.deliver(recordsOf(log).slice(3));
    return imprintOf(model);
  });
  assert.equal(cut, await ofOneBatch(log));
});

test("the date of a category with more products than its page shows does not depend on batches", async () => {
  const last = categoryPageSize + 2;
  const shop = [
    categoryUpserted({ id: 1, parentId: null }, minute(0)),
    categoryUpserted({ id: 2, parentId: 1 }, minute(0)),
    ...Array.from({ length: last }, (_, at) => [
      productUpserted({ id: at + 1, categoryIds: [2] }, minute(1)),
      stockChanged({ productId: at + 1, quantity: 5 }, minute(1)),
    ]).flat(),
  ];
  const target = fc.record({
    productId: fc.constantFrom(1, 2, categoryPageSize, categoryPageSize + 1, last),
    at: fc.integer({ min: 2, max: 5 }),
  });
  const prices = fc
    .tuple(target, priceMembers)
    .map(([{ productId, at }, members]) => priceChanged({ ...members, productId }, minute(at)));
  const stocks = fc
    .tuple(target, stockState)
    .map(([{ productId, at }, members]) => stockChanged({ ...members, productId }, minute(at)));
  const moved = fc
    .constantFrom([], [2], [1])
    .map((categoryIds) => productUpserted({ id: 1, categoryIds }, minute(6)));
  // Every product has a stock, so that this setting changes all offers.
  const shown = fc
    .constantFrom("always" as const, "never" as const)
    .map((quantityVisible) => settingsUpdated({ quantityVisible }, minute(6)));
  const change = fc.oneof(prices, stocks, prices, stocks, moved, shown);
  const changes = fc.array(change, { maxLength: 10 });
  const twoInOneBatch: [CloudEvent[], number[]] = [
    [1, 2].map((productId) => stockChanged({ productId, quantity: 0 }, minute(1 + productId))),
    [2],
  ];
  const dateThatGoesBack: [CloudEvent[], number[]] = [
    [
      settingsUpdated({ quantityVisible: "always" }, minute(2)),
      stockChanged({ productId: 1, quantity: 4 }, minute(5)),
      settingsUpdated({ quantityVisible: "never" }, minute(6)),
    ],
    [1],
  ];
  await fc.assert(
    fc.asyncProperty(changes, batchSizes, async (events, sizes) => {
      const records = recordsOf([...shop, ...events]);
      const cut = await withModel((model) => {
        model.deliver(records.slice(0, shop.length));
        deliverInBatches(model, records.slice(shop.length), sizes);
        return imprintOf(model);
      });
      assert.equal(cut, await ofOneBatch([...shop, ...events]));
    }),
    { ...property(60), examples: [twoInOneBatch, dateThatGoesBack] },
  );
});

test("stock, price and product events in any sequence give the same document", async () => {
  const at = (minute: number) => ({
    time: new Date(Date.UTC(2026, 9, 1, 8, minute)).toISOString(),
  });
  const events = [
    productUpserted({ name: "First" }, at(1)),
    productUpserted({ name: "Second", price: { amount: "3.00", currency: "EUR" } }, at(4)),
    priceChanged({ price: { amount: "2.00", currency: "EUR" } }, at(2)),
    priceChanged({ price: { amount: "4.00", currency: "EUR" } }, at(6)),
    stockChanged({ quantity: 1 }, at(3)),
  ];
  const orders = fc.shuffledSubarray(events, { minLength: events.length });
  const shown = (sequence: readonly CloudEvent[]) =>
    withModel((model) => {
      for (const [index, event] of sequence.entries()) model.deliver([recordOf(event, index + 1)]);
      return model.read((snapshot) => {
        const product = snapshot.product(1);
        return product && flatten(product);
      });
    });
  const expected = await shown(events);
  assert.is(expected?.name, "Second");
  assert.equal(expected?.price, { amount: "4.00", currency: "EUR" });
  await fc.assert(
    fc.asyncProperty(orders, async (sequence) => assert.equal(await shown(sequence), expected)),
    property(200),
  );
});

const urlOfPage = fc.constantFrom("https://shop.example/a/1", "https://shop.example/b/1");
const linked = fc.constantFrom(
  '<p><a href="sizes">Sizes</a></p>',
  '<p>New <a href="sizes">Sizes</a></p>',
);
const stated = fc.oneof(
  fc
    .record({ url: urlOfPage, descriptionHtml: linked })
    .map((data) => (at: Attributes) => productUpserted(data, at)),
  fc
    .oneof(
      fc.record({ url: urlOfPage }),
      fc.record({ descriptionHtml: linked }),
      fc.record({ name: fc.constantFrom("Cup", "Mug") }),
    )
    .map((data) => (at: Attributes) => productPatched({ id: 1, ...data }, at)),
  fc.constant((at: Attributes) => productDeleted(1, at)),
);

test("relative links of a description lead below the current URL of the product", async () => {
  const events = fc
    .array(fc.tuple(fc.nat({ max: 8 }), stated), { minLength: 2, maxLength: 8 })
    .map((all) => all.map(([at, build]) => build(minute(at))));
  await fc.assert(
    fc.asyncProperty(events, async (log) => {
      const cut = await withModel((model) => {
        for (const record of recordsOf(log)) model.deliver([record]);
        const { text, markdown } = model.read((snapshot) => snapshot.product(1)) ?? {};
        const target = text && new URL("sizes", text.url).href;
        assert.ok(markdown?.endsWith(`[Sizes](${target})`) ?? true, `${markdown} ${text?.url}`);
        return imprintOf(model);
      });
      assert.equal(cut, await ofOneBatch(log));
    }),
    property(150),
  );
});

test("every count, index and page agrees with the documents", async () => {
  await fc.assert(
    fc.asyncProperty(
      history,
      fc.constantFrom("shoe", "shoes", "lamps", "red", "sh", "angstrom", "42"),
      async (events, query) => {
        await withModel((model) => {
          for (const record of recordsOf(events)) model.deliver([record]);
          agree(model, query);
        });
      },
    ),
    runs,
  );
});

const agree = (model: TestModel, query: string): void =>
  model.read((snapshot) => {
    const visible = [1, 2, 3, 4].flatMap((id) => snapshot.product(id) ?? []);
    const stocked = visible.filter(({ offer }) => offer.availability === "IN_STOCK");
    const walked = snapshot.products({ first: 100 });
    assert.equal(walked?.products.map(flatten), visible.map(flatten));
    assert.is(walked?.totalCount, visible.length);
    const orderable = snapshot.products({ first: 100, inStockOnly: true })?.products;
    assert.equal(orderable?.map(flatten), stocked.map(flatten));
    assert.is(snapshot.counts().inStock, stocked.length);
    if (snapshot.shop()?.pricesVisible ?? true) agreeOnPrices(snapshot, visible);
    const categories = snapshot.categories();
    for (const { id, productCount } of categories) {
      const inside = visible.filter(({ text }) => text.categoryIds.includes(id));
      assert.is(productCount, inside.length);
    }
    assert.is(
      snapshot.counts().stockedCategories,
      categories.filter(({ productCount }) => productCount > 0).length,
    );
    /** The names of a category include those of its ancestors. */
    const namesOf = (id: number): readonly string[] =>
      categories
        .filter((each) => each.id === id)
        .flatMap(({ name, parentId }) => [name, ...(parentId === null ? [] : namesOf(parentId))]);
    const language = getLanguage(snapshot.shop()?.language);
    const [token] = tokenize(query, language);
    const found = visible.filter((product) => {
      const { name, brand, reference, gtin, categoryIds } = product.text;
      const { description } = product;
      const names = categoryIds.flatMap(namesOf);
      const terms = indexTerms(
        [name, brand, reference, gtin, description, ...names, ...variantTexts(product)].join("\n"),
        language,
      );
      return [...terms].some((term) => term.startsWith(query) || term === token?.stem);
    });
    const page = snapshot.products({ first: 100, query });
    // A corrected word matches only when no name contains the word itself.
    if (page?.understood?.corrected.length) return assert.equal(found, []);
    assert.equal(new Set(page?.products.map(({ id }) => id)), new Set(found.map(({ id }) => id)));
    assert.is(page?.totalCount, found.length);
  });

/** Texts of variants and facts by which a product is found. */
const variantTexts = ({ text, variants: shown }: Product): readonly string[] => {
  const { tags, mpn } = text.facts;
  const variants = (shown?.ids ?? []).flatMap((id) => shown?.find(id) ?? []);
  // A variant that leaves an option out has any value of it.
  const open = text.options.filter(({ name }) =>
    variants.some(({ variant }) => variant.options.every((each) => each.name !== name)),
  );
  const texts = variants.flatMap(({ variant: { options, sku } }) => [
    ...options.map(({ value }) => value),
    sku ?? "",
  ]);
  const openValues = open.flatMap(({ values }) => values.map(({ value }) => value));
  return [...(tags ?? []), mpn ?? "", ...texts, ...openValues];
};

/** A price in a foreign currency counts as none; before the first settings event all prices count. */
const agreeOnPrices = (snapshot: Snapshot, visible: readonly Product[]): void => {
  const currency = snapshot.shop()?.currency;
  const amountOf = ({ offer: { price } }: Product): number | undefined =>
    price && (currency === undefined || price.currency === currency)
      ? Number(price.amount)
      : undefined;
  const priced = visible.filter((product) => amountOf(product) !== undefined);
  const withPrice = snapshot.products({ first: 100, priceMin: "0" })?.products;
  assert.equal(withPrice?.map(flatten), priced.map(flatten));
  const bands = snapshot.facets({}).prices;
  assert.is(
    bands.reduce((sum, { count }) => sum + count, 0),
    priced.length,
  );
  const ascending = priced.toSorted((a, b) => (amountOf(a) ?? 0) - (amountOf(b) ?? 0));
  const unpriced = visible.filter((product) => !priced.includes(product));
  const sorted = snapshot.listing({ sort: "price_asc", limit: 100, offset: 0 }).products;
  assert.equal(sorted.map(flatten), [...ascending, ...unpriced].map(flatten));
};

test.run();

/** Whatever happened to the shop, results stand in the order that ranking every document gives. */
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../../src/events/envelope.ts";
import type { Snapshot } from "../../../src/read-model/reader/reader.ts";
import type { ProductFilters } from "../../../src/read-model/schema/queries.ts";
import {
  categoryUpserted,
  productDeleted,
  productPatched,
  productUpserted,
  stockChanged,
} from "../../helpers/events.ts";
import { openModel, type TestModel } from "../../helpers/model.ts";
import { property } from "../../torture/effort.ts";
import { type Placed, rankPlainly, type Seen } from "./plain-ranking.ts";

const test = suite("ranking agrees with looking at every document");

const vocabulary =
  "red lamp lamps limp lump lamppost post shoe shoes running 42 wh-1000xm4 creme cafetière cafetiere 2.0m".split(
    " ",
  );
/** Words that no product says. */
const named = ["garden", "théière"];
const ids = [...Array.from({ length: 40 }, (_, at) => at + 1), 700, 4_000_000, 7_982_340_112_345];
const id = fc.constantFrom(...ids);
const text = (most: number) =>
  fc
    .array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: most })
    .map((all) => all.join(" "));

const upserted = fc
  .record({
    id,
    name: text(5),
    brand: fc.constantFrom("Acme", "Lamp & Co", null),
    reference: fc.constantFrom("AB-12", "AB 12 3", "12-34-56", "red", null),
    price: fc.constantFrom("5.00", "20.00").map((amount) => ({ amount, currency: "EUR" })),
    categoryIds: fc.uniqueArray(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }),
    descriptionHtml: fc.option(text(9), { nil: null }),
    specifications: fc.array(fc.record({ name: text(2), value: text(2) }), { maxLength: 1 }),
  })
  .map((data) => productUpserted(data));

const event: fc.Arbitrary<CloudEvent> = fc.oneof(
  { weight: 12, arbitrary: upserted },
  { weight: 2, arbitrary: fc.tuple(id, text(4)).map(([id, name]) => productPatched({ id, name })) },
  {
    weight: 1,
    arbitrary: fc.tuple(id, fc.boolean()).map(([id, active]) => productPatched({ id, active })),
  },
  { weight: 1, arbitrary: id.map((id) => productDeleted(id)) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(id, fc.integer({ min: 0, max: 1 }))
      .map(([productId, quantity]) => stockChanged({ productId, quantity })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 3 }), text(2), fc.constantFrom("", ...named))
      .map(([id, some, own]) =>
        categoryUpserted({ id, name: `${some} ${own}`, parentId: id === 3 ? 1 : null }),
      ),
  },
);

// A model number that is asked for in parts is a phrase of its own, which this plain ranking knows nothing of.
const asked = fc.oneof(
  { weight: 2, arbitrary: text(3).map((words) => words.replaceAll("wh-1000xm4", "wh1000xm4")) },
  { weight: 1, arbitrary: fc.constant("") },
);
const lasts = ["", "", "l", "la", "s", "lamp", "sho", "ab12", "ab123", "123456", "12ab", "1000xm"];
const mistyped = [
  "lomp",
  "runing",
  "cafetirre",
  "lmappots",
  "sheos",
  "gadren",
  "theiere",
  "nothing",
  "redlamp",
  "runningshoes",
  "post",
  "lamp post",
];
const query = fc
  .tuple(asked, fc.constantFrom(...lasts, ...mistyped))
  // Nothing asked is another walk, by the ids.
  .map((words) => words.join(" ").trim() || "lamp");

const filters = fc.constantFrom<ProductFilters>(
  {},
  {},
  { inStockOnly: true },
  { priceMax: "10" },
  { categoryId: 2 },
  { inStockOnly: true, priceMin: "10" },
);

const isLetThrough = (
  moment: Snapshot,
  { product, detail }: Seen,
  asked: ProductFilters,
): boolean => {
  const price = Number(product.price?.amount ?? Number.NaN);
  return (
    (!asked.inStockOnly || product.availability === "IN_STOCK") &&
    (asked.priceMax === undefined || price <= Number(asked.priceMax)) &&
    (asked.priceMin === undefined || price >= Number(asked.priceMin)) &&
    (asked.categoryId === undefined ||
      (detail.categoryIds.includes(asked.categoryId) &&
        moment.category(asked.categoryId) !== undefined))
  );
};

const runs = property(40);

type Asked = ProductFilters & { readonly query: string; readonly relax: boolean };

const pages = (moment: Snapshot, asked: Asked) => {
  const seen: number[] = [];
  for (let after: string | undefined; ; ) {
    const page = moment.products({ ...asked, first: 3, ...(after !== undefined && { after }) });
    assert.ok(page);
    seen.push(...page.products.map(({ id }) => id));
    assert.is(page.hasPreviousPage, after !== undefined);
    if (!page.hasNextPage) return { seen, total: page.totalCount };
    after = page.cursors.at(-1);
  }
};

const stretches = (moment: Snapshot, asked: Asked) => {
  const seen: number[] = [];
  for (;;) {
    const stretch = { ...asked, sort: "relevance", limit: 4, offset: seen.length } as const;
    const { products, total } = moment.listing(stretch);
    seen.push(...products.map(({ id }) => id));
    if (seen.length >= total) return { seen, total };
    assert.ok(products.length > 0);
  }
};

/** How many products were found at most, of all that was asked; with words corrected, and with words left out. */
const most = { plain: 0, corrected: 0, relaxed: 0 };

const check = (model: TestModel, query: string, filters: ProductFilters): void =>
  model.read((moment) => {
    const all = ids.flatMap((id): readonly Seen[] => {
      const [product, detail] = [moment.product(id), moment.productDetail(id)];
      return product && detail ? [{ product, detail }] : [];
    });
    const isShown = (seen: Seen): boolean => isLetThrough(moment, seen, filters);
    for (const relax of [false, true]) {
      const asked = { ...filters, query, relax };
      const ranked = rankPlainly(moment, all, query, { isShown, relax });
      const total = ranked.length;
      assert.equal(pages(moment, asked), { seen: ranked.map(({ id }) => id), total });
      const stocked = [...ranked].sort(
        (a: Placed, b: Placed) =>
          b.rank - a.rank || Number(b.inStock) - Number(a.inStock) || a.id - b.id,
      );
      assert.equal(stretches(moment, asked), { seen: stocked.map(({ id }) => id), total });
      const { corrected = [], relaxed } = moment.products({ ...asked, first: 0 })?.understood ?? {};
      const kind = relaxed ? "relaxed" : corrected.length > 0 ? "corrected" : "plain";
      most[kind] = Math.max(most[kind], total);
    }
  });

test("of every page and every stretch, filtered or not, also after a rebuild", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(event, { minLength: 1, maxLength: 25, size: "max" }), {
        minLength: 1,
        maxLength: 5,
      }),
      fc.array(fc.tuple(query, filters), { minLength: 4, maxLength: 4 }),
      async (batches, asked) => {
        const [model, rebuilt] = [openModel(), openModel()];
        try {
          for (const batch of batches) {
            model.apply(...batch);
            for (const [query, filters] of asked) check(model, query, filters);
          }
          rebuilt.apply(...batches.flat());
          for (const [query, filters] of asked) check(rebuilt, query, filters);
        } finally {
          await model.close();
          await rebuilt.close();
        }
      },
    ),
    runs,
  );
  // A run of a few, chosen to have a failure again, need not meet everything.
  const isEnough = Math.min(...Object.values(most)) > 2 && most.plain > 10;
  assert.ok(isEnough || runs.numRuns < 40, `${JSON.stringify(most)} prove little`);
});

test.run();

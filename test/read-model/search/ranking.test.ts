/** Whatever happened to the shop, results have the sequence of a ranking of every document. */
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../../src/events/envelope.ts";
import type { Product } from "../../../src/read-model/reader/product.ts";
import type { Snapshot } from "../../../src/read-model/reader/reader.ts";
import type { ProductFilters } from "../../../src/read-model/schema/queries.ts";
import { property } from "../../helpers/effort.ts";
import {
  categoryUpserted,
  productDeleted,
  productPatched,
  productUpserted,
  stockChanged,
} from "../../helpers/events.ts";
import { openModel, type TestModel } from "../../helpers/model.ts";
import { type RankedProduct, rankByScan } from "./reference-ranking.ts";

const test = suite("ranking agrees with a ranking of every document");

const vocabulary =
  "red lamp lamps limp lump lamppost post shoe shoes running 42 wh-1000xm4 creme cafetière cafetiere 2.0m 2.2 m4x25 32 año ano e-bike ebike the knife knives c++ c wi-fi wifi wi fi 60w 60 w 80x30".split(
    " ",
  );
/** Words that no product has. */
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

// A model number in parts is a phrase, which the plain ranking does not implement.
const wanted = fc.oneof(
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
  .tuple(wanted, fc.constantFrom(...lasts, ...mistyped))
  // An empty query is another walk, by the ids.
  .map((words) => words.join(" ").trim() || "lamp");

const filters = fc.constantFrom<ProductFilters>(
  {},
  {},
  { inStockOnly: true },
  { priceMax: "10" },
  { categoryIds: [2] },
  { inStockOnly: true, priceMin: "10" },
);

const isLetThrough = (
  snapshot: Snapshot,
  { text, offer }: Product,
  wanted: ProductFilters,
): boolean => {
  const price = Number(offer.price?.amount ?? Number.NaN);
  return (
    (!wanted.inStockOnly || offer.availability === "IN_STOCK") &&
    (wanted.priceMax === undefined || price <= Number(wanted.priceMax)) &&
    (wanted.priceMin === undefined || price >= Number(wanted.priceMin)) &&
    (wanted.categoryIds === undefined ||
      wanted.categoryIds.some((id) => text.categoryIds.includes(id) && snapshot.category(id)))
  );
};

const runs = property(40);

type SearchQuery = ProductFilters & { readonly query: string; readonly relax: boolean };

const pages = (snapshot: Snapshot, wanted: SearchQuery) => {
  const seen: number[] = [];
  for (let after: string | undefined; ; ) {
    const page = snapshot.products({ ...wanted, first: 3, ...(after !== undefined && { after }) });
    assert.ok(page);
    seen.push(...page.products.map(({ id }) => id));
    assert.is(page.hasPreviousPage, after !== undefined);
    if (!page.hasNextPage) return { seen, total: page.totalCount };
    after = page.cursor(-1);
  }
};

const stretches = (snapshot: Snapshot, wanted: SearchQuery) => {
  const seen: number[] = [];
  for (;;) {
    const stretch = { ...wanted, sort: "relevance", limit: 4, offset: seen.length } as const;
    const { products, total } = snapshot.listing(stretch);
    seen.push(...products.map(({ id }) => id));
    if (seen.length >= total) return { seen, total };
    assert.ok(products.length > 0);
  }
};

/** Maximum number of products found by all queries: unchanged, with corrections, and relaxed. */
const most = { plain: 0, corrected: 0, relaxed: 0 };

const check = (model: TestModel, query: string, filters: ProductFilters): void =>
  model.read((snapshot) => {
    const all = ids.flatMap((id) => snapshot.product(id) ?? []);
    const isShown = (seen: Product): boolean => isLetThrough(snapshot, seen, filters);
    for (const relax of [false, true]) {
      const wanted = { ...filters, query, relax };
      const ranked = rankByScan(snapshot, all, query, { isShown, relax });
      const total = ranked.length;
      assert.equal(pages(snapshot, wanted), { seen: ranked.map(({ id }) => id), total });
      const stocked = [...ranked].sort(
        (a: RankedProduct, b: RankedProduct) =>
          b.rank - a.rank || Number(b.inStock) - Number(a.inStock) || a.id - b.id,
      );
      assert.equal(stretches(snapshot, wanted), { seen: stocked.map(({ id }) => id), total });
      const { corrected = [], relaxed } =
        snapshot.products({ ...wanted, first: 0 })?.understood ?? {};
      const kind = relaxed ? "relaxed" : corrected.length > 0 ? "corrected" : "plain";
      most[kind] = Math.max(most[kind], total);
    }
  });

/** A run in which a query finds products on several pages, which random runs do not always have. */
const manyFound: [CloudEvent[][], [string, ProductFilters][]] = [
  [ids.slice(0, 15).map((id) => productUpserted({ id, name: "red lamp" }))],
  [["lamp", {}]],
];

test("every page and listing agrees with the ranking, filtered or not, also after a rebuild", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(event, { minLength: 1, maxLength: 25, size: "max" }), {
        minLength: 1,
        maxLength: 5,
      }),
      fc.array(fc.tuple(query, filters), { minLength: 4, maxLength: 4 }),
      async (batches, wanted) => {
        const [model, rebuilt] = [openModel(), openModel()];
        try {
          for (const batch of batches) {
            model.apply(...batch);
            for (const [query, filters] of wanted) check(model, query, filters);
          }
          rebuilt.apply(...batches.flat());
          for (const [query, filters] of wanted) check(rebuilt, query, filters);
        } finally {
          await model.close();
          await rebuilt.close();
        }
      },
    ),
    { ...runs, examples: [manyFound] },
  );
  // A short run that repeats a failure need not cover every kind.
  const isEnough = Math.min(...Object.values(most)) > 2 && most.plain > 10;
  assert.ok(isEnough || runs.numRuns < 40, `${JSON.stringify(most)} prove little`);
});

test.run();

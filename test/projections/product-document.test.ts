import { suite } from "uvu";
import * as assert from "uvu/assert";
import { evolvePrice } from "../../projections/price.ts";
import { evolveCore } from "../../projections/product-core.ts";
import { buildProductDocument, type ProductRows } from "../../projections/product-document.ts";
import { evolveStock } from "../../projections/stock.ts";
import { toGoodsPolicy } from "../../src/offers/policy.ts";
import type { CoreRow, StockRow } from "../../src/read-model/schema/rows.ts";
import { priceChanged, productUpserted, stockChanged } from "../helpers/events.ts";
import { at, eventOf, fold, text, withoutHtml } from "./events.ts";

const test = suite("the document of a product");

const evolve = withoutHtml((row: CoreRow | undefined, event: Parameters<typeof evolveCore>[1]) =>
  evolveCore(row, event, text),
);
const coreOf = (data: Parameters<typeof productUpserted>[0]) =>
  fold(evolve, [eventOf("shop.product.upserted", productUpserted(data, at(1)))]);
const priceAt = (minute: number) =>
  fold(evolvePrice, [eventOf("shop.price.changed", priceChanged({}, at(minute)))]);
const stockAt = (minute: number, quantity = 1): StockRow | undefined =>
  fold(evolveStock, [eventOf("shop.stock.changed", stockChanged({ quantity }, at(minute)))]);
const documentOf = (
  price = priceAt(1),
  stock = stockAt(1),
  summaryChangedAt = 0,
  core = coreOf({ id: 7 }),
) =>
  buildDocument(
    { core, prices: price, stock, text: { description: "Text", markdown: "" } },
    summaryChangedAt,
  );

const buildDocument = (rows: Partial<ProductRows>, summaryChangedAt = 0) =>
  buildProductDocument(
    7,
    {
      ...{ core: undefined, prices: undefined, stock: undefined, text: undefined },
      ...{ variantList: undefined, variants: [], variantsChangedAt: 0, pastEdges: [] },
      ...rows,
    },
    { currency: "EUR", policy: toGoodsPolicy(undefined), summaryChangedAt },
  );

test("shows core, price, stock and text", () => {
  assert.equal(documentOf(), {
    id: 7,
    name: "Product 7",
    description: "Text",
    url: "https://shop.example/products/7",
    reference: "SKU-7",
    gtin: null,
    brand: null,
    price: { amount: "9.90", currency: "EUR" },
    availability: "IN_STOCK",
    updatedAt: new Date(at(1).time).toISOString(),
    lastmod: new Date(at(1).time).toISOString(),
  });
});

test("has no price and no stock before their events", () => {
  const document = buildDocument({ core: coreOf({ id: 7 }) });
  assert.equal(
    [document?.price, document?.availability, document?.description],
    [null, "OUT_OF_STOCK", null],
  );
});

test("does not exist for a product that is missing or inactive", () => {
  const hidden = coreOf({ id: 7, active: false });
  assert.is(buildDocument({ prices: priceAt(1), stock: stockAt(1) }), undefined);
  assert.is(documentOf(priceAt(1), stockAt(1), 0, hidden), undefined);
});

const minute = (iso: string | undefined) => new Date(iso ?? "").getUTCMinutes();
const dates: readonly (readonly [
  title: string,
  document: ReturnType<typeof documentOf>,
  updated: number,
  page: number,
])[] = [
  ["a later price dates the product and its page", documentOf(priceAt(4)), 4, 4],
  ["later stock dates the page only", documentOf(priceAt(1), stockAt(5)), 1, 5],
  ["no stock at first dates nothing", documentOf(priceAt(1), stockAt(5, 0)), 1, 1],
  [
    "a later name of a category dates the page only",
    documentOf(priceAt(1), stockAt(1), Date.parse(at(6).time)),
    1,
    6,
  ],
];
for (const [title, document, updated, page] of dates) {
  test(title, () => {
    assert.equal([minute(document?.updatedAt), minute(document?.lastmod)], [updated, page]);
  });
}

test.run();

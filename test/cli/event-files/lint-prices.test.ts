import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openLintModel } from "../../../src/cli/event-files/lint/model.ts";
import type { ProductData } from "../../../src/events/event.ts";
import {
  priceChanged,
  productPatched,
  productUpserted,
  settingsUpdated,
  variantUpserted,
} from "../../helpers/events.ts";
import { eur, positionsOf, warningsOf } from "./warnings-of.ts";

const test = suite("lint of prices");

const saleOf = (amount: string) => [{ price: eur(amount) }];

test("a sale is warned of when its price is not below the price", () => {
  const events = [
    productUpserted({ price: eur("20.00"), sales: [...saleOf("19.99"), ...saleOf("20.00")] }),
    priceChanged({ price: eur("20.00"), sales: saleOf("25.00") }),
    priceChanged({ price: eur("20.00"), sales: [{ price: { amount: "5.00", currency: "USD" } }] }),
    productPatched({ sales: saleOf("21.00") }),
    productPatched({ price: { amount: "22.00" }, sales: saleOf("21.00") }),
  ];
  assert.equal(positionsOf(events), [
    [1, "data.sales[1].price"],
    [2, "data.sales[0].price"],
    [3, "data.sales[0].price"],
    [4, "data.sales[0].price"],
  ]);
  const reason =
    "the sale price of product 1, 25.00 EUR, is not below its price, 20.00 EUR, so the sale is never in force: lower it or leave it out";
  assert.is(warningsOf(events)[1]?.reason, reason);
  assert.equal(
    warningsOf([productPatched({ sales: saleOf("21.00") })]),
    [],
    "price not in the file",
  );
});

test("a sale of a variant is compared with the variant's price, else with the product's", () => {
  const variants = [
    { id: 11, sales: saleOf("20.00") },
    { id: 12, price: eur("30.00"), sales: saleOf("20.00") },
  ];
  const events = [
    productUpserted({ price: eur("20.00"), variants }),
    variantUpserted({ id: 13, sales: saleOf("20.00") }),
    variantUpserted({ id: 13, sales: saleOf("10.00") }),
    priceChanged({ variantId: 12, price: eur("15.00"), sales: saleOf("16.00") }),
  ];
  assert.equal(positionsOf(events), [
    [1, "data.variants[0].sales[0].price"],
    [2, "data.sales[0].price"],
    [4, "data.sales[0].price"],
  ]);
  assert.match(warningsOf(events)[0]?.reason ?? "", "the sale price of variant 1.11, 20.00 EUR");
});

test("a sale is warned of when it ends before or when it begins", () => {
  const between = (from: string | null, to: string | null) => [{ price: eur("5.00"), from, to }];
  const events = [
    priceChanged({ sales: between("2026-12-01T00:00:00Z", "2026-12-01T01:00:00+01:00") }),
    priceChanged({ sales: between("2026-12-01T00:00:00Z", "2026-11-30T00:00:00Z") }),
    priceChanged({ sales: between("2026-12-01T00:00:00+01:00", "2026-12-01T00:00:00Z") }),
    priceChanged({ sales: between(null, "2020-01-01T00:00:00Z") }),
    priceChanged({ sales: between("2026-12-01T00:00:00Z", null) }),
  ];
  assert.equal(positionsOf(events), [
    [1, "data.sales[0].to"],
    [2, "data.sales[0].to"],
  ]);
  assert.match(warningsOf(events)[0]?.reason ?? "", "product 1 ends at 2026-12-01T01:00:00+01:00");
});

/** An upsert that leaves the price out. */
const unpriced = (data: Partial<ProductData>) => {
  const event = productUpserted(data);
  const { price, ...rest } = event.data as ProductData;
  return { ...event, data: rest };
};

test("an upsert is warned of when it has sales or a list price and no price", () => {
  const events = [
    unpriced({ sales: saleOf("5.00") }),
    productUpserted({ price: null, listPrice: eur("9.00") }),
    unpriced({ sales: [] }),
    productUpserted({ price: null, sales: [] }),
    unpriced({}),
    productPatched({ listPrice: eur("9.00") }),
    variantUpserted({ listPrice: eur("9.00") }),
    priceChanged({ variantId: 11, price: null, sales: saleOf("5.00") }),
    productUpserted({ price: eur("4.00") }),
    unpriced({ sales: saleOf("5.00") }),
  ];
  assert.equal(positionsOf(events), [
    [1, "data.sales"],
    [2, "data.listPrice"],
    [3, "data.sales"],
    [10, "data.sales"],
  ]);
  assert.match(warningsOf(events)[0]?.reason ?? "", "product 1 has sales and no price");
});

const chargedPrices = settingsUpdated({ listPriceKind: "former" });

test("a list price is warned of when no event before had a price that high", () => {
  const reduced = { price: eur("59.00"), listPrice: eur("79.00") };
  const events = [
    chargedPrices,
    priceChanged({ price: eur("78.99") }),
    priceChanged(reduced),
    priceChanged(reduced),
    priceChanged({ productId: 2, price: eur("79.00") }),
    priceChanged({ productId: 2, ...reduced }),
    priceChanged({ productId: 3, price: eur("79.00"), listPrice: eur("60.00") }),
    priceChanged({ ...reduced, listPrice: eur("80.00") }),
  ];
  assert.equal(positionsOf(events), [
    [3, "data.listPrice"],
    [8, "data.listPrice"],
  ]);
  assert.match(
    warningsOf(events)[0]?.reason ?? "",
    "the list price of product 1, 79.00 EUR, claims more than the log knows",
  );
});

test("a variant was charged its own earlier prices and those of its product", () => {
  const variants = [
    { id: 11, price: eur("40.00"), listPrice: eur("50.00") },
    { id: 12, price: eur("40.00"), listPrice: eur("60.00") },
    { id: 13, listPrice: eur("60.00") },
  ];
  assert.equal(positionsOf([chargedPrices, productUpserted({ price: eur("50.00"), variants })]), [
    [2, "data.variants[1].listPrice"],
    [2, "data.variants[2].listPrice"],
  ]);
});

test("a list price may be higher than every price where it is none that was charged", () => {
  const reduced = priceChanged({ price: eur("59.00"), listPrice: eur("79.00") });
  assert.equal(warningsOf([settingsUpdated({ listPriceKind: "recommended" }), reduced]), []);
  assert.equal(warningsOf([settingsUpdated(), reduced, chargedPrices]), []);
  assert.equal(
    positionsOf([reduced, chargedPrices]),
    [[1, "data.listPrice"]],
    "settings come later",
  );
  assert.equal(warningsOf([reduced, settingsUpdated()]), []);
});

test("prices and settings of an earlier file count", () => {
  const model = openLintModel();
  warningsOf([chargedPrices, productUpserted({ price: eur("79.00") })], model);
  const second = [
    priceChanged({ price: eur("59.00"), listPrice: eur("79.00") }),
    priceChanged({ price: eur("59.00"), listPrice: eur("79.01") }),
  ];
  assert.equal(
    warningsOf(second, model).map(({ line }) => line),
    [2],
  );
});

test("a list price or prior price in another currency than the price is warned of", () => {
  const dollars = { amount: "20.00", currency: "USD" };
  const events = [
    priceChanged({ price: eur("10.00"), listPrice: dollars, priorPrice: eur("12.00") }),
    priceChanged({ price: eur("10.00"), priorPrice: dollars }),
    productUpserted({ price: eur("10.00"), variants: [{ id: 11, listPrice: dollars }] }),
    priceChanged({ price: null, listPrice: null, priorPrice: null }),
  ];
  assert.equal(
    positionsOf(events).filter(([, field]) => field.endsWith("currency")),
    [
      [1, "data.listPrice.currency"],
      [2, "data.priorPrice.currency"],
      [3, "data.variants[0].listPrice.currency"],
    ],
  );
});

test.run();

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openLintModel } from "../../../src/cli/event-files/lint/model.ts";
import {
  productPatched,
  productUpserted,
  settingsUpdated,
  stockChanged,
  variantUpserted,
} from "../../helpers/events.ts";
import { positionsOf, warningsOf } from "./warnings-of.ts";

const test = suite("lint of stock and facts");

test("stock of a product and of its variants is warned of once", () => {
  const events = [
    stockChanged({ productId: 1 }),
    stockChanged({ productId: 1 }),
    stockChanged({ productId: 2, variantId: 21 }),
    stockChanged({ productId: 2, variantId: 22 }),
    stockChanged({ productId: 1, variantId: 11 }),
    stockChanged({ productId: 1 }),
    stockChanged({ productId: 2 }),
  ];
  assert.equal(positionsOf(events), [
    [5, "data.productId"],
    [7, "data.productId"],
  ]);
  assert.match(
    warningsOf(events)[0]?.reason ?? "",
    "product 1 has stock events of its own and of its variants",
  );
});

test("stock of a product in one file and of its variants in another is warned of", () => {
  const model = openLintModel();
  assert.equal(warningsOf([stockChanged()], model), []);
  assert.is(warningsOf([stockChanged({ variantId: 11 })], model).length, 1);
});

test("an availability date is warned of when it is past at the time of the event", () => {
  const at = (availabilityDate: string | null, time: string) =>
    stockChanged({ availability: "preorder", availabilityDate }, { time });
  const events = [
    at("2026-10-01", "2026-10-01T23:59:59Z"),
    at("2026-10-01", "2026-10-02T00:00:00Z"),
    settingsUpdated({ timeZone: "Europe/Berlin" }),
    at("2026-10-01", "2026-10-01T21:59:59Z"),
    at("2026-10-01", "2026-10-01T22:00:00Z"),
    at("2026-10-01T10:00:00+02:00", "2026-10-01T07:59:00Z"),
    at("2026-10-01T10:00:00+02:00", "2026-10-01T08:00:00Z"),
    stockChanged({ availabilityDate: null }),
  ];
  assert.equal(positionsOf(events), [
    [2, "data.availabilityDate"],
    [5, "data.availabilityDate"],
    [7, "data.availabilityDate"],
  ]);
  assert.match(warningsOf(events)[0]?.reason ?? "", "product 1, 2026-10-01, is past at the time");
});

test("a quantity rule is warned of when its min is no multiple of its step", () => {
  const events = [
    productUpserted({
      quantityRule: { min: 4, step: 6 },
      variants: [{ id: 11, quantityRule: { step: 2 } }],
    }),
    productPatched({ quantityRule: { min: 12, step: 6 } }),
    productPatched({ quantityRule: { min: 4 } }),
    variantUpserted({ quantityRule: { min: 5, step: 10 } }),
    productPatched({ quantityRule: { min: 9, step: 6 } }),
  ];
  assert.equal(positionsOf(events), [
    [1, "data.quantityRule.min"],
    [1, "data.variants[0].quantityRule.min"],
    [4, "data.quantityRule.min"],
    [5, "data.quantityRule.min"],
  ]);
  assert.match(warningsOf(events)[0]?.reason ?? "", "no multiple of step 6: send min 6");
});

test("an mpn is warned of when it is longer than product feeds take", () => {
  const [fits, long] = ["A".repeat(70), "A".repeat(71)];
  const events = [
    productUpserted({ mpn: fits, variants: [{ id: 11, mpn: long }] }),
    productPatched({ mpn: long }),
    variantUpserted({ mpn: long }),
  ];
  assert.equal(positionsOf(events), [
    [1, "data.variants[0].mpn"],
    [2, "data.mpn"],
    [3, "data.mpn"],
  ]);
  assert.match(warningsOf(events)[0]?.reason ?? "", "the mpn of variant 1.11 has 71 characters");
});

test("goods that ship later are warned of when they have no date", () => {
  const events = [
    stockChanged({ availability: "preorder" }),
    stockChanged({ variantId: 11, availability: "backorder", availabilityDate: null }),
    stockChanged({ productId: 2, availability: "backorder", availabilityDate: "2027-01-15" }),
    stockChanged({ productId: 2, availability: "preorder", orderable: false }),
    stockChanged({ productId: 2, availability: "in_stock" }),
  ];
  assert.equal(
    positionsOf(events).filter(([, field]) => field === "data.availabilityDate"),
    [
      [1, "data.availabilityDate"],
      [2, "data.availabilityDate"],
    ],
  );
  const reasons = warningsOf(events).map(({ reason }) => reason);
  assert.match(reasons[0] ?? "", "product 1 is in preorder without a date");
  assert.match(reasons.join(), "variant 1.11 is in backorder without a date");
});

const pricing = (measure: string, base: string) => ({
  measure: { value: "500", unit: measure },
  base: { value: "1", unit: base },
});

test("a unit pricing is warned of when its units are not converted", () => {
  const events = [
    productUpserted({ unitPricing: pricing("g", "l") }),
    productUpserted({ unitPricing: pricing("g", "kg") }),
    productPatched({ unitPricing: pricing("m", "m2") }),
    productUpserted({ variants: [{ id: 11 }, { id: 12, unitPricing: pricing("piece", "kg") }] }),
    variantUpserted({ unitPricing: pricing("cm", "ml") }),
    productPatched({ unitPricing: pricing("roll", "roll") }),
    productPatched({ unitPricing: null }),
  ];
  assert.equal(positionsOf(events), [
    [1, "data.unitPricing"],
    [3, "data.unitPricing"],
    [4, "data.variants[1].unitPricing"],
    [5, "data.unitPricing"],
  ]);
  assert.match(warningsOf(events)[0]?.reason ?? "", "its measure in g and its base in l");
});

test.run();

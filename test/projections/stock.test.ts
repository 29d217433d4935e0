import { suite } from "uvu";
import * as assert from "uvu/assert";
import { evolveStock } from "../../projections/stock.ts";
import { type Attributes, stockChanged } from "../helpers/events.ts";
import { at, eventOf, fold, ms } from "./events.ts";
import { addFieldGroupCases } from "./last-write-wins.ts";

const test = suite("the stock of a product");

type StockData = Parameters<typeof stockChanged>[0];
const changed = (data: StockData, attributes: Attributes = at(1)) =>
  eventOf("shop.stock.changed", stockChanged(data, attributes));

addFieldGroupCases(test, {
  evolve: evolveStock,
  one: (attributes) => changed({ quantity: 3 }, attributes),
  other: (attributes) => changed({ quantity: 0 }, attributes),
  contentOf: (row) => row?.content,
  changedAt: (row) => row?.contentChangedAt,
});

const availability: readonly (readonly [title: string, data: StockData, orderable: boolean])[] = [
  ["a quantity can be bought", { quantity: 1 }, true],
  ["no quantity cannot be bought", { quantity: 0 }, false],
  ["an unknown quantity cannot be bought", { quantity: null }, false],
  ["orderable wins over no quantity", { quantity: 0, orderable: true }, true],
  ["orderable wins over a quantity", { quantity: 5, orderable: false }, false],
  ["orderable of null leaves it to the quantity", { quantity: 5, orderable: null }, true],
];
for (const [title, data, orderable] of availability) {
  test(title, () => assert.is(fold(evolveStock, [changed(data)])?.content?.orderable, orderable));
}

test("another quantity is no change of the availability", () => {
  const row = fold(evolveStock, [changed({ quantity: 3 }), changed({ quantity: 2 }, at(2))]);
  assert.is(row?.contentChangedAt, ms(1));
  assert.is(row?.version.time, ms(2));
});

test("a first event that says a product is out of stock is no change", () => {
  assert.is(fold(evolveStock, [changed({ quantity: 0 })])?.contentChangedAt, 0);
});

test.run();

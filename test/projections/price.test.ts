import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  clearProductPrice,
  currentPrices,
  evolvePrice,
  evolvePriceFromProduct,
  pricesByPrecedence,
} from "../../projections/price.ts";
import type { EvolveResult } from "../../projections/projection.ts";
import { emptyPriceGroup } from "../../src/offers/price.ts";
import type { PriceRow } from "../../src/read-model/schema/rows.ts";
import {
  type Attributes,
  priceChanged,
  productDeleted,
  productPatched,
  productUpserted,
} from "../helpers/events.ts";
import { at, early, eventOf, fold, late, ms } from "./events.ts";
import { addFieldGroupCases } from "./last-write-wins.ts";

const test = suite("the price of a product");

const money = (amount: string) => ({ amount, currency: "EUR" });
const changed = (amount: string | null, attributes: Attributes) =>
  eventOf(
    "shop.price.changed",
    priceChanged({ price: amount === null ? null : money(amount) }, attributes),
  );
const upserted = (amount: string | null, attributes: Attributes) =>
  eventOf(
    "shop.product.upserted",
    productUpserted({ price: amount === null ? null : money(amount) }, attributes),
  );
const patched = (price: Parameters<typeof productPatched>[0], attributes: Attributes) =>
  eventOf("shop.product.patched", productPatched(price, attributes));
const deleted = (attributes: Attributes) =>
  eventOf("shop.product.deleted", productDeleted(1, attributes));

type Event = ReturnType<typeof changed | typeof upserted | typeof patched | typeof deleted>;

const evolve = (row: PriceRow | undefined, event: Event): EvolveResult<PriceRow> => {
  switch (event.type) {
    case "shop.price.changed":
      return evolvePrice(row, event);
    case "shop.product.deleted":
      return clearProductPrice(row, event);
    default:
      return evolvePriceFromProduct(row, event) ?? { outcome: "stale" };
  }
};

addFieldGroupCases<PriceRow, Event>(test, {
  evolve,
  one: (attributes) => changed("1.00", attributes),
  other: (attributes) => changed(null, attributes),
  contentOf: (row) => row?.price?.content,
  changedAt: (row) => row?.price?.contentChangedAt,
});

addFieldGroupCases<PriceRow, Event>(test, {
  evolve,
  one: (attributes) => upserted("1.00", attributes),
  other: (attributes) => upserted(null, attributes),
  deleted,
  contentOf: (row) => row?.product?.content,
  changedAt: (row) => row?.product?.contentChangedAt,
});

type Row = readonly [
  title: string,
  events: readonly Event[],
  current: { readonly amount: string | null; readonly since: number } | undefined,
];

const rows: readonly Row[] = [
  ["nothing is stated at first", [], undefined],
  [
    "the newer source wins",
    [upserted("1.00", at(1)), changed("2.00", at(2))],
    { amount: "2.00", since: 2 },
  ],
  [
    "an older statement of the other source is kept and does not win",
    [changed("2.00", at(2)), upserted("1.00", at(1))],
    { amount: "2.00", since: 2 },
  ],
  [
    "of the same time, the product wins when it is later in the log",
    [changed("2.00", at(1)), upserted("1.00", at(1))],
    { amount: "1.00", since: 1 },
  ],
  [
    "of the same time, the price event wins when it is later in the log",
    [upserted("1.00", at(1)), changed("2.00", at(1))],
    { amount: "2.00", since: 1 },
  ],
  [
    "the sequence of one source is not compared with that of the other",
    [upserted("1.00", { ...at(2), sequence: 1 }), changed("2.00", { ...at(1), sequence: 9 })],
    { amount: "1.00", since: 2 },
  ],
  [
    "a cleared price of the newer source wins",
    [upserted("1.00", at(1)), changed(null, at(2))],
    { amount: null, since: 2 },
  ],
  [
    "a deletion clears the price of the product only",
    [changed("2.00", at(1)), upserted("1.00", at(2)), deleted(at(3))],
    { amount: "2.00", since: 1 },
  ],
  [
    "a deletion leaves no price when there is no other",
    [upserted("1.00", at(1)), deleted(at(2))],
    undefined,
  ],
  [
    "the same price of the other source is no change",
    [upserted("1.00", at(1)), changed("1.00", at(2))],
    { amount: "1.00", since: 1 },
  ],
  [
    "the same price after another one in between is a change",
    [upserted("1.00", at(1)), changed("2.00", at(2)), changed("1.00", at(3))],
    { amount: "1.00", since: 3 },
  ],
];
for (const [title, events, expected] of rows) {
  test(title, () => {
    const price = currentPrices(fold(evolve, events));
    const current = price && {
      amount: price.priceGroup.price?.amount ?? null,
      since: price.changedAt,
    };
    assert.equal(current, expected && { ...expected, since: ms(expected.since) });
  });
}

test("the newer source of one millisecond wins, in any sequence of the log", () => {
  const [product, price] = [upserted("1.00", late), changed("2.00", early)];
  for (const events of [
    [product, price],
    [price, product],
  ]) {
    assert.is(currentPrices(fold(evolve, events))?.priceGroup.price?.amount, "1.00");
  }
});

test("a row remembers the winner of a tie until the times differ", () => {
  const tied = fold(evolve, [changed("2.00", at(1)), upserted("1.00", at(1))]);
  assert.is(tied?.tie, "product");
  assert.is(fold(evolve, [changed("2.00", at(1)), upserted("1.00", at(2))])?.tie, null);
  assert.equal(
    pricesByPrecedence(tied).map(({ content }) => content?.price?.amount),
    ["1.00", "2.00"],
  );
});

test("a patch of the amount keeps the currency of the current price", () => {
  const row = fold(evolve, [changed("2.00", at(1)), patched({ price: { amount: "3.00" } }, at(2))]);
  assert.equal(currentPrices(row)?.priceGroup.price, money("3.00"));
});

test("a patch of the amount alone is rejected without a price to merge with", () => {
  const result = evolve(undefined, patched({ price: { amount: "3.00" } }, at(1)));
  assert.is(result.outcome, "refused");
  assert.is(result.outcome === "refused" && result.field, "data.price");
});

test("a patch of null clears the price", () => {
  const row = fold(evolve, [upserted("1.00", at(1)), patched({ price: null }, at(2))]);
  assert.equal(currentPrices(row), { priceGroup: emptyPriceGroup, changedAt: ms(2) });
});

test("a repeated statement adds no instant to those that passed, and an instant is kept once", () => {
  const sale = (from: string, to: string) => ({ price: money("8.00"), from, to });
  const stated = (minute: number, sales: readonly ReturnType<typeof sale>[]) =>
    eventOf("shop.price.changed", priceChanged({ price: money("9.00"), sales }, at(minute)));
  const sales = [sale(at(10).time, at(20).time)];
  const repeats = Array.from({ length: 50 }, (_, minute) => stated(30 + minute, sales));
  const repeated = fold(evolve, [stated(0, sales), ...repeats]);
  assert.is(repeated?.price?.pastChangesAt, undefined);
  const changes = Array.from({ length: 50 }, (_, each) => stated(5, each % 2 === 0 ? [] : sales));
  const changed = fold(evolve, [stated(0, sales), ...changes]);
  assert.equal(changed?.price?.pastChangesAt, [ms(10), ms(20)]);
});

test("an event without a price is not about the price", () => {
  assert.is(evolvePriceFromProduct(undefined, patched({ name: "Lamp" }, at(1))), undefined);
});

test.run();

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { buildOffer, type OfferRows } from "../../projections/offer.ts";
import { evolvePrice } from "../../projections/price.ts";
import { evolveStock } from "../../projections/stock.ts";
import { defaultPolicy } from "../../src/offers/policy.ts";
import { noPrice } from "../../src/offers/price.ts";
import { outOfStock } from "../../src/offers/stock.ts";
import type { OfferRow } from "../../src/read-model/schema/documents.ts";
import type { PriceRow, StockRow } from "../../src/read-model/schema/rows.ts";
import { priceChanged, stockChanged } from "../helpers/events.ts";
import { at, eventOf, fold, ms } from "./events.ts";

const test = suite("the offer of a product");

const money = (amount: string) => ({ amount, currency: "EUR" });
const pricesOf = (
  minute: number,
  data: Parameters<typeof priceChanged>[0] = {},
): PriceRow | undefined =>
  fold(evolvePrice, [eventOf("shop.price.changed", priceChanged(data, at(minute)))]);
const stockOf = (minute: number, data: Parameters<typeof stockChanged>[0] = { quantity: 1 }) =>
  fold(evolveStock, [eventOf("shop.stock.changed", stockChanged(data, at(minute)))]);

const offerOf = (rows: Partial<OfferRows>, policy = defaultPolicy): OfferRow =>
  buildOffer(
    {
      ...{ prices: undefined, stock: undefined, variantList: undefined },
      ...{ active: [], hasVariants: false, variantsChangedAt: 0, pastChangesAt: [] },
      ...rows,
    },
    { currency: "EUR", policy },
  );
const plainOf = (prices = pricesOf(1), stock: StockRow | undefined = stockOf(1)) =>
  offerOf({ prices, stock });

test("shows the price and the stock", () => {
  assert.equal(plainOf(), {
    changedAt: ms(1),
    shownAt: ms(1),
    stock: { ...outOfStock, orderable: true, status: "in_stock" },
    periods: [
      {
        ...{ ...noPrice, price: money("9.90"), from: 0 },
        ...{ range: null, featured: null, onSale: false, isOrderable: false },
      },
    ],
  });
});

test("has no price and no stock before their events", () => {
  const { changedAt, shownAt, stock, periods, changes } = offerOf({});
  assert.equal([changedAt, shownAt, stock, changes], [0, 0, outOfStock, undefined]);
  assert.equal(
    periods.map(({ price }) => price),
    [null],
  );
});

const dates: readonly (readonly [title: string, offer: OfferRow, updated: number, page: number])[] =
  [
    ["a later price dates the product and its page", plainOf(pricesOf(4)), 4, 4],
    ["later stock dates the page only", plainOf(pricesOf(1), stockOf(5)), 1, 5],
    ["no stock at first dates nothing", plainOf(pricesOf(1), stockOf(5, { quantity: 0 })), 1, 1],
  ];
for (const [title, { changedAt, shownAt }, updated, page] of dates) {
  test(title, () => assert.equal([changedAt, shownAt], [ms(updated), ms(page)]));
}

test("a quantity dates the page where the shop shows quantities", () => {
  const events = [1, 2].map((quantity) =>
    eventOf("shop.stock.changed", stockChanged({ quantity }, at(quantity))),
  );
  const rows = { stock: fold(evolveStock, events) };
  const shownAt = (quantityVisible: "never" | "always") =>
    offerOf(rows, { ...defaultPolicy, quantityVisible }).shownAt;
  assert.equal([shownAt("never"), shownAt("always")], [ms(1), ms(2)]);
});

test("a sale has a period, and the instants at which it begins and ends", () => {
  const [from, to] = ["2026-10-02T00:00:00Z", "2026-10-03T00:00:00Z"];
  const prices = pricesOf(1, { sales: [{ price: money("5.00"), from, to }] });
  const { periods, changes } = offerOf({ prices });
  const instants = [from, to].map((time) => Date.parse(time));
  assert.equal(
    periods.map((period) => [period.from, period.price?.amount, period.onSale]),
    [
      [0, "9.90", false],
      [instants[0], "5.00", true],
      [instants[1], "9.90", false],
    ],
  );
  assert.equal(changes?.changesAt, instants);
  assert.is(changes?.hasVariants, false);
});

test("the prices as stated are kept with sales in a shop that shows those to come, because none other reads them", () => {
  const [withSale, without] = [pricesOf(1, { sales: [{ price: money("5.00") }] }), pricesOf(1)];
  const shown = { ...defaultPolicy, upcomingSales: "shown" } as const;
  const groupOf = (prices: PriceRow | undefined, policy = defaultPolicy) =>
    offerOf({ prices, hasVariants: true }, policy).changes?.priceGroup;
  assert.is(groupOf(withSale, shown)?.sales.length, 1);
  assert.is(groupOf(withSale), null);
  assert.is(groupOf(without, shown), null);
});

test("a list price and instants that a late event replaced are no plain offer", () => {
  const listed = offerOf({ prices: pricesOf(1, { listPrice: money("12.00") }) });
  assert.ok(listed.changes);
  assert.equal(
    offerOf({ prices: pricesOf(1), pastChangesAt: [7, 3, 7] }).changes?.changesAt,
    [3, 7],
  );
});

test("the date of a delivery is an instant at which the page changes", () => {
  const stock = stockOf(1, { availability: "preorder", availabilityDate: "2026-10-02" });
  const offer = offerOf({ stock });
  assert.is(offer.stock.availabilityDate, "2026-10-02");
  assert.is(offer.changes?.dateChangesAt.length, 1);
});

test.run();

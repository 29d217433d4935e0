import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { noPrice } from "../../../src/offers/price.ts";
import { outOfStock } from "../../../src/offers/stock.ts";
import type { RowEncoding } from "../../../src/read-model/schema/codec.ts";
import type { OfferRow } from "../../../src/read-model/schema/documents.ts";
import {
  agentRowEncoding,
  coreRowEncoding,
  offerRowEncoding,
  priceRowEncoding,
  stockRowEncoding,
} from "../../../src/read-model/schema/row-encodings.ts";

const test = suite("row encodings");

const text = fc.string();
const optional = fc.option(text);
const version = fc.record(
  { id: text, time: fc.nat(), sequence: text, subMillis: text },
  { requiredKeys: ["id", "time"] },
);
const groupOf = <C>(content: fc.Arbitrary<C>) =>
  fc.record({ version, contentChangedAt: fc.nat(), content: fc.option(content) });
const money = fc.record({ amount: fc.nat().map(String), currency: text });
const priceGroup = fc.record({
  price: fc.option(money),
  listPrice: fc.option(money),
  priorPrice: fc.option(money),
  sales: fc.array(fc.record({ price: money, from: optional, to: optional })),
});
const stock = fc
  .tuple(
    groupOf(
      fc.record({
        orderable: fc.boolean(),
        availability: fc.constantFrom("preorder", "discontinued", null),
        availabilityDate: optional,
      }),
    ),
    fc.record({ quantity: fc.option(fc.integer()), quantityChangedAt: fc.nat() }),
  )
  .map(([group, quantity]) => ({ ...group, ...quantity }));
const core = fc.record({
  name: text,
  url: text,
  reference: optional,
  gtin: optional,
  brand: optional,
  categoryIds: fc.array(fc.nat()),
  specifications: fc.array(fc.record({ name: text, value: text })),
  images: fc.array(fc.record({ url: text, alt: optional }, { requiredKeys: ["url"] })),
  active: fc.boolean(),
  html: optional,
});
const pending = fc.array(
  fc.record({ version, patch: fc.record({ name: text, brand: optional }) }),
  {
    minLength: 1,
  },
);
const price = fc.option(
  fc
    .tuple(groupOf(priceGroup), fc.option(fc.nat()))
    .map(([group, previousPriceAt]) => ({ ...group, previousPriceAt })),
);

const shownStock = fc.record({
  orderable: fc.boolean(),
  status: fc.constantFrom("in_stock" as const, "out_of_stock" as const, "preorder" as const),
  quantity: fc.option(fc.nat()),
  availabilityDate: optional,
});
const plainPeriod = fc.record({ from: fc.nat(), price: fc.option(money) }).map((plain) => ({
  ...{ ...plain, listPrice: null, priorPrice: null, sale: null },
  ...{ range: null, featured: null, onSale: false, isOrderable: false },
}));
const sale = fc.record({ price: money, from: optional, to: optional });
const reduced = fc.record({
  ...{ from: fc.nat(), price: fc.option(money), listPrice: money },
  ...{ priorPrice: fc.option(money), sale: fc.option(sale) },
  range: fc.option(fc.record({ min: money, max: money })),
  featured: fc.option(fc.nat()),
  ...{ onSale: fc.boolean(), isOrderable: fc.boolean() },
});
const ofVariant = fc
  .tuple(reduced, fc.nat(), fc.option(money))
  .map(([period, featured, listPrice]) => ({ ...period, listPrice, featured }));
const changes = fc.record({
  priceGroup: fc.option(priceGroup),
  changesAt: fc.array(fc.nat()),
  bounds: fc.option(fc.tuple(text, text)),
  dateChangesAt: fc.array(fc.nat()),
  hasVariants: fc.boolean(),
});
const offer: fc.Arbitrary<OfferRow> = fc.record(
  {
    ...{ changedAt: fc.nat(), shownAt: fc.nat(), stock: shownStock },
    periods: fc.array(fc.oneof(plainPeriod, reduced, ofVariant), { minLength: 1 }),
    changes,
  },
  { requiredKeys: ["changedAt", "shownAt", "stock", "periods"] },
);

/** Checks that a row is decoded as it was encoded, with its members in the same sequence. */
const isKept = <V>(packing: RowEncoding<V>, rows: fc.Arbitrary<V>): void =>
  fc.assert(
    fc.property(rows, (row) => {
      const stored = JSON.stringify(packing.encode(row));
      assert.is(JSON.stringify(packing.decode(JSON.parse(stored))), JSON.stringify(row));
    }),
  );

test("the rows of a product are decoded as they were encoded", () => {
  isKept(
    coreRowEncoding,
    fc.record({ group: fc.option(groupOf(core)), pending: fc.option(pending) }),
  );
  isKept(
    priceRowEncoding,
    fc.record({ product: price, price, tie: fc.constantFrom("product", "price", null) }),
  );
  isKept(stockRowEncoding, stock);
  isKept(offerRowEncoding, offer);
});

test("a token row of layout 1 is read with the current member names", () => {
  const version = { id: "e1", time: 5 };
  const content = { generation: 2, revoked: true };
  const row = { version, contentChangedAt: 7, content };
  assert.equal(agentRowEncoding.decode({ stamp: version, changedAt: 7, content }), row);
  assert.equal(agentRowEncoding.decode(agentRowEncoding.encode(row)), row);
});

test("a price alone and a stock alone are stored without what they do not say", () => {
  const price = { amount: "9.90", currency: "EUR" };
  const offer = (orderable: boolean): OfferRow => ({
    ...{ changedAt: 1, shownAt: 2 },
    stock: { ...outOfStock, orderable, status: orderable ? "in_stock" : "out_of_stock" },
    periods: [
      {
        ...{ from: 0, ...noPrice, price },
        ...{ range: null, featured: null, onSale: false, isOrderable: false },
      },
    ],
  });
  assert.equal(offerRowEncoding.encode(offer(true)), [1, 2, true, [[0, "9.90 EUR"]]]);
  assert.equal(offerRowEncoding.encode(offer(false)), [1, 2, false, [[0, "9.90 EUR"]]]);
});

test.run();

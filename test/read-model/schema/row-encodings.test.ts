import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { RowEncoding } from "../../../src/read-model/schema/row-encoding.ts";
import {
  agentRowEncoding,
  coreRowEncoding,
  priceRowEncoding,
  stockRowEncoding,
  textRowEncoding,
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
const money = fc.record({ amount: text, currency: text });
const terms = fc.record({
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
    .tuple(groupOf(terms), fc.option(fc.nat()))
    .map(([group, previousPriceAt]) => ({ ...group, previousPriceAt })),
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
  isKept(textRowEncoding, fc.record({ description: optional, markdown: optional }));
  isKept(
    textRowEncoding,
    text.map((plain) => ({ description: plain, markdown: plain })),
  );
});

test("a token row of layout 1 is read with the current member names", () => {
  const version = { id: "e1", time: 5 };
  const content = { generation: 2, revoked: true };
  const row = { version, contentChangedAt: 7, content };
  assert.equal(agentRowEncoding.decode({ stamp: version, changedAt: 7, content }), row);
  assert.equal(agentRowEncoding.decode(agentRowEncoding.encode(row)), row);
});

test("a description that equals its Markdown is stored once", () => {
  assert.equal(textRowEncoding.encode({ description: "Warm.", markdown: "Warm." }), ["Warm."]);
  assert.equal(textRowEncoding.encode({ description: "Warm.", markdown: "**Warm.**" }), [
    "Warm.",
    "**Warm.**",
  ]);
});

test.run();

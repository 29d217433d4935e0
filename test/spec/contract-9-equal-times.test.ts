import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../src/events/envelope.ts";
import {
  priceChanged,
  productPatched,
  productUpserted,
  variantDeleted,
  variantUpserted,
} from "../helpers/events.ts";
import { openTestServer } from "../helpers/test-server.ts";
import { euros, settings } from "./goods/situations.ts";

const test = suite("Contract 9, equal times");

const time = "2026-10-01T08:00:00Z";
const at = { time };

/** Events of equal time; each states a price that identifies it. */
const upsertOf10 = () => productUpserted({ price: euros("10.00") }, at);
const changeTo11 = () => priceChanged({ price: euros("11.00") }, at);
const patchTo12 = () => productPatched({ price: euros("12.00") }, at);
const entryOf20 = () =>
  productUpserted({ price: euros("10.00"), variants: [{ id: 7, price: euros("20.00") }] }, at);
const listOf21 = () => productPatched({ variants: [{ id: 7, price: euros("21.00") }] }, at);
const variantOf22 = () => variantUpserted({ id: 7, price: euros("22.00") }, at);
const variantWithoutPrice = () => variantUpserted({ id: 7 }, at);
const changeTo23 = () => priceChanged({ variantId: 7, price: euros("23.00") }, at);
const emptyList = () => productPatched({ variants: [] }, at);
const otherList = () => productPatched({ variants: [{ id: 8 }] }, at);
const deletion = () => variantDeleted(1, 7, at);
const before = productUpserted({ price: euros("1.00") }, { time: "2026-09-01T00:00:00Z" });

interface Shown {
  /** Of the product; it is compared where the row states it. */
  readonly price?: string;
  /** Of variant 7; null where there is none. */
  readonly variant?: string | null;
}

/** Reads the price of product 1 and that of its variant 7. */
const readPrices = async (batches: readonly (readonly CloudEvent[])[]): Promise<Shown> => {
  const server = await openTestServer();
  try {
    server.apply(settings(), before);
    for (const events of batches) {
      assert.equal(server.apply(...events).deadLetters, []);
    }
    const { data } = await server.graphql<{
      product: {
        product: {
          price: { amount: string };
          variant: { price: { amount: string } } | null;
        };
      };
    }>(`{ product(id: 1) { product { price { amount } variant(id: "7") { price { amount } } } } }`);
    const { price, variant } = data.product.product;
    return { price: price.amount, variant: variant?.price.amount ?? null };
  } finally {
    await server.close();
  }
};

type Row = readonly [title: string, log: readonly (() => CloudEvent)[], shown: Shown];

const rows: readonly Row[] = [
  ["an upsert, then shop.price.changed", [upsertOf10, changeTo11], { price: "11.00" }],
  ["shop.price.changed, then an upsert", [changeTo11, upsertOf10], { price: "10.00" }],
  ["a patch, then shop.price.changed", [patchTo12, changeTo11], { price: "11.00" }],
  ["shop.price.changed, then a patch", [changeTo11, patchTo12], { price: "12.00" }],
  ["a list, then a variant", [entryOf20, variantOf22], { variant: "22.00" }],
  ["a variant, then a list", [variantOf22, entryOf20], { variant: "20.00" }],
  ["a patched list, then a variant", [listOf21, variantOf22], { variant: "22.00" }],
  ["a variant, then a patched list", [variantOf22, listOf21], { variant: "21.00" }],
  ["an empty list, then a variant", [emptyList, variantOf22], { variant: "22.00" }],
  ["a variant, then an empty list", [variantOf22, emptyList], { variant: null }],
  ["another list, then a variant", [otherList, variantOf22], { variant: "22.00" }],
  ["a variant, then another list", [variantOf22, otherList], { variant: null }],
  ["a list, then a deletion", [entryOf20, deletion], { variant: null }],
  ["a deletion, then a list", [deletion, entryOf20], { variant: "20.00" }],
  [
    "a variant, then shop.price.changed of it",
    [entryOf20, variantOf22, changeTo23],
    { variant: "23.00" },
  ],
  [
    "shop.price.changed, then a variant",
    [entryOf20, changeTo23, variantOf22],
    { variant: "22.00" },
  ],
  ["shop.price.changed, then a list", [changeTo23, variantOf22, entryOf20], { variant: "20.00" }],
  ["a variant and a price, then a list", [variantOf22, changeTo23, listOf21], { variant: "21.00" }],
  ["a price, a list, a variant", [changeTo23, listOf21, variantOf22], { variant: "22.00" }],
  ["a list and a variant, then a price", [listOf21, variantOf22, changeTo23], { variant: "23.00" }],
  ["a variant and a list, then a price", [variantOf22, listOf21, changeTo23], { variant: "23.00" }],
  [
    "a price, a list, a variant without a price",
    [changeTo23, listOf21, variantWithoutPrice],
    { variant: "23.00" },
  ],
  [
    "a list, a price, a variant without a price",
    [listOf21, changeTo23, variantWithoutPrice],
    { variant: "23.00" },
  ],
  [
    "a price, a variant without a price, a list",
    [changeTo23, variantWithoutPrice, listOf21],
    { variant: "21.00" },
  ],
];

for (const [title, log, shown] of rows) {
  test(`Contract 9, equal times: ${title}: the later in the log counts`, async () => {
    const events = log.map((build) => build());
    const expected = (all: Shown) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => name in shown));
    assert.equal(expected(await readPrices([events])), shown, "one batch");
    const batches = events.map((event) => [event]);
    assert.equal(expected(await readPrices(batches)), shown, "a batch each");
  });
}

test.run();

import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../src/events/envelope.ts";
import {
  priceChanged,
  productDeleted,
  productPatched,
  productUpserted,
  stockChanged,
  variantUpserted,
} from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { euros, settings } from "./goods/situations.ts";

/** Events that come late, or of one time, each in a batch of its own. */
const test = suite("Contract 9, late events");

const at = (minute: number, attributes: object = {}) => ({
  time: new Date(Date.UTC(2026, 9, 1, 8, minute)).toISOString(),
  ...attributes,
});

const noPrice = { price: undefined as never };
const withoutUndefined = (event: CloudEvent): CloudEvent => JSON.parse(JSON.stringify(event));

const shownOf = async (events: readonly CloudEvent[]): Promise<unknown> => {
  const server = await openTestServer();
  try {
    server.apply(settings());
    for (const event of events) {
      assert.equal(server.apply(withoutUndefined(event)).deadLetters, []);
    }
    const { data } = await server.graphql<{ product: { product: unknown } }>(
      `{ product(id: "1") { product { name price { amount } listPrice { amount } variants { nodes { variantId price { amount } } } } } }`,
    );
    return data.product.product;
  } finally {
    await server.close();
  }
};

/** In each row, the last event is the late one. */
const lateRows: Readonly<Record<string, readonly CloudEvent[]>> = {
  "a patch of the list price": [
    productUpserted({ name: "Old", active: false }, at(1)),
    productPatched({ listPrice: euros("30.00") }, at(3)),
    productUpserted({ name: "New", price: euros("20.00") }, at(2)),
  ],
  "a patch of sales before the product": [
    productPatched({ sales: [{ price: euros("9.00") }] }, at(3)),
    productUpserted({ name: "New", price: euros("20.00") }, at(2)),
  ],
  "a patch of variants": [
    productUpserted({ name: "Old" }, at(1)),
    productPatched({ variants: [{ id: 7, price: euros("5.00") }] }, at(3)),
    productUpserted({ name: "New", variants: [{ id: 8 }] }, at(2)),
  ],
  "a patch of price and variants over a deletion": [
    productUpserted({ name: "Old" }, at(1)),
    productPatched({ price: euros("20.00"), variants: [{ id: 7 }] }, at(3)),
    productUpserted({ name: "New", ...noPrice }, at(4)),
    productDeleted(1, at(2)),
  ],
  "a deletion below an upsert without prices": [
    productUpserted({ name: "Old", price: euros("50.00"), listPrice: euros("60.00") }, at(1)),
    productUpserted({ name: "New", ...noPrice }, at(3)),
    productDeleted(1, at(2)),
  ],
  "a deletion below an upsert and a newer list price": [
    productUpserted({ name: "Old", price: euros("50.00") }, at(1)),
    productUpserted({ name: "New", ...noPrice }, at(3)),
    productPatched({ listPrice: euros("70.00") }, at(4)),
    productDeleted(1, at(2)),
  ],
  "a deletion of prices below those of the price entity": [
    productUpserted({ name: "Old", price: euros("50.00"), listPrice: euros("60.00") }, at(2)),
    priceChanged({ price: euros("8.00") }, at(1)),
    productUpserted({ name: "New", ...noPrice }, at(4)),
    productDeleted(1, at(3)),
  ],
};

for (const [title, events] of Object.entries(lateRows)) {
  test(`Contract 9, Which event counts 9: the sequence of the log makes no difference: ${title}`, async () => {
    const sorted = events.toSorted((a, b) => (a.time as string).localeCompare(b.time as string));
    const expected = await shownOf(sorted);
    assert.is.not(expected, null);
    assert.equal(await shownOf(events), expected);
    assert.equal(await shownOf(events.toReversed()), expected);
  });
}

const amounts = async (...events: readonly CloudEvent[]): Promise<readonly unknown[]> => {
  const { price, listPrice } = (await shownOf(events)) as Record<string, { amount: string } | null>;
  return [price?.amount, listPrice?.amount];
};

const upsert = productUpserted({ price: euros("10.00") }, at(1));
const change = priceChanged({ price: euros("9.00") }, at(1));
const listPatch = productPatched({ listPrice: euros("12.00") }, at(1));
const pricePatch = productPatched({ price: euros("11.00") }, at(1));

test("Contract 9, Which event counts 1: of three events of one time, the later in the log counts for each member", async () => {
  assert.equal(await amounts(upsert, change, listPatch), ["9.00", "12.00"]);
  assert.equal(await amounts(upsert, listPatch, change), ["9.00", undefined]);
  assert.equal(await amounts(upsert, change, listPatch, pricePatch), ["11.00", "12.00"]);
  assert.equal(await amounts(change, upsert, listPatch), ["10.00", "12.00"]);
  assert.equal(await amounts(upsert, change, pricePatch, listPatch), ["11.00", "12.00"]);
});

const instant = (hour: number, minute: number, second = 0): string =>
  new Date(Date.UTC(2026, 9, 1, hour, minute, second)).toISOString();

const datesOf = async (server: TestServer): Promise<readonly unknown[]> => {
  const { data } = await server.graphql<{ product: { product: { updatedAt: string } } }>(
    `{ product(id: "1") { product { updatedAt } } }`,
  );
  const page = await server.get("/products/1.md");
  await page.arrayBuffer();
  return [data.product.product.updatedAt, page.headers.get("last-modified")];
};

const sale = { price: euros("40.00"), from: instant(8, 30), to: instant(9, 30) };
const late = (hour: number, minute: number) => ({ time: instant(hour, minute) });
const ofProduct = productUpserted({ price: euros("50.00"), sales: [sale] }, at(0));
const ofEntry = productUpserted(
  { price: euros("50.00"), variants: [{ id: 7, price: euros("50.00"), sales: [sale] }] },
  at(0),
);
const priceOfVariant = priceChanged(
  { productId: 1, variantId: 7, price: euros("50.00"), sales: [sale] },
  at(1),
);

/** At 9:31 a page has the date of the edge at 9:30; then the late event comes. */
const replacements: Readonly<Record<string, readonly [readonly CloudEvent[], CloudEvent]>> = {
  "a price event": [[ofProduct], priceChanged({ price: euros("51.00") }, late(9, 29))],
  "a patch without sales": [[ofProduct], productPatched({ sales: null }, late(9, 20))],
  "an upsert with a longer sale": [
    [ofProduct],
    productUpserted(
      { price: euros("50.00"), sales: [{ ...sale, to: instant(10, 0) }] },
      late(9, 25),
    ),
  ],
  "a price event of a variant": [
    [ofEntry, priceOfVariant],
    priceChanged({ productId: 1, variantId: 7, price: euros("51.00") }, late(9, 29)),
  ],
  "another list of variants": [[ofEntry], productPatched({ variants: [{ id: 7 }] }, late(9, 29))],
  "a variant stated alone": [
    [
      productUpserted({ price: euros("50.00") }, at(0)),
      variantUpserted({ id: 7, price: euros("50.00"), sales: [sale] }, at(1)),
    ],
    variantUpserted({ id: 7, price: euros("51.00") }, late(9, 29)),
  ],
};

for (const [title, [before, event]] of Object.entries(replacements)) {
  test(`Contract 9, Times of goods 4: ${title} that comes late takes no date back`, async () => {
    const server = await openTestServer({ now: () => Date.parse(instant(9, 31)) });
    try {
      server.apply(settings(), ...before);
      const dates = [instant(9, 30), new Date(instant(9, 30)).toUTCString()];
      assert.equal(await datesOf(server), dates);
      server.apply(event);
      assert.equal(await datesOf(server), dates);
    } finally {
      await server.close();
    }
  });
}

test("Contract 9, Times of goods 4: a price event keeps the dates of the hour behind it, and no later one", async () => {
  const server = await openTestServer({ now: () => Date.parse(instant(12, 0)) });
  try {
    server.apply(settings(), ofProduct, priceChanged({ price: euros("51.00") }, at(5)));
    assert.is((await datesOf(server))[0], instant(8, 30));
    server.apply(stockChanged({ quantity: 1 }, at(6)));
    assert.is((await datesOf(server))[0], instant(8, 30));
  } finally {
    await server.close();
  }
});

test.run();

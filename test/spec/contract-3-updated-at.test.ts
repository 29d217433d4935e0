import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../src/events/envelope.ts";
import {
  categoryUpserted,
  priceChanged,
  productPatched,
  productUpserted,
  settingsUpdated,
  stockChanged,
} from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";

const test = suite<{ service: TestServer }>("§2 Product.updatedAt");

test.before.each(async (context) => {
  context.service = await openTestServer();
});
test.after.each(({ service }) => service.close());

const at = (hour: number) => ({ time: `2026-10-01T${String(hour).padStart(2, "0")}:00:00Z` });
const eur = (amount: string) => ({ amount, currency: "EUR" });

/** The events, and the hour of the resulting `updatedAt`. */
const lives: Readonly<Record<string, readonly [hour: number, ...CloudEvent[]]>> = {
  "the time of the upsert": [8, productUpserted({}, at(8))],
  "the time of a newer upsert that changed the core": [
    9,
    productUpserted({}, at(8)),
    productUpserted({ name: "Renamed" }, at(9)),
  ],
  "not moved by an upsert without changes": [
    8,
    productUpserted({}, at(8)),
    productUpserted({}, at(9)),
  ],
  "the time of a patch that changed the core": [
    9,
    productUpserted({}, at(8)),
    productPatched({ brand: "Acme" }, at(9)),
  ],
  "not moved by a patch without changes": [
    8,
    productUpserted({ brand: "Acme" }, at(8)),
    productPatched({ brand: "Acme" }, at(9)),
  ],
  "the time of a patch of members that only the product page shows": [
    9,
    productUpserted({}, at(8)),
    productPatched({ specifications: [{ name: "Size", value: "L" }] }, at(9)),
  ],
  "the time of a patch of the description": [
    9,
    productUpserted({}, at(8)),
    productPatched({ descriptionHtml: "<p>New.</p>" }, at(9)),
  ],
  "the time of a change of category": [
    9,
    productUpserted({}, at(8)),
    productPatched({ categoryIds: [7] }, at(9)),
  ],
  "the time of a price event that changed the price": [
    9,
    productUpserted({}, at(8)),
    priceChanged({ price: eur("1.00") }, at(9)),
  ],
  "the time at which prices were hidden": [
    9,
    productUpserted({}, at(8)),
    priceChanged({ price: null }, at(9)),
  ],
  "not moved by a price event without changes": [
    8,
    productUpserted({ price: eur("1.00") }, at(8)),
    priceChanged({ price: eur("1.00") }, at(9)),
  ],
  "the time of the price event when that is newer than the edit that arrived after it": [
    10,
    productUpserted({}, at(8)),
    priceChanged({ price: eur("1.00") }, at(10)),
    productPatched({ brand: "Acme" }, at(9)),
  ],
  "not moved by a stock event": [8, productUpserted({}, at(8)), stockChanged({}, at(9))],
  "not moved by shop settings or categories": [
    8,
    productUpserted({ categoryIds: [1] }, at(8)),
    settingsUpdated({}, at(9)),
    categoryUpserted({ id: 1 }, at(10)),
  ],
  "not moved by an older edit that arrives late": [
    9,
    productUpserted({}, at(9)),
    productUpserted({ name: "Older" }, at(8)),
    productPatched({ brand: "Older" }, at(7)),
  ],
};

for (const [name, [hour, ...events]] of Object.entries(lives)) {
  test(`§2 Product.updatedAt is ${name}`, async ({ service }) => {
    for (const event of events) service.apply(event);
    const { data } = await service.graphql<{ product: { product: { updatedAt: string } } }>(
      "{ product(id: 1) { product { updatedAt } } }",
    );
    assert.is(Date.parse(data.product.product.updatedAt), Date.parse(at(hour).time));
  });
}

test("contract §2 an event time more than five minutes ahead of the log time is replaced by the log time", async ({
  service,
}) => {
  const ahead = productUpserted({}, { time: "2026-10-01T09:00:00Z" });
  service.deliver(ahead, Date.parse("2026-10-01T08:00:00Z"));
  const { data } = await service.graphql<{ product: { product: { updatedAt: string } } }>(
    "{ product(id: 1) { product { updatedAt } } }",
  );
  assert.is(Date.parse(data.product.product.updatedAt), Date.parse("2026-10-01T08:00:00Z"));
});

test.run();

import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../src/events/envelope.ts";
import type { SettingsData } from "../../src/events/event.ts";
import {
  categoryUpserted,
  productUpserted,
  settingsUpdated,
  stockChanged,
} from "../helpers/events.ts";
import { openModel } from "../helpers/model.ts";
import { baseUrl, openTestServer, type TestServer } from "../helpers/test-server.ts";

const test = suite("Contract 9, quantities");

const at = (hour: number) => ({ time: `2026-10-01T${String(hour).padStart(2, "0")}:00:00Z` });
const settings = (data: Partial<SettingsData>, hour = 1) => settingsUpdated(data, at(hour));
const stock = (quantity: number, hour: number) => stockChanged({ quantity }, at(hour));
const ofVariant = (quantity: number, hour: number) =>
  stockChanged({ quantity, variantId: 7 }, at(hour));
const product = productUpserted({}, at(2));
const withVariant = productUpserted({ variants: [{ id: 7 }, { id: 8 }] }, at(2));

interface Dates {
  readonly modified: string | null;
  readonly etag: string | null;
  readonly sitemap: string | undefined;
}

/** Reads the dates of the product's page; a page that is requested twice may be a kept reply. */
const datesOf = async (server: TestServer): Promise<Dates> => {
  const page = await server.get("/products/1.md");
  await page.arrayBuffer();
  const sitemap = await (await server.get("/agent-sitemap.xml")).text();
  const [, time] = sitemap.split(`<loc>${baseUrl}/products/1.md</loc><lastmod>`);
  return {
    modified: page.headers.get("last-modified"),
    etag: page.headers.get("etag"),
    sitemap: time?.split("<")[0],
  };
};

/** Reads the dates before and after an event. */
const move = async (
  first: readonly CloudEvent[],
  event: CloudEvent,
): Promise<readonly [Dates, Dates]> => {
  const server = await openTestServer();
  try {
    server.apply(...first);
    await datesOf(server);
    const before = await datesOf(server);
    server.apply(event);
    return [before, await datesOf(server)];
  } finally {
    await server.close();
  }
};

type Row = readonly [title: string, first: readonly CloudEvent[], event: CloudEvent];
const always = settings({ quantityVisible: "always" });
const threshold = settings({ lowStockThreshold: 4 });
const never = settings({});

const moving: readonly Row[] = [
  ["5 to 4 where quantities are shown", [always, product, stock(5, 3)], stock(4, 4)],
  ["5 to 4 at a threshold of 4", [threshold, product, stock(5, 3)], stock(4, 4)],
  ["101 to 99 where quantities are shown", [always, product, stock(101, 3)], stock(99, 4)],
  ["99 to 150 where quantities are shown", [always, product, stock(99, 3)], stock(150, 4)],
  ["a variant's 5 to 4", [always, withVariant, ofVariant(5, 3)], ofVariant(4, 4)],
  ["5 to 0 without quantities", [never, product, stock(5, 3)], stock(0, 4)],
];

for (const [title, first, event] of moving) {
  test(`Contract 9, quantities: ${title} moves Last-Modified, ETag and the sitemap`, async () => {
    const [before, after] = await move(first, event);
    assert.is(before.modified, "Thu, 01 Oct 2026 03:00:00 GMT");
    assert.is(before.sitemap, "2026-10-01T03:00:00.000Z");
    assert.is(after.modified, "Thu, 01 Oct 2026 04:00:00 GMT");
    assert.is(after.sitemap, "2026-10-01T04:00:00.000Z");
    assert.is.not(after.etag, before.etag);
  });
}

const unmoved: readonly Row[] = [
  ["150 to 140 where quantities are shown", [always, product, stock(150, 3)], stock(140, 4)],
  ["150 to 100 where quantities are shown", [always, product, stock(150, 3)], stock(100, 4)],
  ["150 to 140 at a threshold", [threshold, product, stock(150, 3)], stock(140, 4)],
  ["5 to 5 where quantities are shown", [always, product, stock(5, 3)], stock(5, 4)],
  ["5 to 4 where they are not", [never, product, stock(5, 3)], stock(4, 4)],
  ["a variant's 5 to 4 where they are not", [never, withVariant, ofVariant(5, 3)], ofVariant(4, 4)],
];

for (const [title, first, event] of unmoved) {
  test(`Contract 9, quantities: ${title} moves nothing`, async () => {
    const [before, after] = await move(first, event);
    assert.equal(after, before);
    assert.is(after.sitemap, "2026-10-01T03:00:00.000Z");
  });
}

test("Contract 9, quantities: GraphQL shows each new quantity at once", async () => {
  const server = await openTestServer();
  const read = async () => {
    const { data } = await server.graphql<{ product: { product: unknown } }>(
      "{ product(id: 1) { product { stock { status quantity } } } }",
    );
    return data.product.product;
  };
  try {
    server.apply(settings({ quantityVisible: "always", lowStockThreshold: 4 }), product);
    const rows = [
      [150, 100],
      [140, 100],
      [5, 5],
      [4, 4],
      [-3, 0],
    ] as const;
    for (const [hour, [quantity, shown]] of rows.entries()) {
      server.apply(stock(quantity, 3 + hour));
      const status = quantity > 4 ? "IN_STOCK" : quantity > 0 ? "LIMITED_STOCK" : "OUT_OF_STOCK";
      assert.equal(await read(), { stock: { status, quantity: shown } });
      assert.equal(await read(), { stock: { status, quantity: shown } }, "a kept reply");
    }
  } finally {
    await server.close();
  }
});

/** The digests of the rows that a log gives with one event at each position of it. */
const digestsWith = async (event: CloudEvent, log: readonly CloudEvent[]) => {
  const digests = [];
  for (let position = 1; position <= log.length; position += 1) {
    const model = openModel();
    for (const each of log.toSpliced(position, 0, event)) model.apply(each);
    digests.push(model.digest());
    await model.close();
  }
  return digests;
};

const changes: readonly (readonly [
  title: string,
  before: Partial<SettingsData>,
  after: Partial<SettingsData>,
])[] = [
  ["never to always", {}, { quantityVisible: "always" }],
  ["never to low", {}, { quantityVisible: "low" }],
  ["no threshold to 4", {}, { lowStockThreshold: 4 }],
  ["a threshold of 4 to 5", { lowStockThreshold: 4 }, { lowStockThreshold: 5 }],
  ["always to never", { quantityVisible: "always" }, { quantityVisible: "never" }],
];

for (const [title, before, after] of changes) {
  test(`Contract 9, quantities: settings from ${title} give the same rows anywhere in the log`, async () => {
    const stocks = [stock(5, 3), stock(4, 4), ofVariant(9, 5), ofVariant(8, 6)];
    const log = [settings(before), withVariant, categoryUpserted({}, at(1)), ...stocks];
    const [first, ...others] = await digestsWith(settings(after, 7), log);
    for (const digest of others) assert.equal(digest, first);
  });
}

test("Contract 9, quantities: a page has the date of the quantity once settings show it", async () => {
  const shown = settings({ quantityVisible: "always" }, 7);
  const stocks = [product, stock(5, 3), stock(4, 4)];
  const [late, early] = [await openTestServer(), await openTestServer()];
  try {
    late.apply(never, ...stocks);
    assert.is((await datesOf(late)).sitemap, "2026-10-01T03:00:00.000Z");
    late.apply(shown);
    early.apply(never, shown, ...stocks);
    assert.equal(await datesOf(late), await datesOf(early));
    assert.is((await datesOf(late)).sitemap, "2026-10-01T04:00:00.000Z");
  } finally {
    await Promise.all([late.close(), early.close()]);
  }
});

test.run();

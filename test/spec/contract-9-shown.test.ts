import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { endOfDate, toInstant } from "../../src/offers/instants.ts";
import {
  productDeleted,
  productPatched,
  productUpserted,
  stockChanged,
  variantDeleted,
} from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { agentOf } from "../mcp/calls.ts";
import { euros, settings } from "./goods/situations.ts";

/** What surfaces show of goods at an instant, and after an event. */
const test = suite("Contract 9, shown");

const time = (hour: number): string => new Date(Date.UTC(2026, 9, 1, hour)).toISOString();
const at = (hour: number) => ({ time: time(hour) });

interface Shop {
  readonly server: TestServer;
  setClock(time: string): void;
  /** Requests one address by GET, so that a kept answer is returned again. */
  ask(fields: string, id?: number): Promise<unknown>;
  page(id?: number): Promise<string>;
}

const withShop = async (
  events: readonly CloudEvent[],
  use: (shop: Shop) => Promise<void>,
  start = time(12),
): Promise<void> => {
  let now = Date.parse(start);
  const server = await openTestServer({ now: () => now });
  const ask = async (fields: string, id = 1) => {
    const query = encodeURIComponent(`{ product(id: "${id}") { product { ${fields} } } }`);
    const reply = await (await server.get(`/graphql?query=${query}`)).json();
    return (reply as { data: { product: { product: unknown } } }).data.product.product;
  };
  try {
    server.apply(...events);
    await use({
      server,
      setClock: (text) => {
        now = Date.parse(text);
      },
      ask,
      page: async (id = 1) => (await server.get(`/products/${id}.md`)).text(),
    });
  } finally {
    await server.close();
  }
};

const sale = (amount: string, from?: string, to?: string) => ({
  price: euros(amount),
  ...(from && { from }),
  ...(to && { to }),
});

test("Contract 9, Times of goods 1: a sale to come leaves the list when it begins, also where another masks it", () =>
  withShop(
    [
      settings({ upcomingSales: "shown" }),
      productUpserted(
        { price: euros("20.00"), sales: [sale("15.00"), sale("12.00", time(13))] },
        at(8),
      ),
      productUpserted(
        {
          id: 2,
          price: euros("20.00"),
          variants: [
            { id: 1, price: euros("30.00"), sales: [sale("15.00"), sale("12.00", time(13))] },
          ],
        },
        at(8),
      ),
    ],
    async ({ ask, setClock, server }) => {
      const fields = "price { amount } upcomingSales { startsAt } updatedAt";
      const one = { price: { amount: "15.00" }, upcomingSales: [{ startsAt: time(13) }] };
      assert.equal(await ask(fields), { ...one, updatedAt: time(8) });
      assert.equal(await ask(fields, 2), { ...one, updatedAt: time(8) });
      // Not a millisecond before: a kept answer ends at the instant itself.
      setClock("2026-10-01T12:59:59.999Z");
      assert.equal(await ask(fields), { ...one, updatedAt: time(8) });
      setClock(time(13));
      const none = { price: { amount: "15.00" }, upcomingSales: [], updatedAt: time(13) };
      assert.equal(await ask(fields), none);
      assert.equal(await ask(fields, 2), none);
      const page = await server.get("/products/1.md");
      assert.is(page.headers.get("last-modified"), new Date(time(13)).toUTCString());
    },
  ));

test("Contract 9, Prices 6: at the first millisecond of a sale it is in force and not to come", () =>
  withShop(
    [
      settings({ upcomingSales: "shown" }),
      productUpserted({ price: euros("20.00"), sales: [sale("12.00", time(13))] }, at(8)),
    ],
    async ({ ask }) =>
      assert.equal(await ask("price { amount } upcomingSales { startsAt }"), {
        price: { amount: "12.00" },
        upcomingSales: [],
      }),
    time(13),
  ));

test("Contract 9, Prices 1: a sale that ends when it begins is not to come", () =>
  withShop(
    [
      settings({ upcomingSales: "shown" }),
      productUpserted({ price: euros("20.00"), sales: [sale("12.00", time(13), time(13))] }, at(8)),
    ],
    async ({ ask }) => assert.equal(await ask("upcomingSales { startsAt }"), { upcomingSales: [] }),
  ));

test("Contract 9, Prices 5: a reduction below 1 % is no percentage", () =>
  withShop(
    [
      settings(),
      productUpserted({ price: euros("100.00"), listPrice: euros("100.50") }, at(8)),
      productUpserted({ id: 2, price: euros("99.00"), listPrice: euros("100.00") }, at(8)),
    ],
    async ({ ask, page }) => {
      assert.equal(await ask("discountPercent"), { discountPercent: null });
      assert.match(await page(), "100.00 EUR incl. tax, was 100.50 EUR\n");
      assert.equal(await ask("discountPercent", 2), { discountPercent: 1 });
    },
  ));

test("Contract 9, Prices 2: a prior price in another currency is not shown, nor does a percentage compare with it", () => {
  const priorPrice = euros("90.00", "USD");
  const variant = { id: 1, price: euros("40.00"), listPrice: euros("50.00"), priorPrice };
  return withShop(
    [
      settings(),
      productUpserted({ price: euros("80.00"), sales: [sale("60.00")], priorPrice }, at(8)),
      productUpserted({ id: 2, variants: [variant] }, at(8)),
    ],
    async ({ ask, page }) => {
      const fields = "priorPrice { amount } discountPercent";
      assert.equal(await ask(fields), { priorPrice: null, discountPercent: 25 });
      assert.equal(await ask(fields, 2), { priorPrice: null, discountPercent: 20 });
      assert.equal(await ask(`variant(id: "1") { ${fields} }`, 2), {
        variant: { priorPrice: null, discountPercent: 20 },
      });
      assert.not.match(await page(), "USD");
    },
  );
});

test("Contract 9, Stock 5: a day ends where its time zone ends it, also behind a midnight that does not exist", () => {
  assert.is(endOfDate("2026-03-28", "Asia/Beirut"), Date.parse("2026-03-28T22:00:00Z"));
  assert.is(endOfDate("2026-03-29", "Asia/Beirut"), Date.parse("2026-03-29T21:00:00Z"));
  assert.is(endOfDate("9999-12-31", "Europe/Berlin"), 253_402_297_200_000);
});

test("Contract 9, Prices 1: digits below the millisecond begin a sale at the next one", () => {
  const second = Date.parse("2026-10-01T13:00:00Z");
  assert.is(toInstant("2026-10-01T13:00:00.0005Z"), second + 1);
  assert.is(toInstant("2026-10-01T13:00:00.0010Z"), second + 1);
  return withShop(
    [
      settings(),
      productUpserted(
        { price: euros("20.00"), sales: [sale("12.00", "2026-10-01T13:00:00.0005Z")] },
        at(8),
      ),
    ],
    async ({ ask, setClock }) => {
      assert.equal(await ask("price { amount }"), { price: { amount: "20.00" } });
      setClock("2026-10-01T13:00:00.001Z");
      assert.equal(await ask("price { amount }"), { price: { amount: "12.00" } });
    },
    "2026-10-01T13:00:00.000Z",
  );
});

test("Contract 9, Times of goods 5: an open end is a date on each page, east and west of Greenwich", async () => {
  const end = "9999-12-31T23:59:59Z";
  for (const [timeZone, text] of [
    ["Asia/Tokyo", "1 Jan 10000, 08:59 (Asia/Tokyo)"],
    ["America/New_York", "31 Dec 9999, 18:59 (America/New_York)"],
  ] as const) {
    const sales = [sale("70.00", undefined, end)];
    const variants = [{ id: 1, price: euros("80.00"), sales }];
    await withShop(
      [
        settings({ timeZone, upcomingSales: "shown" }),
        productUpserted({ id: 1, price: euros("80.00"), sales: [sale("70.00", end)] }, at(8)),
        productUpserted({ id: 2, price: euros("80.00"), variants }, at(8)),
        productUpserted({ id: 3 }, at(8)),
        stockChanged(
          { productId: 3, quantity: 0, availability: "preorder", availabilityDate: end },
          at(8),
        ),
      ],
      async ({ page }) => {
        for (const id of [1, 2, 3]) {
          assert.ok((await page(id)).includes(text), `${id}: ${await page(id)}`);
          assert.not.match(await page(id), /NaN|undefined/);
        }
      },
    );
  }
});

test("Contract 9, Times of goods 5: NEWEST orders release dates from the first year to the last", () =>
  withShop(
    [
      settings(),
      ...["1969-12-31", "9999-12-31", "2026-01-01", "5000-01-01", "8000-01-01", "1500-06-01"].map(
        (releaseDate, at) => productUpserted({ id: 1 + at, releaseDate }),
      ),
      productUpserted({ id: 7 }),
    ],
    async ({ server }) => {
      const { data } = await server.graphql<{ products: { nodes: readonly { id: string }[] } }>(
        "{ products(orderBy: NEWEST) { nodes { id } } }",
      );
      assert.equal(
        data.products.nodes.map(({ id }) => Number(id)),
        [2, 5, 4, 3, 1, 6, 7],
      );
    },
  ));

const related = (...ids: readonly number[]) =>
  ids.map((productId) => ({ productId, relationship: "accessory" as const }));

const relatedOn = async ({ server, ask, page }: Shop): Promise<readonly unknown[]> => {
  const { related: byGraphql } = (await ask("related { productId }")) as {
    related: readonly { productId: number }[];
  };
  const agent = await agentOf(server);
  const { structuredContent, content } = await agent.call<{
    product: { related?: readonly { product_id: number }[] };
  }>("get_product", { product_id: 1 });
  return [
    byGraphql.map(({ productId }) => Number(productId)),
    structuredContent.product.related?.map(({ product_id }) => product_id) ?? [],
    [...(content[0]?.text ?? "").matchAll(/Related \(accessory\): id (\d+)/g)].map(([, id]) =>
      Number(id),
    ),
    [...(await page()).matchAll(/products\/(\d+)\.md\): accessory/g)].map(([, id]) => Number(id)),
  ];
};

test("Contract 4: related products are visible, others, and named once, also after a later event", () =>
  withShop(
    [
      settings(),
      productUpserted({ related: related(3, 1, 2, 3, 4, 99, 5) }, at(8)),
      productUpserted({ id: 2 }, at(8)),
      productUpserted({ id: 3 }, at(8)),
      productUpserted({ id: 4, active: false }, at(8)),
      productUpserted({ id: 5 }, at(8)),
      productDeleted(5, at(9)),
    ],
    async (shop) => {
      const all = (ids: readonly number[]) => [ids, ids, ids, ids];
      assert.equal(await relatedOn(shop), all([3, 2]));
      const etag = async () => (await shop.server.get("/products/1.md")).headers.get("etag");
      const before = await etag();
      shop.server.apply(productPatched({ id: 3, active: false }, at(10)));
      assert.equal(await relatedOn(shop), all([2]));
      assert.is.not(await etag(), before);
      shop.server.apply(productPatched({ id: 4, active: true }, at(10)), productDeleted(2, at(10)));
      assert.equal(await relatedOn(shop), all([4]));
      shop.server.apply(productDeleted(4, at(11)));
      assert.equal(await relatedOn(shop), all([]));
    },
  ));

const oneTime = { time: time(9) };
const stock = (data: object) => stockChanged({ productId: 1, quantity: 5, ...data }, oneTime);
const inVariant = (data: object) =>
  stockChanged({ productId: 1, variantId: 7, quantity: 5, ...data }, oneTime);
const plain = productUpserted({}, at(8));
const withVariant = productUpserted({ variants: [{ id: 7 }] }, at(8));
const stockFields = "availability stock { status quantity availabilityDate }";

const equalTimes: Readonly<
  Record<string, readonly [first: readonly CloudEvent[], next: CloudEvent, status: string]>
> = {
  "a backorder": [
    [settings(), plain, stock({})],
    stock({ availability: "backorder", availabilityDate: "2027-01-15" }),
    "BACKORDER",
  ],
  "the last pieces": [
    [settings(), plain, stock({ availability: "in_stock" })],
    stock({ availability: "discontinued" }),
    "DISCONTINUED",
  ],
  "another date": [
    [settings(), plain, stock({ availability: "preorder", availabilityDate: "2027-01-15" })],
    stock({ availability: "preorder", availabilityDate: "2027-02-15T12:00:00Z" }),
    "PREORDER",
  ],
  "a quantity": [
    [settings({ quantityVisible: "always" }), plain, stock({})],
    stock({ quantity: 2 }),
    "IN_STOCK",
  ],
  "a threshold of 100": [
    [settings({ lowStockThreshold: 100 }), plain, stock({ quantity: 101 })],
    stock({ quantity: 100 }),
    "LIMITED_STOCK",
  ],
  "a status that a threshold gave": [
    [settings({ lowStockThreshold: 9 }), plain, stock({})],
    stock({ availability: "in_stock" }),
    "IN_STOCK",
  ],
  "a variant": [
    [settings(), withVariant, inVariant({})],
    inVariant({ availability: "preorder", availabilityDate: "2027-01-15" }),
    "PREORDER",
  ],
  "a higher sequence of an earlier time": [
    [settings(), plain, stockChanged({ quantity: 5 }, { ...oneTime, sequence: "1" })],
    stockChanged({ quantity: 5, availability: "backorder" }, { ...at(8), sequence: "2" }),
    "BACKORDER",
  ],
};

for (const [title, [first, next, status]] of Object.entries(equalTimes)) {
  test(`Contract 9, Which event counts 10: of stock events of one time the later is shown: ${title}`, async () => {
    let expected: unknown;
    let expectedPage = "";
    await withShop([...first, next], async ({ ask, page }) => {
      expected = await ask(stockFields);
      expectedPage = await page();
    });
    await withShop(first, async ({ server, ask, page }) => {
      for (const _ of [1, 2]) await Promise.all([ask(stockFields), page()]);
      server.apply(next);
      const shown = (await ask(stockFields)) as { stock: { status: string } };
      assert.is(shown.stock.status, status);
      assert.equal(shown, expected);
      assert.is(await page(), expectedPage);
    });
  });
}

test("Contract 9: the page at the address of a variant follows the variant to another product", () => {
  const variant = (productId: number, url?: string) =>
    productUpserted(
      { id: productId, name: `Product ${productId}`, variants: [{ id: 7, ...(url && { url }) }] },
      at(8 + productId),
    );
  const address = "https://shop.example/v";
  return withShop([settings(), variant(1), variant(3, address)], async ({ server }) => {
    const heading = async () => (await (await server.get("/v.md")).text()).split("\n")[0];
    for (const _ of [1, 2]) assert.match((await heading()) ?? "", "Product 3");
    server.apply(variant(1, address));
    for (const _ of [1, 2]) assert.match((await heading()) ?? "", "Product 1");
    server.apply(variantDeleted(1, 7, at(20)));
    for (const _ of [1, 2]) assert.match((await heading()) ?? "", "Product 3");
  });
});

test.run();

import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../src/events/envelope.ts";
import {
  priceChanged,
  productDeleted,
  productPatched,
  productUpserted,
  stockChanged,
} from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { type Agent, agentOf } from "../mcp/calls.ts";
import { euros, settings } from "./goods/situations.ts";

/** Unusual events, and what each surface shows of them. */
const test = suite("Contract 9, edges");

const at = (minute: number) => ({ time: new Date(Date.UTC(2026, 8, 2, 8, minute)).toISOString() });
const id = 1;

const withShop = async (
  events: readonly CloudEvent[],
  use: (server: TestServer, agent: Agent) => Promise<void>,
): Promise<void> => {
  const server = await openTestServer({ now: () => Date.parse("2026-11-25T20:00:00Z") });
  try {
    server.apply(...events);
    await use(server, await agentOf(server));
  } finally {
    await server.close();
  }
};

const ask = async (server: TestServer, fields: string): Promise<unknown> => {
  const { data, errors } = await server.graphql<{ product: { product: unknown } }>(
    `{ product(id: "${id}") { product { ${fields} } } }`,
  );
  assert.is(errors, undefined);
  return data.product.product;
};

const count = async (server: TestServer, args: string): Promise<number> => {
  const { data } = await server.graphql<{ products: { totalCount: number } }>(
    `{ products(${args}) { totalCount } }`,
  );
  return data.products.totalCount;
};

test("Contract 9: an option without values is shown without values", () =>
  withShop(
    [settings(), productUpserted({ id, options: [{ name: "Size", values: [] }] }, at(1))],
    async (server) =>
      assert.equal(await ask(server, "options { name values { value } }"), {
        options: [{ name: "Size", values: [] }],
      }),
  ));

test("Contract 9: a sale before 1970 changes nothing", () =>
  withShop(
    [
      settings(),
      productUpserted({ id, price: euros("9.00") }, at(1)),
      priceChanged(
        {
          productId: id,
          price: euros("9.00"),
          sales: [
            { price: euros("5.00"), from: "1969-01-01T00:00:00Z", to: "1969-12-01T00:00:00Z" },
          ],
        },
        at(2),
      ),
    ],
    async (server) =>
      assert.equal(await ask(server, "price { amount } listPrice { amount }"), {
        price: { amount: "9.00" },
        listPrice: null,
      }),
  ));

const deleted = [
  productUpserted({ id, price: euros("10.00") }, at(1)),
  priceChanged({ productId: id, price: euros("9.00") }, at(2)),
  productDeleted(id, at(3)),
  productUpserted({ id, price: undefined as never }, at(4)),
  productPatched({ id, listPrice: euros("20.00") }, at(5)),
].map((event) => JSON.parse(JSON.stringify(event)) as CloudEvent);

for (const [name, events] of [
  ["in the sequence of their times", deleted],
  ["the price last", [...deleted.filter((_, index) => index !== 1), deleted[1] as CloudEvent]],
  ["the first upsert last", [...deleted.slice(1), deleted[0] as CloudEvent]],
] as const) {
  test(`Contract 9: a price event outlives a deletion and a later patch, ${name}`, () =>
    withShop([settings(), ...events], async (server) =>
      assert.equal(await ask(server, "price { amount } listPrice { amount }"), {
        price: { amount: "9.00" },
        listPrice: { amount: "20.00" },
      }),
    ));
}

const oneVariant = (variant: object = {}) =>
  productUpserted({ id, price: euros("9.00"), variants: [{ id: 11, ...variant }] }, at(1));

test("Contract 9: 17 the first stock event of a variant dates the page", () =>
  withShop(
    [
      settings(),
      oneVariant(),
      stockChanged({ productId: id, quantity: 7 }, at(2)),
      stockChanged({ productId: id, variantId: 11, quantity: 0 }, at(9)),
    ],
    async (server) => {
      const page = await server.get("/products/1.md");
      assert.is(page.headers.get("last-modified"), "Wed, 02 Sep 2026 08:09:00 GMT");
    },
  ));

test("Contract 9: the address of a variant is one of the web, and its images have complete ones", () =>
  withShop(
    [
      settings(),
      oneVariant({
        url: "javascript:alert(1)",
        images: [{ url: "red.jpg" }, { url: "javascript:alert(2)" }],
      }),
    ],
    async (server) => {
      assert.equal(await ask(server, "url variants { nodes { url images { url } } }"), {
        url: "https://shop.example/products/1",
        variants: {
          nodes: [
            {
              url: "https://shop.example/products/1",
              images: [{ url: "https://shop.example/products/red.jpg" }],
            },
          ],
        },
      });
      assert.not.match(await (await server.get("/products/1.md")).text(), /javascript/);
    },
  ));

test("Contract 9: a facet counts a product once for each value", () =>
  withShop(
    [
      settings(),
      productUpserted(
        {
          id,
          specifications: [{ name: "Material", value: "Cotton", code: "material" }],
          variants: [
            {
              id: 11,
              options: [{ name: "Color", value: "Red" }],
              specifications: [{ name: "Material", value: "cotton", code: "material" }],
            },
            { id: 12, options: [{ name: "Color", value: "red" }] },
          ],
        },
        at(1),
      ),
    ],
    async (server) => {
      const { data } = await server.graphql<{ products: { facets: unknown } }>(
        "{ products { facets { options { values { value count } } attributes { values { value count } } } } }",
      );
      assert.equal(data.products.facets, {
        options: [{ values: [{ value: "Red", count: 1 }] }],
        attributes: [{ values: [{ value: "Cotton", count: 1 }] }],
      });
    },
  ));

test("Contract 9: 16 a product whose variants are all inactive is found as out of stock", () =>
  withShop(
    [
      settings(),
      oneVariant({ active: false }),
      stockChanged({ productId: id, quantity: 7 }, at(2)),
    ],
    async (server) => {
      assert.is(await count(server, "stockStatus: [OUT_OF_STOCK]"), 1);
      assert.is(await count(server, 'stockStatus: [OUT_OF_STOCK], priceMax: "9.00"'), 1);
      assert.is(await count(server, 'stockStatus: [OUT_OF_STOCK], priceMax: "8.99"'), 0);
      assert.is(await count(server, "stockStatus: [IN_STOCK]"), 0);
    },
  ));

test("Contract 9: one variant meets price and stock", () =>
  withShop(
    [
      settings(),
      productUpserted(
        {
          id,
          variants: [
            { id: 11, price: euros("10.00") },
            { id: 12, price: euros("9.00", "USD") },
          ],
        },
        at(1),
      ),
      stockChanged({ productId: id, variantId: 12, quantity: 3 }, at(2)),
    ],
    async (server) => {
      assert.is(await count(server, 'priceMax: "20"'), 1);
      assert.is(await count(server, 'priceMax: "20", inStockOnly: true'), 0);
      server.apply(stockChanged({ productId: id, variantId: 11, quantity: 1 }, at(3)));
      assert.is(await count(server, 'priceMax: "20", inStockOnly: true'), 1);
    },
  ));

test("Contract 9: tools word quantities as pages do", () =>
  withShop(
    [
      settings({ quantityVisible: "always" }),
      productUpserted({ id, price: euros("9.00") }, at(1)),
      stockChanged({ productId: id, quantity: 5_000 }, at(2)),
    ],
    async (server, agent) => {
      const text = async () =>
        (await agent.call("check_availability", { product_ids: [id] })).content[0]?.text ?? "";
      assert.match(await text(), /in stock, at least 100 available/);
      server.apply(stockChanged({ productId: id, quantity: 5, orderable: false }, at(3)));
      assert.match(await text(), /out of stock, 9\.00/);
    },
  ));

test("Contract 9: search_products refuses a blank option and an attribute without a value", () =>
  withShop([settings()], async (_, agent) => {
    for (const args of [
      { attributes: [{ name: "Material" }] },
      { options: [{ name: " ", value: " " }] },
    ]) {
      const { isError, content } = await agent.call("search_products", args);
      assert.is(isError, true);
      assert.match(content[0]?.text ?? "", new RegExp(Object.keys(args)[0] ?? ""));
    }
  }));

test.run();

import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Rating } from "../../src/events/product-facts.ts";
import { productUpserted } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { type Agent, agentOf } from "../mcp/calls.ts";
import { settings } from "./goods/situations.ts";

interface Context {
  server: TestServer;
  agent: Agent;
}

const test = suite<Context>("Contract 9, ratings");

const time = "2026-09-02T00:00:00Z";
const rated = (id: number, rating?: Rating | null) =>
  productUpserted({ id, name: `Cup ${id}`, ...(rating !== undefined && { rating }) }, { time });

test.before(async (context) => {
  context.server = await openTestServer();
  context.server.apply(
    settings(),
    rated(1, { value: 8.6, best: 10, worst: 0, count: 37 }),
    rated(2, { value: 8.6, best: 10, worst: 0, count: 0 }),
    rated(3, { value: 4, count: 1 }),
    rated(4, null),
    rated(5),
  );
  context.agent = await agentOf(context.server);
});
test.after(({ server }) => server.close());

interface Answers {
  readonly graphql: unknown;
  readonly tool: unknown;
  readonly text: string;
  readonly page: string;
}

/** Reads the rating of a product on each surface. */
const read = async ({ server, agent }: Context, id: number): Promise<Answers> => {
  const { data } = await server.graphql<{ product: { product: { rating: unknown } } }>(
    `{ product(id: ${id}) { product { rating { value best worst count } } } }`,
  );
  const { structuredContent, content } = await agent.call<{ product: { rating?: unknown } }>(
    "get_product",
    { product_id: id },
  );
  return {
    graphql: data.product.product.rating,
    tool: structuredContent.product.rating,
    text: content.map(({ text }) => text).join("\n"),
    page: await (await server.get(`/products/${id}.md`)).text(),
  };
};

test("Contract 9, ratings: 28 a rating of 8.6 from 0 to 10 is shown with its scale and count", async (context) => {
  const { graphql, tool, text, page } = await read(context, 1);
  const rating = { value: 8.6, best: 10, worst: 0, count: 37 };
  assert.equal(graphql, rating);
  assert.equal(tool, rating);
  assert.match(text, /^Rating: 8\.6 of 10 from 37 ratings$/m);
  assert.match(page, /^- Rating: 8\.6 of 10 from 37 ratings$/m);
});

test("Contract 9, ratings: 28 a rating without a scale is from 1 to 5", async (context) => {
  const { graphql, tool, text, page } = await read(context, 3);
  const rating = { value: 4, best: 5, worst: 1, count: 1 };
  assert.equal(graphql, rating);
  assert.equal(tool, rating);
  assert.match(text, /^Rating: 4 of 5 from 1 rating$/m);
  assert.match(page, /^- Rating: 4 of 5 from 1 rating$/m);
});

for (const [id, what] of [
  [2, "a count of 0"],
  [4, "a rating of null"],
  [5, "no rating"],
] as const) {
  test(`Contract 9, ratings: 28 ${what} is no rating on any surface`, async (context) => {
    const { graphql, tool, text, page } = await read(context, id);
    assert.is(graphql, null);
    assert.is(tool, undefined);
    assert.not.match(text, /rating|8\.6/i);
    assert.not.match(page, /rating|8\.6/i);
  });
}

test("Contract 9, ratings: 28 a filter of 0 stars finds no product without a rating, and the sort ends with them", async ({
  server,
  agent,
}) => {
  const find = async (args: string) => {
    const { data } = await server.graphql<{ products: { nodes: { id: string }[] } }>(
      `{ products(${args}) { nodes { id } } }`,
    );
    return data.products.nodes.map(({ id }) => id);
  };
  assert.equal(await find("minRating: 0"), ["1", "3"]);
  assert.equal(await find("minRating: 4.2"), ["1"]);
  assert.equal(await find("orderBy: RATING"), ["1", "3", "2", "4", "5"]);
  const { structuredContent } = await agent.call<{ products: { id: number }[] }>(
    "search_products",
    { min_rating: 4.2 },
  );
  assert.equal(
    structuredContent.products.map(({ id }) => id),
    [1],
  );
});

test.run();

/** Queries as agents send them and people do not: answered in bounded time, and alike by GraphQL and MCP. */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productUpserted } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { type Agent, agentOf } from "../mcp/calls.ts";

const test = suite<{ service: TestServer; agent: Agent }>("queries of every shape");

const products = 400;

test.before(async (context) => {
  context.service = await openTestServer();
  context.service.apply(
    ...Array.from({ length: products }, (_, at) =>
      productUpserted({ id: at + 1, name: `The lamp of a room w${at}`, reference: `R-${at}` }),
    ),
  );
  context.agent = await agentOf(context.service);
});
test.after(({ service }) => service.close());

/** Name, query, and number of products found; undefined where any number is acceptable. */
const shapes: readonly (readonly [name: string, query: string, total: number | undefined])[] = [
  ["nothing", "", products],
  ["spaces", " \t\n ", products],
  ["stop words", "the of a", products],
  ["punctuation", "?!…--", 0],
  ["100 emoji", "😀".repeat(100), 0],
  ["200 combining marks", "\u0301".repeat(200), 0],
  ["Greek", "λάμπα", 0],
  ["Chinese without spaces", "蓝色陶瓷杯子".repeat(33), 0],
  ["Thai", "เสื้อกันฝนสีแดง".repeat(10), 0],
  ["NULs", "\0\0lamp\0", products],
  ["regular expressions", "(.*)+[a-z]{2}$^|\\", undefined],
  ["one letter", "l", products],
  ["every letter", "a b c d e f g h i j k l m n o p q r s t u v w x y z", undefined],
  ["a hundred words", "ab ".repeat(66), undefined],
  ["200 letters", "a".repeat(200), 0],
  ["half a pair", "\ud83dlamp", undefined],
];

for (const [name, query, total] of shapes) {
  test(`a query of ${name} gets the same total from GraphQL and MCP, in bounded time`, async ({
    service,
    agent,
  }) => {
    const begun = process.cpuUsage();
    const { data, errors } = await service.graphql<{
      products: { totalCount: number; nodes: unknown[]; userErrors: unknown[] };
    }>(
      "query ($query: String) { products(first: 20, query: $query, relax: true) { totalCount nodes { id } userErrors { code } } }",
      { query },
    );
    assert.is(errors, undefined);
    assert.equal(data.products.userErrors, []);
    const { isError, structuredContent } = await agent.call("search_products", { query });
    assert.not.ok(isError);
    const result = structuredContent as { readonly total: number; readonly products: unknown[] };
    assert.is(result.total, data.products.totalCount);
    assert.is(result.products.length, data.products.nodes.length);
    if (total !== undefined) assert.is(result.total, total);
    // CPU time, with a wide margin: shows that the cost does not explode, not that it is low.
    assert.ok(process.cpuUsage(begun).user < 2_000_000);
  });
}

test.run();

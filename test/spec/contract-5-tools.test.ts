import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { type Agent, agentOf, type ToolName } from "../mcp/calls.ts";
import { goodArguments, smallShop } from "../mcp/shop.ts";

const test = suite<{ service: TestServer; agent: Agent }>("contract §5 tools");

test.before(async (context) => {
  context.service = await openTestServer();
  context.service.apply(...smallShop());
  context.agent = await agentOf(context.service);
});
test.after(({ service }) => service.close());

const ids = (length: number) => Array.from({ length }, (_, at) => at + 1);
const items = (length: number, quantity = 1) =>
  Array.from({ length }, () => ({ product_id: 1, quantity }));

/** Each row of the table: arguments at the bounds, and arguments past them with the field at fault. */
const bounds: readonly (readonly [
  ToolName,
  within: readonly object[],
  past: readonly (readonly [object, ...string[]])[],
])[] = [
  [
    "search_products",
    [
      {},
      { query: "x".repeat(200) },
      { limit: 1 },
      { limit: 100 },
      { offset: 0 },
      { offset: 10_000 },
      { category_id: 1 },
      { category_id: "1" },
      ...["relevance", "price_asc", "price_desc", "name"].map((sort) => ({ sort })),
    ],
    [
      [{ query: "x".repeat(201) }, "query"],
      [{ limit: 0 }, "limit"],
      [{ limit: 101 }, "limit"],
      [{ offset: -1 }, "offset"],
      [{ offset: 10_001 }, "offset"],
      [{ sort: "cheapest" }, "sort"],
    ],
  ],
  ["get_product", [{ product_id: 1 }, { product_id: "1" }], [[{}, "product_id"]]],
  [
    "list_categories",
    [{}, { max_depth: 1 }, { depth: 1 }, { parent_id: 1 }, { parent_id: "1" }],
    [
      [{ max_depth: 0 }, "max_depth"],
      [{ depth: 0 }, "depth"],
      [{ parent_id: 0 }, "parent_id"],
    ],
  ],
  [
    "check_availability",
    [{ product_ids: ids(1) }, { product_ids: ids(50) }, { product_ids: ["1", 1] }],
    [
      [{}, "product_ids"],
      [{ product_ids: [] }, "product_ids"],
      [{ product_ids: ids(51) }, "product_ids"],
    ],
  ],
  ["get_shipping_options", [{ country_code: "DE" }], [[{}, "country_code"]]],
  [
    "get_policies",
    [
      {},
      ...["returns", "shipping", "payment", "terms", "privacy", "contact"].map((topic) => ({
        topic,
      })),
    ],
    [[{ topic: "jobs" }, "topic"]],
  ],
  [
    "create_checkout_link",
    [{ items: items(1) }, { items: items(1, 999) }, { items: items(50) }],
    [
      [{}, "items"],
      [{ items: [] }, "items"],
      [{ items: items(51) }, "items"],
      [{ items: items(1, 0) }, "items", "0", "quantity"],
      [{ items: items(1, 1000) }, "items", "0", "quantity"],
    ],
  ],
];

for (const [name, within, past] of bounds) {
  test(`contract §5 ${name} accepts arguments up to their bounds`, async ({ agent }) => {
    for (const args of within) {
      const { isError, content } = await agent.call(name, args);
      assert.not.ok(isError, `${JSON.stringify(args)}: ${content[0]?.text}`);
    }
  });

  test(`contract §5 ${name} rejects arguments past their bounds and names the field`, async ({
    agent,
  }) => {
    for (const [args, ...field] of past) {
      const { isError, structuredContent } = await agent.call(name, args);
      assert.is(isError, true, JSON.stringify(args));
      assert.is(structuredContent.code, "INVALID_ARGUMENT");
      assert.equal(structuredContent.field, field);
      assert.type(structuredContent.message, "string");
    }
  });
}

/** The structuredContent column, and the members of the first entry of its list. */
const members: Readonly<Record<ToolName, readonly [top: string, entry?: string]>> = {
  search_products: ["products total limit offset has_more", "id name price availability url"],
  get_product: ["product"],
  list_categories: ["categories", "id name url depth parent_id product_count children"],
  check_availability: ["products not_found", "id availability price url as_of"],
  get_shipping_options: [
    "country_code options free_shipping_threshold binding",
    "carrier price delivery_days",
  ],
  get_policies: ["policies", "id title url topic summary text"],
  create_checkout_link: ["url items subtotal", "product_id quantity name price"],
};

const sortedNames = (names: string): readonly string[] => names.split(" ").sort();
const namesOf = (value: object): readonly string[] => Object.keys(value).sort();

for (const [name, [top, entry]] of Object.entries(members) as [
  ToolName,
  readonly [string, string?],
][]) {
  test(`contract §5 ${name} returns ${top}`, async ({ agent }) => {
    const { structuredContent } = await agent.call(name, goodArguments[name]);
    assert.equal(namesOf(structuredContent), sortedNames(top));
    const list = Object.values(structuredContent).find(Array.isArray) as object[] | undefined;
    if (entry) assert.equal(namesOf(list?.[0] ?? {}), sortedNames(entry));
  });
}

test("contract §5 get_product returns every member of its product", async ({ agent }) => {
  const { structuredContent } = await agent.call<{ product: object }>("get_product", {
    product_id: 1,
  });
  assert.equal(
    namesOf(structuredContent.product),
    sortedNames(
      "id name description url markdown_url reference gtin brand price availability updated_at specifications categories images",
    ),
  );
});

test("contract §5 search_products: limit defaults to 20 and offset to 0", async ({ agent }) => {
  const { structuredContent } = await agent.call("search_products");
  assert.equal([structuredContent.limit, structuredContent.offset], [20, 0]);
});

test("contract §5 create_checkout_link: at most 999 of one product, in one item or in several", async ({
  agent,
}) => {
  const ask = (second: number) =>
    agent.call("create_checkout_link", {
      items: [
        { product_id: 1, quantity: 998 },
        { product_id: "1", quantity: second },
      ],
    });
  assert.not.ok((await ask(1)).isError);
  const { isError, structuredContent } = await ask(2);
  assert.is(isError, true);
  assert.is(structuredContent.code, "INVALID_ARGUMENT");
  assert.equal(structuredContent.field, ["items", "1", "quantity"]);
});

test("contract §5 an unknown tool is the JSON-RPC error -32602", async ({ agent }) => {
  const { error } = await agent.rpc("tools/call", { name: "place_order", arguments: {} });
  assert.is(error?.code, -32602);
});

test.run();

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { readDefinition } from "../../../src/surfaces/mcp/tools/definition.ts";
import {
  categoryUpserted,
  productUpserted,
  settingsUpdated,
  stockChanged,
} from "../../helpers/events.ts";
import { openTestServer, type TestServer } from "../../helpers/test-server.ts";
import { type Agent, agentOf, type ToolName, toolNames } from "../../mcp/calls.ts";
import { smallShop } from "../../mcp/shop.ts";

const test = suite<{ service: TestServer; agent: Agent }>("rejected tool calls");

test.before.each(async (context) => {
  context.service = await openTestServer();
  context.service.apply(...smallShop());
  context.agent = await agentOf(context.service);
});
test.after.each(({ service }) => service.close());

interface Refusal {
  readonly code: string;
  readonly field: readonly string[];
  readonly message: string;
}

const tooLong = "x".repeat(201);

/** Tool, arguments, and the code and field of the error. */
const refusals: readonly (readonly [ToolName, object, string, readonly string[]])[] = [
  ["search_products", { query: tooLong }, "INVALID_ARGUMENT", ["query"]],
  ["search_products", { query: 1 }, "INVALID_ARGUMENT", ["query"]],
  ["search_products", { limit: 0 }, "INVALID_ARGUMENT", ["limit"]],
  ["search_products", { limit: 101 }, "INVALID_ARGUMENT", ["limit"]],
  ["search_products", { limit: 1.5 }, "INVALID_ARGUMENT", ["limit"]],
  ["search_products", { offset: -1 }, "INVALID_ARGUMENT", ["offset"]],
  ["search_products", { offset: 10_001 }, "INVALID_ARGUMENT", ["offset"]],
  ["search_products", { sort: "cheapest" }, "INVALID_ARGUMENT", ["sort"]],
  ["search_products", { in_stock_only: "yes" }, "INVALID_ARGUMENT", ["in_stock_only"]],
  ["search_products", { category_id: "x" }, "INVALID_ARGUMENT", ["category_id"]],
  ["search_products", { category_id: 99 }, "NOT_FOUND", ["category_id"]],
  ["search_products", { keyword: "mug" }, "INVALID_ARGUMENT", ["keyword"]],
  ["get_product", {}, "INVALID_ARGUMENT", ["product_id"]],
  ["get_product", { product_id: null }, "INVALID_ARGUMENT", ["product_id"]],
  ["get_product", { product_id: 0 }, "INVALID_ARGUMENT", ["product_id"]],
  ["get_product", { product_id: "01" }, "INVALID_ARGUMENT", ["product_id"]],
  ["get_product", { product_id: 99 }, "NOT_FOUND", ["product_id"]],
  ["get_product", { product_id: "9999999999999999" }, "NOT_FOUND", ["product_id"]],
  ["list_categories", { max_depth: 0 }, "INVALID_ARGUMENT", ["max_depth"]],
  ["check_availability", {}, "INVALID_ARGUMENT", ["product_ids"]],
  ["check_availability", { product_ids: [] }, "INVALID_ARGUMENT", ["product_ids"]],
  ["check_availability", { product_ids: 1 }, "INVALID_ARGUMENT", ["product_ids"]],
  ["check_availability", { product_ids: [1, -2] }, "INVALID_ARGUMENT", ["product_ids", "1"]],
  ["get_shipping_options", {}, "INVALID_ARGUMENT", ["country_code"]],
  ["get_shipping_options", { country_code: "DEU" }, "INVALID_ARGUMENT", ["country_code"]],
  ["get_shipping_options", { country_code: "*" }, "INVALID_ARGUMENT", ["country_code"]],
  ["get_shipping_options", { country_code: "ZZ" }, "INVALID_ARGUMENT", ["country_code"]],
  ["get_shipping_options", { country_code: "eu" }, "INVALID_ARGUMENT", ["country_code"]],
  ["get_policies", { topic: "other" }, "INVALID_ARGUMENT", ["topic"]],
  ["create_checkout_link", {}, "INVALID_ARGUMENT", ["items"]],
  ["create_checkout_link", { items: [] }, "INVALID_ARGUMENT", ["items"]],
  ["create_checkout_link", { items: [1] }, "INVALID_ARGUMENT", ["items", "0"]],
  ["create_checkout_link", { items: [{}] }, "INVALID_ARGUMENT", ["items", "0", "product_id"]],
  [
    "create_checkout_link",
    { items: [{ product_id: 1, quantity: 1000 }] },
    "INVALID_ARGUMENT",
    ["items", "0", "quantity"],
  ],
  [
    "create_checkout_link",
    { items: [{ product_id: 1, colour: "red" }] },
    "INVALID_ARGUMENT",
    ["items", "0", "colour"],
  ],
];

test("an invalid argument is a result with isError, in text and structuredContent", async ({
  agent,
}) => {
  for (const [tool, args, code, field] of refusals) {
    const result = await agent.call<Refusal>(tool, args);
    const call = `${tool} ${JSON.stringify(args).slice(0, 80)}`;
    assert.is(result.isError, true, call);
    const { message, ...rest } = result.structuredContent;
    assert.equal(rest, { code, field }, call);
    assert.is(result.content[0]?.text, `${code} (${field.join(".")}): ${message}`);
    assert.match(message, /^.+\.$/, call);
  }
});

const decimal = "a decimal number in a string, such as 10 or 9.90";

/** Tool, arguments, and the advice in the message. */
const remedies: readonly (readonly [ToolName, object, string])[] = [
  ["search_products", { price_min: "ten" }, `\`price_min\` must be ${decimal}.`],
  ["search_products", { price_max: " " }, `\`price_max\` must be ${decimal}.`],
  ["search_products", { brand: " \t" }, "`brand` must not be blank: omit it to match any value."],
  ["search_products", { price_max: "-1" }, `\`price_max\` must be ${decimal}.`],
  ["search_products", { price_max: 10 }, "`price_max` must be string."],
  [
    "get_shipping_options",
    { country_code: "DEU" },
    "`country_code` must be two letters such as DE.",
  ],
  [
    "check_availability",
    { product_ids: [], variant_ids: ["90001"] },
    "`variant_ids.0` must be the id of a variant such as 4711.90001.",
  ],
  [
    "create_checkout_link",
    { items: [{ product_id: 1, variant_id: "red" }] },
    "`items.0.variant_id` must be an id such as 4711.90001 or 90001.",
  ],
  ["get_product", {}, "`product_id` is required."],
  [
    "get_policies",
    { topic: "?" },
    "`topic` must be one of returns, shipping, payment, terms, privacy, contact.",
  ],
];

test("an error message states what the argument must be", async ({ agent }) => {
  for (const [tool, args, remedy] of remedies) {
    const { structuredContent } = await agent.call<Refusal>(tool, args);
    assert.is(structuredContent.message, remedy, `${tool} ${JSON.stringify(args)}`);
  }
});

/** Collects the patterns of a schema. */
const patternsIn = (schema: unknown): readonly string[] =>
  schema === null || typeof schema !== "object"
    ? []
    : Object.entries(schema).flatMap(([key, value]) =>
        // A branch of a choice shares the words of the choice.
        key === "anyOf" ? [] : key === "pattern" ? [String(value)] : patternsIn(value),
      );

test("the messages cover every pattern of an argument", () => {
  const patterns = toolNames.flatMap((name) => patternsIn(readDefinition(name).inputSchema));
  assert.equal([...new Set(patterns)].sort(), [
    "^[0-9]{1,15}(\\.[0-9]{1,6})?$",
    "^[1-9][0-9]{0,15}\\.[1-9][0-9]{0,15}$",
    "^[A-Za-z]{2}$",
  ]);
});

test("a query of 200 characters of any script is accepted", async ({ agent }) => {
  for (const letter of ["x", "\u{1f600}"]) {
    assert.not.ok((await agent.call("search_products", { query: letter.repeat(200) })).isError);
  }
});

const hidden = { time: "2026-10-02T08:00:00Z" };

test("hidden prices are null in every answer, and do not determine a sort", async ({
  service,
  agent,
}) => {
  const settings = { pricesVisible: false, checkoutLink: { preset: "shopify" as const } };
  const threshold = { amount: "50.00", currency: "EUR" };
  service.apply(settingsUpdated({ ...settings, freeShippingThreshold: threshold }, hidden));
  const answers = [
    await agent.call("search_products", { sort: "name" }),
    await agent.call("get_product", { product_id: 1 }),
    await agent.call("check_availability", { product_ids: [1] }),
    await agent.call("get_shipping_options", { country_code: "DE" }),
    await agent.call("create_checkout_link", { items: [{ product_id: 1 }] }),
  ];
  for (const answer of answers) {
    assert.not.ok(answer.isError);
    assert.not.match(JSON.stringify(answer), /EUR|amount|12\.90/);
  }
  assert.is(answers[4]?.structuredContent.url, "https://shop.example/cart/1:1");
  assert.is(answers[4]?.structuredContent.subtotal, null);
  const { structuredContent } = await agent.call<Refusal>("search_products", { sort: "price_asc" });
  assert.equal([structuredContent.code, structuredContent.field], ["UNAVAILABLE", ["sort"]]);
});

test("a category with products only in its subcategories counts as stocked and stays in the tree", async ({
  service,
  agent,
}) => {
  service.apply(
    categoryUpserted({ id: 10, name: "A" }),
    categoryUpserted({ id: 11, name: "B", parentId: 10 }),
    categoryUpserted({ id: 12, name: "C", parentId: 11 }),
    categoryUpserted({ id: 13, name: "D", parentId: 11 }),
    productUpserted({ id: 50, categoryIds: [12] }),
  );
  const answer = await agent.call("list_categories", { only_stocked: true });
  const results = answer.content[0]?.text.match(/id \d+/g);
  assert.equal(results, ["id 10", "id 11", "id 12", "id 1", "id 2"]);
  const shallow = await agent.call("list_categories", { only_stocked: true, max_depth: 1 });
  assert.equal(shallow.content[0]?.text.match(/id \d+/g), ["id 10", "id 1"]);
});

test("create_checkout_link is UNAVAILABLE in a shop without checkout links", async ({
  service,
  agent,
}) => {
  service.apply(settingsUpdated({ checkoutLink: null }, hidden));
  const items = [{ product_id: 1 }];
  const { structuredContent } = await agent.call<Refusal>("create_checkout_link", { items });
  assert.equal([structuredContent.code, structuredContent.field], ["UNAVAILABLE", []]);
});

test("a shop without events gives empty results that match the schemas", async () => {
  const service = await openTestServer();
  const agent = await agentOf(service);
  const results = [
    await agent.call("search_products", {}),
    await agent.call("list_categories"),
    await agent.call("check_availability", { product_ids: [1] }),
    await agent.call("get_shipping_options", { country_code: "DE" }),
    await agent.call("get_policies", {}),
  ];
  assert.equal(
    results.map(({ isError, content }) => [isError, Boolean(content[0]?.text)]),
    results.map(() => [undefined, true]),
  );
  await service.close();
});

test("a subtotal is exact, and null when it cannot be calculated", async ({ service, agent }) => {
  const product = (id: number, amount: string | null, currency = "EUR") =>
    productUpserted({ id, price: amount === null ? null : { amount, currency } });
  service.apply(
    product(11, "0.1"),
    product(12, "0.2"),
    product(13, "999999999999.999999"),
    product(14, "7"),
    product(15, "1.00", "USD"),
    product(16, null),
    ...[11, 12, 13, 14, 15, 16].map((productId) => stockChanged({ productId })),
  );
  const subtotal = async (...items: readonly (readonly [number, number])[]) => {
    const { structuredContent } = await agent.call<{ subtotal: unknown }>("create_checkout_link", {
      items: items.map(([product_id, quantity]) => ({ product_id, quantity })),
    });
    return structuredContent.subtotal;
  };
  assert.equal(await subtotal([11, 1], [12, 1]), { amount: "0.3", currency: "EUR" });
  assert.equal(await subtotal([13, 999]), { amount: "998999999999999.999001", currency: "EUR" });
  assert.equal(await subtotal([14, 3]), { amount: "21", currency: "EUR" });
  assert.equal(await subtotal([14, 1], [11, 1]), { amount: "7.1", currency: "EUR" });
  assert.is(await subtotal([14, 1], [15, 1]), null);
  assert.is(await subtotal([14, 1], [16, 1]), null);
});

test.run();

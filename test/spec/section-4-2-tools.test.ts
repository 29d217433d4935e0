import { suite } from "uvu";
import * as assert from "uvu/assert";
import { carrierUpserted, pageUpserted, settingsUpdated } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { type Agent, agentOf, type RpcAnswer, toolNames } from "../mcp/calls.ts";
import { goodArguments, smallShop } from "../mcp/shop.ts";
import { links } from "../surfaces/markdown/structure.ts";

const test = suite<{ service: TestServer; agent: Agent }>("§4.2 tool endpoint");

test.before(async (context) => {
  context.service = await openTestServer();
  context.service.apply(...smallShop());
  context.agent = await agentOf(context.service);
});
test.after(({ service }) => service.close());

const listing = { jsonrpc: "2.0", id: 1, method: "tools/list" };

for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
  test(`§4.2 ${method} is 405, with Allow: POST`, async ({ agent }) => {
    const response = await agent.send(undefined, {}, method);
    assert.is(response.status, 405);
    assert.is(response.headers.get("allow"), "POST");
  });
}

test("§4.2 a call without a bearer token, or with a wrong one, is 401", async ({ service }) => {
  for (const authorization of [undefined, "Bearer wrong", "Basic dTpw"]) {
    const response = await service.request("/agent/mcp", {
      method: "POST",
      headers: { "content-type": "application/json", ...(authorization && { authorization }) },
      body: JSON.stringify(listing),
    });
    assert.is(response.status, 401);
    assert.match(
      response.headers.get("www-authenticate") ?? "",
      /^Bearer resource_metadata="https:/,
    );
  }
});

test("§4.2 any Content-Type but application/json is 415", async ({ agent }) => {
  for (const type of ["text/plain", "application/x-www-form-urlencoded", ""]) {
    assert.is((await agent.send(JSON.stringify(listing), { "content-type": type })).status, 415);
  }
});

test("§4.2 the response is JSON-RPC 2.0 as application/json, whatever Accept says", async ({
  agent,
}) => {
  for (const accept of ["*/*", "application/json", "text/event-stream", "text/html", ""]) {
    const response = await agent.send(listing, { accept });
    assert.is(response.status, 200);
    assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
    const { jsonrpc, id, result } = (await response.json()) as RpcAnswer;
    assert.equal([jsonrpc, id, typeof result], ["2.0", 1, "object"]);
  }
});

interface Listed {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: string; readonly properties: object };
  readonly outputSchema: { readonly type: string };
  readonly annotations: Readonly<Record<string, unknown>>;
}

const tools = async (agent: Agent): Promise<readonly Listed[]> =>
  (await agent.rpc<{ tools: Listed[] }>("tools/list")).result.tools;

test("§4.2 tools/list lists the seven tools", async ({ agent }) => {
  const listed = await tools(agent);
  assert.equal(
    listed.map(({ name }) => name),
    [...toolNames],
  );
  for (const { title, description, inputSchema, outputSchema } of listed) {
    assert.ok(title && description);
    assert.equal([inputSchema.type, outputSchema.type], ["object", "object"]);
  }
});

test("§4.2 every tool is annotated as read-only", async ({ agent }) => {
  for (const { annotations } of await tools(agent)) {
    assert.is(annotations.readOnlyHint, true);
    assert.is(annotations.openWorldHint, false);
  }
});

/** The table of §4.2; later additions follow it. */
const parameters: Readonly<Record<(typeof toolNames)[number], readonly string[]>> = {
  search_products: ["query", "category_id", "in_stock_only", "sort", "limit", "offset"],
  get_product: ["product_id"],
  list_categories: ["max_depth", "only_stocked"],
  check_availability: ["product_ids"],
  get_shipping_options: ["country_code"],
  get_policies: ["topic"],
  create_checkout_link: ["items"],
};

const additions: Readonly<Record<string, readonly string[]>> = {
  search_products: [
    ...["brand", "price_min", "price_max", "reference", "gtin", "url"],
    ...["match_all", "with_facets", "mpn", "options", "attributes"],
    ...["on_sale", "condition", "stock_status", "min_rating"],
  ],
  get_product: ["variant_limit", "variant_offset"],
  check_availability: ["variant_ids"],
  list_categories: ["parent_id", "depth"],
};

for (const name of toolNames) {
  test(`§4.2 ${name} takes ${parameters[name].join(", ")}`, async ({ agent }) => {
    const tool = (await tools(agent)).find((one) => one.name === name);
    const reported = Object.keys(tool?.inputSchema.properties ?? {});
    assert.equal(reported.slice(0, parameters[name].length), parameters[name]);
    assert.equal(reported.slice(parameters[name].length), additions[name] ?? []);
  });

  test(`§4.2 ${name} returns results of its output schema, the same for the same arguments`, async ({
    agent,
  }) => {
    const first = await agent.call(name, goodArguments[name]);
    assert.not.ok(first.isError, JSON.stringify(first));
    assert.ok(first.content[0]?.text);
    assert.equal(await agent.call(name, goodArguments[name]), first);
  });
}

interface Product {
  readonly id: number;
  readonly name: string;
  readonly availability: string;
}

test("§2 tools/call of search_products carries result.structuredContent.products", async ({
  agent,
}) => {
  const { result } = await agent.rpc<{ structuredContent: { products: Product[] } }>("tools/call", {
    name: "search_products",
    arguments: { query: "mug" },
  });
  assert.equal(result.structuredContent.products[0], {
    id: 1,
    name: "Blue mug",
    price: { amount: "12.90", currency: "EUR" },
    availability: "IN_STOCK",
    url: "https://shop.example/products/1",
  });
});

test("§4.2 search_products filters by keyword, category and stock, and sorts", async ({
  agent,
}) => {
  const found = async (args: object) =>
    (
      await agent.call<{ products: Product[] }>("search_products", args)
    ).structuredContent.products.map(({ id }) => id);
  assert.equal(await found({}), [1, 2, 3]);
  assert.equal(await found({ query: "mug" }), [1, 2]);
  assert.equal(await found({ category_id: 1 }), [1, 2, 3]);
  assert.equal(await found({ category_id: "2" }), [1, 2]);
  assert.equal(await found({ in_stock_only: true }), [1, 2]);
  assert.equal(await found({ sort: "price_asc" }), [2, 1, 3]);
  assert.equal(await found({ sort: "price_desc" }), [3, 1, 2]);
  assert.equal(await found({ sort: "name" }), [1, 3, 2]);
  assert.equal(await found({ limit: 1, offset: 1 }), [2]);
});

test("§4.2 search_products returns pages with an exact total", async ({ agent }) => {
  const page = async (args: object) => {
    const { structuredContent } = await agent.call<Record<string, unknown>>(
      "search_products",
      args,
    );
    const { total, limit, offset, has_more } = structuredContent;
    return { total, limit, offset, has_more };
  };
  assert.equal(await page({}), { total: 3, limit: 20, offset: 0, has_more: false });
  assert.equal(await page({ limit: 2 }), { total: 3, limit: 2, offset: 0, has_more: true });
  assert.equal(await page({ offset: 10_000 }), {
    total: 3,
    limit: 20,
    offset: 10_000,
    has_more: false,
  });
});

test("§4.2 get_product returns every fact of the product page", async ({ agent }) => {
  const { structuredContent } = await agent.call("get_product", { product_id: "1" });
  assert.equal(structuredContent, {
    product: {
      id: 1,
      name: "Blue mug",
      description: "What product 1 is.",
      url: "https://shop.example/products/1",
      markdown_url: "https://agents.shop.example/products/1.md",
      reference: "SKU-1",
      gtin: "4006381333931",
      brand: "Acme",
      price: { amount: "12.90", currency: "EUR" },
      availability: "IN_STOCK",
      updated_at: "2026-10-01T08:00:00.000Z",
      specifications: [{ name: "Capacity", value: "0.3 l" }],
      categories: [{ id: 2, name: "Mugs", url: "https://shop.example/categories/2" }],
      images: [{ url: "https://shop.example/1.jpg", alt: "A blue mug" }],
    },
  });
});

test("§4.2 list_categories returns a tree with current counts, limited by depth and by stock", async ({
  agent,
}) => {
  const category = (
    id: number,
    name: string,
    depth: number,
    parent: number | null,
    count: number,
  ) => ({
    id,
    name,
    url: `https://shop.example/categories/${id}`,
    depth,
    parent_id: parent,
    product_count: count,
  });
  const mugs = { ...category(2, "Mugs", 2, 1, 2), children: [] };
  const kitchen = category(1, "Kitchen", 1, null, 1);
  const empty = { ...category(3, "Empty", 1, null, 0), children: [] };
  const tree = async (args: object) =>
    (await agent.call<{ categories: unknown }>("list_categories", args)).structuredContent
      .categories;
  assert.equal(await tree({}), [empty, { ...kitchen, children: [mugs] }]);
  assert.equal(await tree({ only_stocked: true }), [{ ...kitchen, children: [mugs] }]);
  assert.equal(await tree({ max_depth: 1 }), [empty, { ...kitchen, children: [] }]);
});

test("contract §5 list_categories returns the levels below one category", async ({ agent }) => {
  const list = (args: object) => agent.call<{ categories: Branch[] }>("list_categories", args);
  const ids = async (args: object) =>
    (await list(args)).structuredContent.categories.map(({ id, children }) => [
      id,
      children.map((child) => child.id),
    ]);
  assert.equal(await ids({ depth: 1 }), [
    [3, []],
    [1, []],
  ]);
  assert.equal(await ids({ parent_id: 1 }), [[2, []]]);
  assert.equal(await ids({ parent_id: "1", depth: 1 }), [[2, []]]);
  assert.equal(await ids({ parent_id: 1, max_depth: 1 }), []);
  assert.equal(await ids({ parent_id: 2 }), []);
  assert.match((await list({ parent_id: 1 })).content[0]?.text ?? "", /^- Mugs \(id 2\)/);
  const unknown = await agent.call<Refusal>("list_categories", { parent_id: 99 });
  assert.ok(unknown.isError);
  const { code, field, message } = unknown.structuredContent;
  assert.equal([code, field, message], ["NOT_FOUND", ["parent_id"], "No category has the id 99."]);
});

interface Refusal {
  readonly code: string;
  readonly field: readonly string[];
  readonly message: string;
}

interface Branch {
  readonly id: number;
  readonly children: readonly Branch[];
}

test("§4.2 check_availability returns stock and price, merges repeated ids and lists unknown ids", async ({
  agent,
}) => {
  const { structuredContent } = await agent.call("check_availability", {
    product_ids: [3, 1, "1", 99, "99"],
  });
  const asOf = "2026-10-01T08:00:00.000Z";
  assert.equal(structuredContent, {
    products: [
      {
        id: 3,
        availability: "OUT_OF_STOCK",
        price: { amount: "100.00", currency: "EUR" },
        url: "https://shop.example/products/3",
        as_of: asOf,
      },
      {
        id: 1,
        availability: "IN_STOCK",
        price: { amount: "12.90", currency: "EUR" },
        url: "https://shop.example/products/1",
        as_of: asOf,
      },
    ],
    not_found: [99],
  });
});

test("contract §8 get_policies returns texts as their pages have them: absolute links, no HTML, no scripts", async () => {
  const service = await openTestServer();
  const agent = await agentOf(service);
  const contentHtml =
    '<h1>Returns</h1><p><a href="/form">The form</a>, &lt;b&gt; <code>&lt;i&gt;</code> [x](javascript:x)</p>';
  const url = "https://shop.example/pages/returns";
  service.apply(pageUpserted({ id: 5, policy: "returns", url, contentHtml }));
  type Policies = { readonly policies: readonly { readonly text: string }[] };
  const reported = await agent.call<Policies>("get_policies", { topic: "returns" });
  const { text = "" } = reported.structuredContent.policies[0] ?? {};
  assert.equal(links(text), ["https://shop.example/form"]);
  assert.match(await (await service.get("/pages/returns.md")).text(), `## Content\n\n${text}\n`);
  assert.match(reported.content[0]?.text ?? "", text.replace(/^/gm, "> "));
  await service.close();
});

test("§4.2 get_policies copies stored texts, so that long base URLs of their links leave out none", async () => {
  const service = await openTestServer();
  const agent = await agentOf(service);
  const url = (id: number) => `https://shop.example/${"a".repeat(1_900)}/${id}`;
  const numbers = Array.from({ length: 500 }, (_, at) => at);
  const contentHtml = numbers.map((number) => `<a href="tel:${number}">x</a>`).join("");
  service.apply(
    ...Array.from({ length: 100 }, (_, at) =>
      pageUpserted({ id: at + 1, policy: "terms", url: url(at + 1), contentHtml }),
    ),
  );
  const { structuredContent } = await agent.call("get_policies", { topic: "terms" });
  const { policies } = structuredContent as { policies: { text?: string }[] };
  assert.is(policies.length, 100);
  for (const { text } of policies)
    assert.is(text, numbers.map((number) => `[x](tel:${number})`).join(""));
  await service.close();
});

test("§4.2 get_policies returns as many full texts as a client can read, and the URLs of the others", async () => {
  const service = await openTestServer();
  const agent = await agentOf(service);
  const contentHtml = `<p>${"Goods may be sent back. ".repeat(10_000)}</p>`;
  service.apply(
    ...Array.from({ length: 600 }, (_, at) =>
      pageUpserted({ id: at + 1, policy: "terms", contentHtml: at < 8 ? contentHtml : "<p>x</p>" }),
    ),
  );
  const { structuredContent, content } = await agent.call("get_policies", { topic: "terms" });
  const { policies } = structuredContent as { policies: { text?: string; url: string }[] };
  assert.is(policies.length, 500);
  const texts = policies.flatMap(({ text }) => text ?? []);
  assert.ok(texts.length > 1 && texts.length < 8, `${texts.length}`);
  assert.ok(policies.every(({ url }) => url !== ""));
  assert.match(JSON.stringify(content), "100 more are not listed");
  await service.close();
});

test("§4.2 check_availability names no id that was not requested", async ({ agent }) => {
  const great = await agent.call("check_availability", { product_ids: ["9007199254740993"] });
  assert.is(great.isError, true);
  assert.match(JSON.stringify(great.structuredContent), "INVALID_ARGUMENT");
  const greatest = await agent.call("check_availability", {
    product_ids: ["9007199254740991", 9_007_199_254_740_991],
  });
  assert.equal(greatest.structuredContent, { products: [], not_found: [9_007_199_254_740_991] });
});

test("§8 check_availability takes up to 50 ids", async ({ agent }) => {
  const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  assert.not.ok((await agent.call("check_availability", { product_ids: ids(50) })).isError);
  const { isError, structuredContent } = await agent.call("check_availability", {
    product_ids: ids(51),
  });
  assert.is(isError, true);
  assert.equal(structuredContent.field, ["product_ids"]);
});

test("§4.2 get_shipping_options returns carriers of the country and of all countries", async ({
  agent,
}) => {
  const anywhere = {
    carrier: "Carrier 2",
    price: { min: "20.00", max: "20.00", currency: "EUR" },
    delivery_days: { min: 1, max: 3 },
  };
  const local = {
    ...anywhere,
    carrier: "Carrier 1",
    price: { min: "4.90", max: "9.90", currency: "EUR" },
  };
  const reported = async (code: string) =>
    (await agent.call("get_shipping_options", { country_code: code })).structuredContent;
  const rest = { free_shipping_threshold: { amount: "50.00", currency: "EUR" }, binding: false };
  assert.equal(await reported("de"), { country_code: "DE", options: [local, anywhere], ...rest });
  assert.equal(await reported("FR"), { country_code: "FR", options: [anywhere], ...rest });
});

test("contract §5: get_shipping_options accepts country aliases and answers with ISO codes", async () => {
  const service = await openTestServer();
  const agent = await agentOf(service);
  service.apply(
    settingsUpdated(),
    carrierUpserted({ id: 3, name: "Royal Post", countries: ["GB"] }),
    carrierUpserted({ id: 4, name: "Hellenic Post", countries: ["GR"] }),
  );
  for (const [code, country, carrier] of [
    ["UK", "GB", "Royal Post"],
    ["uk", "GB", "Royal Post"],
    ["EL", "GR", "Hellenic Post"],
    ["GR", "GR", "Hellenic Post"],
  ] as const) {
    const { structuredContent, content } = await agent.call<{
      country_code: string;
      options: { carrier: string }[];
    }>("get_shipping_options", { country_code: code });
    assert.is(structuredContent.country_code, country, code);
    assert.ok(structuredContent.options.some((option) => option.carrier === carrier));
    assert.match(content[0]?.text ?? "", `Shipping to ${country} `);
  }
  await service.close();
});

test("contract §5: get_shipping_options names no free shipping without a carrier, and rejects other texts", async () => {
  const service = await openTestServer();
  const agent = await agentOf(service);
  const freeShippingThreshold = { amount: "50.00", currency: "EUR" };
  service.apply(settingsUpdated({ freeShippingThreshold }), carrierUpserted({ countries: ["DE"] }));
  const ask = (code: string) => agent.call("get_shipping_options", { country_code: code });
  assert.match((await ask("DE")).content[0]?.text ?? "", "Free shipping from 50.00 EUR.");
  const nowhere = await ask("FR");
  assert.is(nowhere.content[0]?.text, "The shop names no carrier for FR.");
  assert.equal(nowhere.structuredContent, {
    country_code: "FR",
    options: [],
    free_shipping_threshold: null,
    binding: false,
  });
  const { isError, structuredContent, content } = await ask("zz");
  assert.is(isError, true);
  const message =
    "`country_code` must be the ISO 3166-1 alpha-2 code of a country, such as DE: ZZ is not one.";
  assert.equal(structuredContent, { code: "INVALID_ARGUMENT", field: ["country_code"], message });
  assert.is(content[0]?.text, `INVALID_ARGUMENT (country_code): ${message}`);
  await service.close();
});

test("§4.2 get_policies lists pages; with a topic it returns their full text", async ({
  agent,
}) => {
  const returns = {
    id: 1,
    title: "Page 1",
    url: "https://shop.example/pages/1",
    topic: "returns",
    summary: "Thirty days.",
  };
  const reported = async (args: object) =>
    (await agent.call<{ policies: unknown[] }>("get_policies", args)).structuredContent.policies;
  const all = await reported({});
  assert.is(all.length, 2);
  assert.equal(all[0], returns);
  assert.equal(await reported({ topic: "returns" }), [
    { ...returns, text: "Thirty days.\n\nUnused." },
  ]);
  assert.equal(await reported({ topic: "terms" }), []);
});

test("§4.2 create_checkout_link builds a link and stores nothing", async ({ agent }) => {
  const items = [{ product_id: 1, quantity: 2 }, { product_id: "2" }, { product_id: 1 }];
  const { structuredContent } = await agent.call("create_checkout_link", { items });
  assert.equal(structuredContent, {
    url: "https://shop.example/cart/1:3,2:1",
    items: [
      { product_id: 1, quantity: 3, name: "Blue mug", price: { amount: "12.90", currency: "EUR" } },
      { product_id: 2, quantity: 1, name: "Red mug", price: { amount: "9.5", currency: "EUR" } },
    ],
    subtotal: { amount: "48.20", currency: "EUR" },
  });
});

test("§4.2 create_checkout_link names the item that is unknown or out of stock", async ({
  agent,
}) => {
  const refused = async (id: number) =>
    (await agent.call("create_checkout_link", { items: [{ product_id: 1 }, { product_id: id }] }))
      .structuredContent;
  const field = ["items", "1", "product_id"];
  assert.equal(await refused(99), {
    code: "NOT_FOUND",
    field,
    message: "No product has the id 99.",
  });
  assert.equal(await refused(3), {
    code: "UNAVAILABLE",
    field,
    message: "Kettle (id 3) is out of stock.",
  });
});

test.run();

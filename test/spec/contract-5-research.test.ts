import { Ajv2020 } from "ajv/dist/2020.js";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { tokenFor } from "../helpers/access.ts";
import {
  categoryUpserted,
  pageUpserted,
  productUpserted,
  settingsUpdated,
  stockChanged,
} from "../helpers/events.ts";
import { baseUrl, openTestServer, type TestServer } from "../helpers/test-server.ts";

const test = suite<{ service: TestServer }>("contract §5 research tools");

test.before(async (context) => {
  context.service = await openTestServer();
  context.service.apply(
    settingsUpdated(),
    categoryUpserted({ id: 7, name: "Winter boots" }),
    productUpserted({ id: 1, name: "Leather boots", brand: "Acme", categoryIds: [7] }),
    productUpserted({ id: 2, name: "Boots of suede", active: false }),
    pageUpserted({ id: 3, title: "Returns of boots", policy: "returns" }),
    pageUpserted({ id: 4, title: "Boots draft", published: false }),
  );
});
test.after(({ service }) => service.close());

const path = "/agent/mcp/research";

const send = (service: TestServer, body: object, headers = {}): Promise<Response> =>
  service.request(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }),
  });

const authorization = `Bearer ${tokenFor("research")}`;

interface Called {
  readonly isError?: true;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent: {
    readonly results?: readonly {
      readonly id: string;
      readonly title: string;
      readonly url: string;
    }[];
    readonly [member: string]: unknown;
  };
}

const call = async (service: TestServer, name: string, args: object): Promise<Called> => {
  const params = { name, arguments: args };
  const response = await send(service, { method: "tools/call", params }, { authorization });
  assert.is(response.status, 200);
  return ((await response.json()) as { result: Called }).result;
};

interface Listed {
  readonly name: string;
  readonly outputSchema: object;
  readonly annotations: { readonly readOnlyHint: boolean };
}

const list = async (service: TestServer): Promise<readonly Listed[]> => {
  const response = await send(service, { method: "tools/list" }, { authorization });
  return ((await response.json()) as { result: { tools: readonly Listed[] } }).result.tools;
};

test("contract §5 the endpoint offers exactly search and fetch, which only read", async ({
  service,
}) => {
  const tools = await list(service);
  assert.equal(
    tools.map(({ name, annotations }) => [name, annotations.readOnlyHint]),
    [
      ["search", true],
      ["fetch", true],
    ],
  );
});

test("contract §5 search finds products, categories and published pages, each with a URL to cite", async ({
  service,
}) => {
  const { structuredContent } = await call(service, "search", { query: "boots" });
  assert.equal(structuredContent.results, [
    { id: "page:3", title: "Returns of boots", url: "https://shop.example/pages/3" },
    { id: "category:7", title: "Winter boots", url: "https://shop.example/categories/7" },
    { id: "product:1", title: "Leather boots", url: "https://shop.example/products/1" },
  ]);
});

test("contract §5 pages that have some of the words come after the products", async ({
  service,
}) => {
  const { structuredContent } = await call(service, "search", { query: "leather boots" });
  const ids = structuredContent.results?.map(({ id }) => id);
  assert.equal(ids, ["product:1", "page:3", "category:7"]);
  const nothing = await call(service, "search", { query: "xyzzy" });
  assert.equal(nothing.structuredContent, { results: [] });
});

test("contract §5 pages come before products that have other words than the query", async ({
  service,
}) => {
  const idsOf = async (query: string) =>
    (await call(service, "search", { query })).structuredContent.results?.map(({ id }) => id);
  assert.equal(await idsOf("returns leathr"), ["page:3", "product:1"]);
  assert.equal(await idsOf("returns leather"), ["page:3", "product:1"]);
});

test("contract §5 fetch returns the Markdown page of each result", async ({ service }) => {
  const { structuredContent } = await call(service, "search", { query: "boots" });
  for (const { id, title, url } of structuredContent.results ?? []) {
    const fetched = (await call(service, "fetch", { id })).structuredContent;
    assert.equal([fetched.id, fetched.title, fetched.url], [id, title, url]);
    const page = await service.get(`${new URL(url).pathname}.md`);
    assert.is(fetched.text, await page.text());
  }
});

test("contract §5 metadata has the facts of a document as texts", async ({ service }) => {
  const metadata = async (id: string) =>
    (await call(service, "fetch", { id })).structuredContent.metadata;
  const updated = "2026-10-01T08:00:00.000Z";
  assert.equal(await metadata("product:1"), {
    ...{
      type: "product",
      price: "12.90 EUR",
      availability: "out of stock",
      brand: "Acme",
      updated,
    },
  });
  assert.equal(await metadata("category:7"), { type: "category", products: "1" });
  assert.equal(await metadata("page:3"), { type: "page", policy: "returns", updated });
});

test("contract §5 fetch shows no price while the shop hides its prices", async () => {
  const hiding = await openTestServer();
  hiding.apply(settingsUpdated({ pricesVisible: false }), productUpserted({ id: 1, name: "Cup" }));
  const { structuredContent } = await call(hiding, "fetch", { id: "product:1" });
  assert.not.match(JSON.stringify(structuredContent), "12.90");
  assert.not.ok("price" in (structuredContent.metadata as object));
  await hiding.close();
});

test("Contract 5, text: 2 metadata of a product have the lowest of its prices and the words of its stock", async () => {
  const shop = await openTestServer();
  try {
    const variant = (id: number, amount: string) => ({
      ...{ id, name: `V${id}`, price: { amount, currency: "EUR" } },
    });
    shop.apply(
      settingsUpdated(),
      productUpserted({
        id: 1,
        name: "Tent",
        variants: [variant(1, "95.00"), variant(2, "84.00")],
      }),
      productUpserted({ id: 2, name: "Bag", listPrice: { amount: "20.00", currency: "EUR" } }),
      stockChanged({ productId: 2, availability: "preorder", availabilityDate: "2099-01-15" }),
    );
    const metadata = async (id: string) =>
      (await call(shop, "fetch", { id })).structuredContent.metadata as Record<string, string>;
    assert.is((await metadata("product:1")).price, "from 84.00 EUR");
    const { price, availability } = await metadata("product:2");
    assert.equal([price, availability], ["12.90 EUR", "preorder, ships from 2099-01-15"]);
  } finally {
    await shop.close();
  }
});

const sections = (count: number, text: string) =>
  Array.from({ length: count }, (_, at) => `<h2>Part ${at}</h2><p>${text}</p>`).join("");

for (const [what, contentHtml] of [
  ["of plain words", sections(30, "Some words. ".repeat(400))],
  ["of quotation marks, which JSON escapes", sections(30, '"""" '.repeat(1_000))],
] as const) {
  test(`Contract 5, text: 4 fetch cuts a long page ${what} before a heading, with its address`, async () => {
    const shop = await openTestServer();
    try {
      shop.apply(settingsUpdated(), pageUpserted({ id: 1, contentHtml }));
      const { content, structuredContent } = await call(shop, "fetch", { id: "page:1" });
      const text = content[0]?.text ?? "";
      assert.ok(text.length <= 80_000 && text.length > 20_000, `${text.length}`);
      const { text: shown, ...others } = JSON.parse(text) as { text: string };
      const { text: full, ...same } = structuredContent;
      assert.equal(others, same);
      const [cut = "", rest] = shown.split("\n\nThe page is longer: ");
      assert.is(rest, `${baseUrl}/pages/1.md`);
      assert.ok(String(full).startsWith(cut));
      assert.match(String(full).slice(cut.length), /^\n+#+ Part/);
    } finally {
      await shop.close();
    }
  });
}

test("contract §5 the text is the same JSON, and conforms to the output schema", async ({
  service,
}) => {
  const tools = await list(service);
  const validate = (name: string, value: unknown): void => {
    const schema = tools.find((tool) => tool.name === name)?.outputSchema ?? {};
    assert.ok(new Ajv2020().compile(schema)(value), JSON.stringify(value));
  };
  for (const [name, args] of [
    ["search", { query: "boots" }],
    ["fetch", { id: "product:1" }],
  ] as const) {
    const { content, structuredContent } = await call(service, name, args);
    assert.equal(JSON.parse(content[0]?.text ?? ""), structuredContent);
    validate(name, structuredContent);
  }
  validate("fetch", (await call(service, "fetch", { id: "product:9" })).structuredContent);
});

const errors: readonly (readonly [tool: string, args: object, code: string])[] = [
  ["search", {}, "INVALID_ARGUMENT"],
  ["search", { query: "  " }, "INVALID_ARGUMENT"],
  ["search", { query: "a".repeat(201) }, "INVALID_ARGUMENT"],
  ["search", { query: "a", limit: 3 }, "INVALID_ARGUMENT"],
  ["fetch", { id: "1" }, "INVALID_ARGUMENT"],
  ["fetch", { id: "product:0" }, "INVALID_ARGUMENT"],
  ["fetch", { id: "order:1" }, "INVALID_ARGUMENT"],
  ["fetch", { id: "product:9007199254740993" }, "INVALID_ARGUMENT"],
  ["fetch", { id: "product:9" }, "NOT_FOUND"],
  ["fetch", { id: "product:2" }, "NOT_FOUND"],
  ["fetch", { id: "page:4" }, "NOT_FOUND"],
  ["fetch", { id: "category:8" }, "NOT_FOUND"],
];
for (const [name, args, code] of errors) {
  test(`contract §5 ${name} with ${JSON.stringify(args).slice(0, 60)} is ${code}`, async ({
    service,
  }) => {
    const { isError, structuredContent } = await call(service, name, args);
    assert.equal([isError, structuredContent.code], [true, code]);
  });
}

test("contract §5 the access is that of the tools, and a 401 names its own resource", async ({
  service,
}) => {
  const rejected = await send(service, { method: "tools/list" });
  assert.is(rejected.status, 401);
  const metadata = `${baseUrl}/.well-known/oauth-protected-resource${path}`;
  assert.match(rejected.headers.get("www-authenticate") ?? "", `resource_metadata="${metadata}"`);
  const resource = await (await service.get(new URL(metadata).pathname)).json();
  assert.is((resource as { resource: string }).resource, `${baseUrl}${path}`);
  assert.is((await service.get(path)).status, 405);
  const origin = "https://other.example";
  assert.is((await send(service, { method: "tools/list" }, { authorization, origin })).status, 403);
  const open = await openTestServer({ toolsAccess: "open" });
  open.apply(settingsUpdated());
  assert.is((await send(open, { method: "tools/list" }, { origin })).status, 200);
  await open.close();
});

test("contract §5 the seven tools do not include search and fetch", async ({ service }) => {
  const response = await service.request("/agent/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", authorization },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  const { result } = (await response.json()) as { result: { tools: readonly { name: string }[] } };
  const names = result.tools.map(({ name }) => name);
  assert.is(names.length, 7);
  assert.not.ok(names.includes("search") || names.includes("fetch"));
});

test.run();

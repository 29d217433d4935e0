import { suite } from "uvu";
import * as assert from "uvu/assert";
import { ucpPath, ucpProfilePath, ucpVersions } from "../../src/surfaces/ucp/version.ts";
import { productUpserted, robotsUpdated, settingsUpdated } from "../helpers/events.ts";
import { baseUrl, openTestServer, type TestServer } from "../helpers/test-server.ts";
import { shopWith } from "./contract-11-feed.ts";
import {
  agentProfile,
  askUcp,
  assertForm,
  callUcp,
  noon,
  postUcp,
  type UcpBody,
  ucpShop,
} from "./contract-12-ucp.ts";
import { euros } from "./goods/situations.ts";

const test = suite("Contract 12, UCP");

const atNoon = { now: () => noon };
const withShop = shopWith(ucpShop);

const idsOf = ({ products }: UcpBody) => products.map(({ id }) => id);
const variantsOf = (body: UcpBody) =>
  (body.product ?? body.products[0]).variants.map(({ id }) => id);
const codesOf = ({ messages = [] }: UcpBody) => messages.map(({ code }) => code);

test("Contract 12, rule 5: the profiles name the versions and the endpoints, and are public for 300 seconds", () =>
  withShop(async (service) => {
    service.apply(robotsUpdated("User-agent: Bad\nDisallow: /\n"));
    for (const version of ucpVersions) {
      const response = await service.get(ucpProfilePath(version));
      const body = (await response.json()) as { ucp: Record<string, unknown> };
      assertForm(version, "profile", body);
      assert.is(response.status, 200);
      assert.is(response.headers.get("cache-control"), "public, max-age=300");
      assert.is(response.headers.get("access-control-allow-origin"), "*");
      assert.is(response.headers.get("ratelimit-limit"), null);
      const text = JSON.stringify(body);
      assert.ok(text.includes(`"endpoint":"${baseUrl}${ucpPath(version)}"`), text);
      assert.ok(text.includes(`"endpoint":"${baseUrl}${ucpPath(version)}/mcp"`), text);
      const etag = response.headers.get("etag") ?? "";
      assert.match(etag, /^"/);
      const again = await service.get(ucpProfilePath(version), { "if-none-match": etag });
      assert.is(again.status, 304);
    }
    const newest = await (await service.get("/.well-known/ucp")).json();
    assert.equal((newest as { ucp: { supported_versions: object } }).ucp.supported_versions, {
      "2026-04-08": `${baseUrl}/ucp/2026-04-08/.well-known/ucp`,
    });
    const head = await service.request("/.well-known/ucp", { method: "HEAD" });
    assert.is(head.status, 200);
  }));

test("Contract 12, rule 5: hidden prices leave no capability, and a service without a model has its profile", async () => {
  const service = await openTestServer({ loaded: false });
  assert.is((await service.get("/.well-known/ucp")).status, 200);
  service.apply(settingsUpdated({ pricesVisible: false }));
  service.load();
  const body = (await (await service.get("/.well-known/ucp")).json()) as {
    ucp: { capabilities: object };
  };
  assert.equal(body.ucp.capabilities, {});
  await service.close();
});

test("Contract 12, rule 6: a search answers the goods, and MCP gives the object of REST", () =>
  withShop(async (service) => {
    const response = await postUcp(service, "search", { query: "jacket" });
    assert.is(response.status, 200);
    assert.is(response.headers.get("cache-control"), "no-store");
    assert.is(response.headers.get("content-language"), "en");
    await response.arrayBuffer();
    const body = await askUcp(service, "search", { query: "rain jacket" });
    assert.equal(body.ucp, {
      version: "2026-08-25",
      capabilities: { "dev.ucp.shopping.catalog.search": [{ version: "2026-08-25" }] },
    });
    const [jacket] = body.products;
    const { description, variants, ...rest } = jacket ?? { description: {}, variants: [] };
    const { plain } = description as { plain: string };
    assert.ok(
      plain.length <= 1_000 && /Dry and warm\.…$|Dry and…$|Dry…$/.test(plain),
      plain.slice(-20),
    );
    assert.equal(rest, {
      id: "1300",
      title: "Rain jacket",
      url: "https://shop.example/products/1300",
      categories: [{ value: "Clothing > Jackets", taxonomy: "merchant" }],
      price_range: {
        min: { amount: 6900, currency: "EUR" },
        max: { amount: 9900, currency: "EUR" },
      },
      list_price_range: {
        min: { amount: 8900, currency: "EUR" },
        max: { amount: 8900, currency: "EUR" },
      },
      media: [{ type: "image", url: "https://shop.example/a.jpg", alt_text: "Front" }],
      options: [
        { name: "Color", values: [{ label: "Red", id: "c1" }, { label: "Blue" }] },
        { name: "Size", values: [{ label: "S" }, { label: "M" }] },
      ],
      rating: { value: 4.3, scale_min: 1, scale_max: 5, count: 87 },
      tags: ["rain"],
    });
    assert.equal(variants[0], {
      id: "1300.2",
      title: "Red / M",
      description: { plain: "Color: Red, Size: M" },
      url: "https://shop.example/products/1300",
      sku: "RED-M",
      price: { amount: 6900, currency: "EUR" },
      list_price: { amount: 8900, currency: "EUR" },
      availability: { available: true, status: "in_stock" },
      options: [
        { name: "Color", label: "Red" },
        { name: "Size", label: "M" },
      ],
    });
    assert.equal(
      variants.map(({ id, barcodes }) => [id, barcodes]),
      [
        ["1300.2", undefined],
        ["1300.1", [{ type: "EAN", value: "4006381333931" }]],
        ["1300.3", undefined],
      ],
    );
  }, atNoon));

test("Contract 12, rule 6: no token is needed, whatever the tools need, and one that is sent is not looked at", () =>
  withShop(async (service) => {
    const headers = { authorization: "Bearer vit_nonsense" };
    assert.is((await postUcp(service, "search", { query: "lamp" }, headers)).status, 200);
    const list = await service.request("/ucp/mcp", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    const { result } = (await list.json()) as { result: { tools: { name: string }[] } };
    assert.equal(
      result.tools.map(({ name }) => name),
      ["search_catalog", "lookup_catalog", "get_product"],
    );
  }));

test("Contract 12, rules 1 to 3: what has no price in minor units is not told, and an amount in another currency is told in its own", () =>
  withShop(async (service) => {
    const body = await askUcp(service, "lookup", { ids: ["1500", "1600", "1700", "1400"] });
    assert.equal(idsOf(body), ["1700", "1400"]);
    assert.equal(body.products[0]?.variants[0]?.price, { amount: 1500, currency: "JPY" });
    assert.equal(body.products[1]?.variants[0]?.price, { amount: 1290, currency: "EUR" });
    assert.equal(
      body.messages?.filter(({ code }) => code === "not_found").map(({ content }) => content),
      ["1500", "1600"],
    );
  }));

test("Contract 12, rule 4: barcodes have a type, and wrong ones are not told", () =>
  withShop(async (service) => {
    const body = await askUcp(service, "lookup", { ids: ["1400", "1300.1", "1300.2"] });
    assert.equal(
      body.products.flatMap(({ variants }) => variants.map(({ barcodes }) => barcodes)),
      [
        [{ type: "UPC", value: "036000291452" }],
        [{ type: "EAN", value: "4006381333931" }],
        undefined,
      ],
    );
  }));

test("Contract 12, rule 7: an agent declares an https address", () =>
  withShop(async (service) => {
    const statusOf = async (header: string) => {
      const response = await postUcp(service, "search", { query: "lamp" }, { "ucp-agent": header });
      const { code } = (await response.json()) as UcpBody;
      return [response.status, code];
    };
    for (const good of [
      'profile="https://a.example/p"',
      'v=1;x="a,b", profile="https://a.example/p";q=1, z=(a "b" 1), flag',
      'profile="http://a.example", profile="https://a.example"',
    ])
      assert.equal(await statusOf(good), [200, undefined], good);
    for (const bad of [
      ...["", "profile", "profile=https://a.example/p", 'profile="http://a.example/p"'],
      ...['profile="/p"', 'profile="https://u:p@a.example/"', 'profile="ftp://a.example/"'],
      ...['profile="https://a.example', 'Profile="https://a.example"', 'profile="javascript:1"'],
      ...['profile="http://127.0.0.1/p"', `profile="https://a.example/${"x".repeat(2_048)}"`],
      ...['profile="https://a.example",', "((((((", `(${"a".repeat(5_000)}`],
    ])
      assert.equal(await statusOf(bad), [400, "invalid_profile_url"], bad);
    const called = await callUcp(service, "search_catalog", { catalog: { query: "lamp" } });
    assert.is(called.status, 400);
    const { error } = (await called.json()) as { error: { code: number; data: { code: string } } };
    assert.equal([error.code, error.data.code], [-32_001, "invalid_profile_url"]);
  }));

test("Contract 12, rule 7: http is good between addresses of loopback", async () => {
  const service = await openTestServer({ at: "http://127.0.0.1:8080" });
  service.apply(...ucpShop());
  for (const [address, status] of [
    ["http://localhost:99/p", 200],
    ["http://[::1]/p", 200],
    ["http://a.example/p", 400],
  ] as const) {
    const headers = { "ucp-agent": `profile="${address}"` };
    assert.is((await postUcp(service, "search", { query: "lamp" }, headers)).status, status);
  }
  await service.close();
});

const refused: Readonly<
  Record<
    string,
    readonly [
      operation: "search" | "lookup" | "product",
      request: object,
      code: string,
      content: RegExp,
    ]
  >
> = {
  "nothing to search": ["search", {}, "invalid_request", /^query: /],
  "no filter to search": ["search", { filters: {} }, "invalid_request", /^query: /],
  "a query that is no text": ["search", { query: 5 }, "invalid_request", /^query: must be a text/],
  "a long query": [
    "search",
    { query: "x".repeat(201) },
    "invalid_request",
    /^query: must be a text of at most 200/,
  ],
  "a limit of 0": [
    "search",
    { query: "x", pagination: { limit: 0 } },
    "invalid_request",
    /^pagination.limit: must be an integer of at least 1/,
  ],
  "a limit that is no integer": [
    "search",
    { query: "x", pagination: { limit: 1.5 } },
    "invalid_request",
    /^pagination.limit: /,
  ],
  "a price that is no integer": [
    "search",
    { filters: { price: { min: 1.5 } } },
    "invalid_request",
    /^filters.price.min: /,
  ],
  "a negative price": [
    "search",
    { filters: { price: { max: -1 } } },
    "invalid_request",
    /^filters.price.max: /,
  ],
  "a range that is none": [
    "search",
    { filters: { price: { min: 2, max: 1 } } },
    "invalid_request",
    /^filters.price: /,
  ],
  "21 categories": [
    "search",
    { filters: { categories: Array(21).fill("1") } },
    "invalid_request",
    /^filters.categories: /,
  ],
  "another cursor": [
    "search",
    { query: "lamp", pagination: { cursor: "nonsense" } },
    "invalid_request",
    /^pagination.cursor: /,
  ],
  "no ids": ["lookup", {}, "invalid_request", /^ids: is missing/],
  "an empty list of ids": [
    "lookup",
    { ids: [] },
    "invalid_request",
    /^ids: must be a list of 1 to 50/,
  ],
  "ids that are no texts": ["lookup", { ids: [1300] }, "invalid_request", /^ids.0: must be a text/],
  "51 ids, also the same": [
    "lookup",
    { ids: Array(51).fill("1300") },
    "request_too_large",
    /^ids: /,
  ],
  "a long id": [
    "product",
    { id: "1".repeat(101) },
    "invalid_request",
    /^id: must be a text of 1 to 100/,
  ],
  "no id": ["product", {}, "invalid_request", /^id: is missing/],
  "an option twice": [
    "product",
    {
      id: "1300",
      selected: [
        { name: "Size", label: "S" },
        { name: "size ", label: "M" },
      ],
    },
    "invalid_request",
    /^selected: /,
  ],
};

for (const [name, [operation, request, code, content]] of Object.entries(refused))
  test(`Contract 12, rule 8: ${name} is refused, and the member is named`, () =>
    withShop(async (service) => {
      for (const version of ucpVersions) {
        const body = await askUcp(service, operation, request, version);
        assert.is(body.code, code);
        assert.match(body.content ?? "", content);
        assert.equal(body.error, { code: "bad_request", message: body.content });
        const response = await postUcp(service, operation, request, {}, version);
        assert.equal([response.status, response.headers.get("cache-control")], [400, "no-store"]);
        await response.arrayBuffer();
      }
    }));

test("Contract 12, rule 8: what is no JSON, no POST and no JSON type is refused, and deep nesting breaks nothing", () =>
  withShop(async (service) => {
    const noJson = await postUcp(service, "search", "{");
    assert.is(noJson.status, 400);
    assert.is(((await noJson.json()) as UcpBody).code, "invalid_request");
    const typed = await postUcp(service, "search", "{}", { "content-type": "text/plain" });
    assert.is(typed.status, 415);
    const read = await service.get("/ucp/catalog/search", agentProfile);
    assert.equal([read.status, read.headers.get("allow")], [405, "POST"]);
    const long = await postUcp(service, "search", `{"query":"${"x".repeat(256 * 1024)}"}`);
    assert.is(long.status, 413);
    const deep = `{"query":"lamp","context":${"[".repeat(60_000)}${"]".repeat(60_000)}}`;
    assert.is((await postUcp(service, "search", deep)).status, 400);
    const deeper = `{"query":"lamp","x":${"[".repeat(60_000)}${"]".repeat(60_000)}}`;
    assert.is((await postUcp(service, "search", deeper)).status, 200);
  }));

test("Contract 12, rule 8: unknown members, hints and null are no reason, and a large limit is clamped", () =>
  withShop(async (service) => {
    const body = await askUcp(service, "search", {
      ...{ query: "lamp", filters: null, context: { address_country: "DE", x: 1 }, signals: {} },
      ...{ attribution: { a: 1 }, pagination: { limit: 1_000, cursor: null }, unknown: [1] },
    });
    assert.equal(idsOf(body), ["1400"]);
    const product = await askUcp(service, "product", {
      ...{ id: "1300", preferences: ["Nothing"], selected: null },
    });
    assert.is(product.product.id, "1300");
  }));

test("Contract 12, rule 9: outcomes without goods are 200", () =>
  withShop(async (service) => {
    for (const id of ["999", "1300.9", "1500", "1600", "nope", "0", "9".repeat(17)]) {
      const body = await askUcp(service, "product", { id });
      assert.is(body.ucp.status, "error");
      assert.equal(body.messages, [
        {
          ...{ type: "error", code: "not_found", content: `Product not found: ${id}` },
          severity: "unrecoverable",
        } as never,
      ]);
    }
    service.apply(settingsUpdated({ pricesVisible: false }, { time: "2026-10-01T00:00:00Z" }));
    for (const [operation, request] of [
      ["search", { query: "lamp" }],
      ["lookup", { ids: ["1300"] }],
      ["product", { id: "1300" }],
    ] as const) {
      const body = await askUcp(service, operation, request);
      assert.equal([body.ucp.capabilities, codesOf(body)], [{}, ["prices_hidden"]]);
      assert.is(body.continue_url, "https://shop.example");
      assert.not.match(JSON.stringify(body), /amount/);
    }
  }));

test("Contract 12, rule 10: a search without words lists what has a price in the shop's currency, in pages", () =>
  withShop(async (service) => {
    const found: string[] = [];
    let pagination: UcpBody["pagination"] | undefined;
    do {
      const cursor = pagination?.cursor;
      const body = await askUcp(service, "search", {
        ...{ query: "*", pagination: { limit: 1, ...(cursor && { cursor }) } },
      });
      found.push(...idsOf(body));
      pagination = body.pagination;
      assert.is(pagination.total_count, 3);
      assert.is(pagination.cursor !== undefined, pagination.has_next_page);
    } while (pagination.has_next_page);
    // 1600 is counted, and has no price in minor units.
    assert.equal(found, ["1300", "1400"]);
  }));

test("Contract 12, rule 10: nothing found is an empty list without messages, and most words must be found", () =>
  withShop(async (service) => {
    for (const query of ["zzz_no_such_product_zzz", "lamp zzzz yyyy", "qqqq"]) {
      const body = await askUcp(service, "search", { query });
      assert.equal(
        [body.products, body.messages, body.pagination],
        [[], undefined, { has_next_page: false, total_count: 0 }],
        query,
      );
    }
    const relaxed = await askUcp(service, "search", { query: "rain jacket qqqq" });
    assert.equal([idsOf(relaxed), codesOf(relaxed).includes("query_relaxed")], [["1300"], true]);
  }));

test("Contract 12, rule 11: filters by categories and by price", () =>
  withShop(async (service) => {
    const search = async (filters: object, more: object = {}) =>
      askUcp(service, "search", { filters, ...more });
    for (const value of ["Clothing > Jackets", " clothing>JACKETS ", "Clothing", "2", "1"])
      assert.equal(idsOf(await search({ categories: [value] })), ["1300"], value);
    assert.equal(idsOf(await search({ categories: ["Jackets"] })), []);
    assert.equal(idsOf(await search({ categories: ["Lamps", "2"] })), ["1300", "1400"]);
    assert.equal(idsOf(await search({ price: { max: 1290 } })), ["1400"]);
    assert.equal(idsOf(await search({ price: { min: 1291, max: 6900 } })), ["1300"]);
    const dear = await search({ price: { min: 9000, max: 10_000 } });
    assert.equal([idsOf(dear), variantsOf(dear)], [["1300"], ["1300.3"]]);
    const foreign = await search({ price: { max: 1 } }, { context: { currency: "USD" } });
    assert.equal(
      [idsOf(foreign), codesOf(foreign).includes("price_filter_ignored")],
      [["1300", "1400"], true],
    );
    const unknown = await search({ brand: ["x"], color: 1 });
    const [ignored] = unknown.messages?.filter(({ code }) => code === "filter_ignored") ?? [];
    assert.is(ignored?.content, "brand,color");
    assert.is((await search({ brand: 1, price: { max: 1 } })).messages, undefined);
    const looked = await askUcp(service, "lookup", {
      ...{ ids: ["1300.3", "1300.2", "1400"], filters: { price: { min: 9000 } } },
    });
    assert.equal([idsOf(looked), variantsOf(looked)], [["1300"], ["1300.3"]]);
    const none = await askUcp(service, "product", { id: "1400", filters: { categories: ["1"] } });
    assert.is(none.ucp.status, "error");
  }, atNoon));

test("Contract 12, rule 12: a search tells the variants that its words name, lookup those that ids name", () =>
  withShop(async (service) => {
    const blue = await askUcp(service, "search", { query: "jacket blue" });
    assert.equal(variantsOf(blue), ["1300.3"]);
    const ids = ["1300", "1400", "1300.3", "1300", "1300.2", "nope", "<script>"];
    const body = await askUcp(service, "lookup", { ids });
    assert.equal(idsOf(body), ["1300", "1400"]);
    assert.equal(
      body.products.flatMap(({ variants }) => variants.map(({ id, inputs }) => [id, inputs])),
      [
        [
          "1300.2",
          [
            { id: "1300", match: "featured" },
            { id: "1300.2", match: "exact" },
          ],
        ],
        ["1300.3", [{ id: "1300.3", match: "exact" }]],
        ["1400", [{ id: "1400", match: "exact" }]],
      ],
    );
    assert.equal(body.products[1]?.variants[0]?.seller, {
      name: "Example Shop",
      links: [
        { type: "privacy_policy", url: "https://shop.example/pages/2" },
        { type: "refund_policy", url: "https://shop.example/pages/1" },
      ],
    });
    assert.equal(codesOf(body).filter((code) => code === "not_found").length, 2);
  }));

test("Contract 12, rule 13: product selects by the featured variant, by a variant, and by options", () =>
  withShop(async (service) => {
    const select = (...selected: [string, string][]) => ({
      selected: selected.map(([name, label]) => ({ name, label })),
    });
    const ask = async (id: string, more: object = {}) => {
      const body = await askUcp(service, "product", { id, ...more });
      return [variantsOf(body), body.product.selected?.map(({ label }) => label)];
    };
    assert.equal(await ask("1300"), [["1300.2"], ["Red", "M"]]);
    assert.equal(await ask("1300.3", select(["Color", "Red"])), [["1300.3"], ["Blue", "S"]]);
    assert.equal(await ask("1300", select(["color", " red"])), [["1300.2", "1300.1"], ["Red"]]);
    assert.equal(await ask("1300", select(["Color", "Blue"], ["Size", "M"])), [
      ["1300.3"],
      ["Blue"],
    ]);
    assert.equal(
      await ask("1300", {
        ...select(["Color", "Blue"], ["Size", "M"]),
        preferences: ["Size", "Color"],
      }),
      [["1300.2"], ["M"]],
    );
    assert.equal(await ask("1300", select(["Fit", "Slim"], ["Size", "S"])), [
      ["1300.1", "1300.3"],
      ["S"],
    ]);
    assert.equal(await ask("1300", select(["Size", "XXL"])), [
      ["1300.2", "1300.1", "1300.3"],
      undefined,
    ]);
    assert.equal(await ask("1400", select(["Size", "S"])), [["1400"], undefined]);
    const { product } = await askUcp(service, "product", { id: "1300", ...select(["Size", "M"]) });
    assert.equal(product.options, [
      {
        name: "Color",
        values: [
          { label: "Red", id: "c1", available: true, exists: true },
          { label: "Blue", available: false, exists: false },
        ],
      },
      {
        name: "Size",
        values: [
          { label: "S", available: true, exists: true },
          { label: "M", available: true, exists: true },
        ],
      },
    ]);
    assert.ok(String((product.description as { plain: string }).plain).length > 1_000);
    assert.ok((product.description as { markdown: string }).markdown.startsWith("Dry"));
  }, atNoon));

test("Contract 12, rule 14: what a buyer must see, and what holds for an order", () =>
  withShop(async (service) => {
    const { messages = [], policies, product } = await askUcp(service, "product", { id: "1400" });
    assert.equal(
      messages.map(({ type, code, content, path }) => [type, code, content, path]),
      [
        ["warning", "age_restricted", "Only for buyers of at least 18 years.", "$.product"],
        ["warning", "energy_label", "Energy efficiency class B (A to G)", "$.product"],
        ["info", "ships_from", "2026-12-24", "$.product.variants[0]"],
        [
          "info",
          "quantity_rule",
          "At least 6, in steps of 6, at most 24 pieces.",
          "$.product.variants[0]",
        ],
      ],
    );
    assert.equal(policies, [
      {
        type: "dev.ucp.shopping.policy.return",
        description: { plain: "Accepted within 30 days, free of charge." },
        url: "https://shop.example/pages/1",
      },
      {
        type: "dev.ucp.shopping.policy.return",
        description: { plain: "Not accepted." },
        applies_to: ["$.product"],
      },
    ]);
    const [line] = product.variants;
    assert.equal(line?.availability, { available: true, status: "backorder" });
    assert.equal(line?.quantity_unit, { unit: "C62", display_text: "pc", increment: 6 });
    assert.equal(line?.unit_price, {
      ...{ amount: 1720, currency: "EUR" },
      measure: { value: 75, unit: "LTR", scale: 2, display_text: "l" },
      reference: { value: 1, unit: "LTR", display_text: "l" },
    });
    const found = await askUcp(service, "search", { query: "jacket" });
    assert.equal(found.messages?.[0], {
      ...{ type: "warning", presentation: "disclosure", code: "fire" },
      ...{ content: "Keep away from fire.", path: "$.products[0]" },
    } as never);
    const sale = await askUcp(service, "product", { id: "1300" });
    assert.equal(sale.messages?.at(-1), {
      ...{ type: "info", code: "sale_ends", content: "2026-11-30T00:00:00+01:00" },
      path: "$.product.variants[0]",
    } as never);
  }, atNoon));

test("Contract 12, rule 15: 2026-04-08 has its own unit prices, and no policies", () =>
  withShop(async (service) => {
    const body = await askUcp(service, "lookup", { ids: ["1400"] }, "2026-04-08");
    assert.is(body.ucp.version, "2026-04-08");
    assert.equal(
      [body.policies, body.products[0]?.variants[0]?.quantity_unit],
      [undefined, undefined],
    );
    assert.equal(body.products[0]?.variants[0]?.unit_price, {
      ...{ amount: 1720, currency: "EUR" },
      measure: { value: 0.75, unit: "l" },
      reference: { value: 1, unit: "l" },
    });
  }));

test("Contract 12, rule 6: before a model and over the rate limit the answers are those of every surface", async () => {
  const service: TestServer = await openTestServer({ loaded: false });
  const response = await postUcp(service, "search", { query: "lamp" });
  assert.equal([response.status, response.headers.has("retry-after")], [503, true]);
  await response.arrayBuffer();
  await service.close();
});

test("Contract 12, rule 12: many variants of a product are 10 in a search and 100 in product", () =>
  withShop(async (service) => {
    const variants = Array.from({ length: 150 }, (_, at) => ({
      id: at + 1,
      options: [{ name: "Size", value: String(at) }],
    }));
    service.apply(productUpserted({ id: 9, name: "Screw", price: euros("1.00"), variants }));
    assert.is(variantsOf(await askUcp(service, "search", { query: "screw" })).length, 10);
    const unmet = { selected: [{ name: "Size", label: "none" }] };
    assert.is(variantsOf(await askUcp(service, "product", { id: "9", ...unmet })).length, 100);
  }));

test.run();

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFixedWindow } from "../../src/http/rate-limit/rate-limit.ts";
import {
  pageUpserted,
  productUpserted,
  robotsUpdated,
  settingsUpdated,
} from "../helpers/events.ts";
import { baseUrl, openTestServer, type TestServer } from "../helpers/test-server.ts";
import { type Agent, agentOf } from "../mcp/calls.ts";
import { smallShop } from "../mcp/shop.ts";
import {
  bearer,
  discovery,
  listing,
  markdown,
  modelSurfaces,
  postTo,
  statusOf,
  surfaces,
} from "./every-surface.ts";

/** Rows of the tables of §7 and §8 of the specification, each on every surface it concerns. */
const test = suite<Servers>("rows of the tables of §7 and §8");

interface Servers {
  readonly open: TestServer;
  readonly closed: TestServer;
  readonly empty: TestServer;
  readonly agent: Agent;
}

test.before(async (context) => {
  const open = await openTestServer();
  open.apply(...smallShop());
  const closed = await openTestServer({ registration: "closed" });
  closed.apply(...smallShop());
  const empty = await openTestServer({ loaded: false });
  Object.assign(context, { open, closed, empty, agent: await agentOf(open) });
});
test.after(async ({ open, closed, empty }) => {
  for (const service of [open, closed, empty]) await service.close();
});

interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly retry_after?: number;
    readonly resource_metadata?: string;
  };
}

const errorOf = async (response: Response) => ((await response.json()) as ErrorBody).error;

test("§7.1 INVALID_ARGUMENT names the argument that is out of range", async ({ open }) => {
  const { data } = await open.graphql<{ products: { userErrors: unknown } }>(
    "{ products(first: -1) { userErrors { code field } } }",
  );
  assert.equal(data.products.userErrors, [
    { code: "INVALID_ARGUMENT", field: ["products", "first"] },
  ]);
});

test("§7.1 UNAVAILABLE: a shop without checkout links in its settings", async () => {
  const service = await openTestServer();
  service.apply(settingsUpdated(), productUpserted());
  const agent = await agentOf(service);
  const { isError, structuredContent } = await agent.call("create_checkout_link", {
    items: [{ product_id: 1 }],
  });
  assert.is(isError, true);
  assert.is(structuredContent.code, "UNAVAILABLE");
  await service.close();
});

const limitedTo = (limit: number): Promise<TestServer> => {
  const count = createFixedWindow(limit, () => performance.now());
  return openTestServer({ rateLimit: { limit, trustedProxies: 0, count } });
};

test("§7.1 RATE_LIMITED: too many requests are 429 with RateLimit headers", async () => {
  const service = await limitedTo(0);
  const response = await service.post({ query: "{ shop { name } }" });
  assert.is(await statusOf(response), 429);
  for (const name of ["limit", "remaining", "reset"]) {
    assert.match(response.headers.get(`ratelimit-${name}`) ?? "", /^\d+$/, name);
  }
  await service.close();
});

for (const [name, ask] of [
  ["registration", postTo("/v1/register", {})],
  ["GraphQL", postTo("/graphql", {})],
] as const) {
  test(`§7.2 400 bad_request: bad parameters of ${name}`, async ({ open }) => {
    const response = await ask(open);
    assert.is(response.status, 400);
    assert.is((await errorOf(response)).code, "bad_request");
  });
}

test("§7.2 401 unauthorized: a missing or wrong token; the body names resource_metadata", async ({
  open,
}) => {
  for (const authorization of ["", "Bearer wrong"]) {
    const response = await postTo("/agent/mcp", listing, { authorization })(open);
    assert.is(response.status, 401);
    const { code, resource_metadata } = await errorOf(response);
    assert.is(code, "unauthorized");
    assert.is(resource_metadata, `${baseUrl}${discovery["protected resource"]}/agent/mcp`);
  }
});

for (const [name, ask] of Object.entries(surfaces)) {
  test(`§7.2 403 forbidden: an agent that robots.txt disallows gets no answer from ${name}`, async () => {
    const service = await openTestServer();
    service.apply(...smallShop(), robotsUpdated("User-agent: BadBot\nDisallow: /\n"));
    const headers = { "user-agent": "BadBot/1.0", accept: "application/json" };
    const response = await ask(service, headers);
    assert.is(response.status, 403);
    assert.is((await errorOf(response)).code, "forbidden");
    assert.is.not(await statusOf(await ask(service, { "user-agent": "GoodBot/1.0" })), 403);
    await service.close();
  });
}

test("§7.2 404 not_found: a missing record or a disabled route", async ({ open, closed }) => {
  open.apply(pageUpserted({ id: 8, published: false }));
  for (const response of [
    await open.get("/products/999.md"),
    await open.get("/pages/8.md"),
    await open.get("/products/999", markdown),
    await postTo("/v1/register", { label: "rows" })(closed),
  ]) {
    assert.is(response.status, 404, response.url);
    if (/json/.test(response.headers.get("content-type") ?? "")) {
      assert.is((await errorOf(response)).code, "not_found");
    } else assert.match(await response.text(), /^not_found: /);
  }
});

test("§7.2 405: the tool endpoint accepts POST only", async ({ open }) => {
  for (const method of ["GET", "PUT", "DELETE"]) {
    const response = await open.request("/agent/mcp", { method, headers: bearer });
    assert.is(response.status, 405);
    assert.is(response.headers.get("allow"), "POST");
    assert.is((await errorOf(response)).code, "method_not_allowed");
  }
});

for (const [name, ask] of Object.entries(surfaces)) {
  test(`§7.2 429 rate_limited, §8 request rate: applies to ${name}`, async () => {
    const service = await limitedTo(0);
    service.apply(...smallShop());
    const response = await ask(service, { accept: "application/json" });
    assert.is(response.status, 429);
    const { code, retry_after } = await errorOf(response);
    assert.is(code, "rate_limited");
    assert.is(String(retry_after), response.headers.get("retry-after"));
    await service.close();
  });

  test(`§8 rate headers and §9 rule 1 versions are on the answer of ${name}`, async ({ open }) => {
    const response = await ask(open);
    await response.arrayBuffer();
    for (const header of ["limit", "remaining", "reset"]) {
      assert.match(response.headers.get(`ratelimit-${header}`) ?? "", /^\d+$/, header);
    }
    assert.is(response.headers.get("api-version"), "1");
    assert.is(response.headers.get("deprecation"), "false");
  });
}

for (const [name, ask] of modelSurfaces) {
  test(`§7.2 503 unavailable with Retry-After: ${name} before a model exists`, async ({
    empty,
  }) => {
    const response = await ask(empty);
    assert.is(response.status, 503);
    assert.match(response.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
    assert.match(await response.text(), /\bunavailable\b/);
  });
}

test("§8 products per call: 50 ids are served, 51 are INVALID_ARGUMENT", async ({ agent }) => {
  const ids = (length: number) => Array.from({ length }, (_, at) => at + 1);
  const call = (length: number) => agent.call("check_availability", { product_ids: ids(length) });
  assert.not.ok((await call(50)).isError);
  const { isError, structuredContent } = await call(51);
  assert.equal([isError, structuredContent.code], [true, "INVALID_ARGUMENT"]);
});

test.run();

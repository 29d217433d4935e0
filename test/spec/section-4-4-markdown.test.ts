import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  categoryUpserted,
  pageUpserted,
  productUpserted,
  settingsUpdated,
  stockChanged,
} from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";

const test = suite<{ service: TestServer }>("§4.4 Markdown and text resources");

test.before(async (context) => {
  context.service = await openTestServer();
  context.service.apply(
    settingsUpdated(),
    categoryUpserted(),
    productUpserted({ categoryIds: [1], brand: "Acme", gtin: "4006381333931" }),
    stockChanged(),
    pageUpserted({ policy: "returns" }),
  );
});
test.after(({ service }) => service.close());

for (const [what, path, title] of [
  ["a product", "/products/1", "# Product 1"],
  ["a category", "/categories/1", "# Category 1"],
  ["a CMS page", "/pages/1", "# Page 1"],
  ["the home page", "/", "# Example Shop"],
] as const) {
  test(`§4.4 GET of ${what} with Accept: text/markdown returns Markdown`, async ({ service }) => {
    const response = await service.get(path, { accept: "text/markdown" });
    assert.is(response.status, 200);
    assert.is(response.headers.get("content-type"), "text/markdown; charset=utf-8");
    assert.ok((await response.text()).startsWith(`${title}\n`));
  });
}

test("§4.4 the home page returns the store overview", async ({ service }) => {
  const text = await (await service.get("/", { accept: "text/markdown" })).text();
  for (const fact of ["Products: 1", "Currency: EUR", "[Category 1]", "[Page 1]"]) {
    assert.match(text, fact);
  }
});

test("§4.4 GET /llms.txt returns an overview text", async ({ service }) => {
  const response = await service.get("/llms.txt");
  assert.is(response.status, 200);
  assert.match(await response.text(), /^# Example Shop\n\n> /);
});

test("§4.4 a product page agrees with GraphQL", async ({ service }) => {
  const { data } = await service.graphql<{ product: { product: Record<string, unknown> } }>(
    "{ product(id: 1) { product { name url reference gtin brand availability updatedAt price { amount currency } } } }",
  );
  const { price, ...facts } = data.product.product;
  const { amount, currency } = price as { amount: string; currency: string };
  const text = await (await service.get("/products/1.md")).text();
  for (const fact of [...Object.values(facts), `${amount} ${currency}`]) {
    assert.match(text, String(fact));
  }
});

test.run();

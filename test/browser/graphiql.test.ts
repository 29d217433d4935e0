import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type BrowserContext, openBrowserContext, visit } from "./visit.ts";

const test = suite<{ context: BrowserContext }>("GraphiQL in a browser");

test.before(async (context) => {
  context.context = await openBrowserContext();
});
test.after(({ context }) => context?.close());

test("one click runs the default query and shows products without an error", async ({
  context,
}) => {
  const { page, problems, otherOrigins } = await visit(context, "/graphql");
  await page.getByRole("button", { name: /execute query/i }).click();
  const response = page.locator(".result-window");
  await response.getByText("Blue mug").waitFor();
  const text = await response.innerText();
  assert.match(text, "The Mug Shop");
  assert.match(text, "12.90");
  assert.not.match(text, "Red mug", "it asks for what is in stock");
  assert.not.match(text, '"errors"');
  assert.equal(problems, []);
  assert.equal(otherOrigins, []);
});

test("on a phone the response is below the query, and both are readable", async ({ context }) => {
  const viewport = { width: 390, height: 844 };
  const { page } = await visit(context, "/graphql", { viewport });
  await page.getByRole("button", { name: /execute query/i }).click();
  await page.locator(".result-window").getByText("Blue mug").waitFor();
  const query = await page.locator(".graphiql-query-editor").boundingBox();
  const answer = await page.locator(".graphiql-response").boundingBox();
  assert.ok(query && query.width > 250 && query.height > 150, JSON.stringify(query));
  assert.ok(answer && answer.width > 250 && answer.height > 150, JSON.stringify(answer));
  assert.ok(answer.y >= query.y + query.height, "below it");
});

test("the schema explorer shows the products", async ({ context }) => {
  const { page, problems } = await visit(context, "/graphql");
  await page.getByRole("button", { name: /documentation explorer/i }).click();
  const explorer = page.locator(".graphiql-doc-explorer");
  await explorer.getByRole("link", { name: "Query" }).click();
  await explorer.getByText("products", { exact: true }).waitFor();
  assert.equal(problems, []);
});

test.run();

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openWorld, visit, type World } from "./visit.ts";

const test = suite<{ world: World }>("GraphiQL in a browser");

test.before(async (context) => {
  context.world = await openWorld();
});
test.after(({ world }) => world?.close());

test("one click on the query that is already there shows products, and nothing goes wrong", async ({
  world,
}) => {
  const { page, complaints, elsewhere } = await visit(world, "/graphql");
  await page.getByRole("button", { name: /execute query/i }).click();
  const response = page.locator(".result-window");
  await response.getByText("Blue mug").waitFor();
  const text = await response.innerText();
  assert.match(text, "The Mug Shop");
  assert.match(text, "12.90");
  assert.not.match(text, "Red mug", "it asks for what is in stock");
  assert.not.match(text, '"errors"');
  assert.equal(complaints, []);
  assert.equal(elsewhere, []);
});

test("the explorer of the schema knows the products", async ({ world }) => {
  const { page, complaints } = await visit(world, "/graphql");
  await page.getByRole("button", { name: /documentation explorer/i }).click();
  const explorer = page.locator(".graphiql-doc-explorer");
  await explorer.getByRole("link", { name: "Query" }).click();
  await explorer.getByText("products", { exact: true }).waitFor();
  assert.equal(complaints, []);
});

test.run();

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cpuTime } from "../helpers/cpu-time.ts";
import { categoryUpserted, productUpserted, settingsUpdated } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { type Agent, agentOf } from "../mcp/calls.ts";

const test = suite<{ service: TestServer; agent: Agent }>("categories thousands of levels deep");

const levels = 6_000;
const chain = Array.from({ length: levels }, (_, at) => at + 1);

test.before(async (context) => {
  context.service = await openTestServer();
  context.service.apply(
    settingsUpdated(),
    ...chain.map((id) => categoryUpserted({ id, parentId: id === 1 ? null : id - 1 })),
    productUpserted({ id: 1, categoryIds: chain.slice(-1_000) }, { time: "2026-10-02T08:00:00Z" }),
    productUpserted({ id: 2, categoryIds: [90, 91] }, { time: "2026-10-02T08:00:00Z" }),
    categoryUpserted({ id: levels + 1, name: "Side" }),
    categoryUpserted({ id: levels + 2, name: "Below", parentId: levels + 1 }),
  );
  context.agent = await agentOf(context.service);
});
test.after(({ service }) => service.close());

/** Maximum CPU time in ms: far more than needed, and far less than an algorithm per level took. */
const few = 2_000;

const markdownOf = async (service: TestServer, path: string) => {
  const spent = cpuTime();
  const response = await service.get(path);
  const text = await response.text();
  assert.ok(spent() < few, `${path} took ${spent()} ms`);
  return { status: response.status, text };
};

test("a product in a thousand nested categories has its page", async ({ service }) => {
  const { status, text } = await markdownOf(service, "/products/1.md");
  assert.is(status, 200);
  assert.is(text.match(/^- \[Category \d+\]/gm)?.length, 1_000);
});

test("the page of the deepest category names its nearest ancestors and says that there are more", async ({
  service,
}) => {
  const pathOf = async (id: number): Promise<readonly string[]> => {
    const { text } = await markdownOf(service, `/categories/${id}.md`);
    return /^- In: (.*)$/m.exec(text)?.[1]?.split(" / ") ?? [];
  };
  const path = await pathOf(levels);
  assert.is(path.length, 101);
  assert.is(path[0], "…");
  assert.match(path[1] ?? "", `[Category ${levels - 100}]`);
  assert.match(path[100] ?? "", `[Category ${levels - 1}]`);
  const allCategories = await pathOf(101);
  assert.is(allCategories.length, 100);
  assert.match(allCategories[0] ?? "", "[Category 1]");
});

interface Branch {
  readonly id: number;
  readonly children: readonly Branch[];
}

test("list_categories returns a hundred levels, and the number of categories below them", async ({
  agent,
}) => {
  const spent = cpuTime();
  for (const [args, below] of [
    [{}, levels - 100],
    [{ max_depth: 5_000 }, 4_900],
  ] as const) {
    const { structuredContent, content } = await agent.call<{ categories: readonly Branch[] }>(
      "list_categories",
      args,
    );
    const { categories } = structuredContent;
    assert.is(depthOf(categories), 100);
    assert.equal(categories.at(-1), {
      ...categories.at(-1),
      id: levels + 1,
      children: [{ ...categories.at(-1)?.children[0], id: levels + 2, children: [] }],
    });
    const lines = content[0]?.text.split("\n") ?? [];
    assert.is(lines.length, 100 + 2 + 1);
    assert.match(lines[1] ?? "", /^ {2}- Category 2 \(id 2\): 0 products directly in it, /);
    assert.match(lines.at(-1) ?? "", `${below} categories`);
  }
  assert.ok(spent() < few, `${spent()} ms`);
  const shallow = await agent.call("list_categories", { max_depth: 1 });
  assert.is(shallow.content[0]?.text.split("\n").length, 2);
});

const depthOf = (branches: readonly Branch[]): number =>
  branches.length === 0 ? 0 : 1 + Math.max(...branches.map(({ children }) => depthOf(children)));

test("GraphQL lists all levels, and a search in the root category finds products of the deepest", async ({
  service,
}) => {
  const spent = cpuTime();
  const { data } = await service.graphql<{
    categories: { categories: readonly { depth: number }[] };
    products: { totalCount: number };
  }>(`{ categories { categories { depth } } products(categoryId: "1") { totalCount } }`);
  assert.is(Math.max(...data.categories.categories.map(({ depth }) => depth)), levels);
  assert.is(data.products.totalCount, 2);
  assert.ok(spent() < few, `${spent()} ms`);
});

test("a chain is built from either end, and moves with its root", async () => {
  const service = await openTestServer();
  const spent = cpuTime();
  const reversed = chain.toReversed();
  service.apply(
    settingsUpdated(),
    ...reversed.map((id) => categoryUpserted({ id, parentId: id === 1 ? null : id - 1 })),
  );
  const later = { time: "2026-10-02T08:00:00Z" };
  service.apply(categoryUpserted({ id: levels + 1 }));
  service.apply(categoryUpserted({ id: 1, parentId: levels + 1 }, later));
  const { data } = await service.graphql<{
    categories: { categories: readonly { depth: number }[] };
  }>("{ categories { categories { depth } } }");
  assert.is(data.categories.categories.at(-1)?.depth, levels + 1);
  const circle = service.apply(categoryUpserted({ id: levels + 1, parentId: levels }, later));
  assert.is(circle.rejected, 0);
  const held = await service.graphql<typeof data>("{ categories { categories { depth } } }");
  assert.equal(held.data.categories.categories, []);
  assert.ok(spent() < 4 * few, `${spent()} ms`);
  await service.close();
});

test.run();

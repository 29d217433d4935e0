import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productPatched, productUpserted, stockChanged } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { agentOf } from "../mcp/calls.ts";
import { jacket, settings } from "./goods/situations.ts";

interface Context {
  server: TestServer;
}

const test = suite<Context>("Contract 9, variants");

const time = "2026-09-02T00:00:00Z";
const total = 2_048;
const numbered = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    id: 100 + at,
    options: [{ name: "Number", value: `${at}` }],
  }));
const ids = numbered(total).map(({ id }) => `${id}`);

test.before(async (context) => {
  context.server = await openTestServer({ now: () => Date.parse("2026-11-25T20:00:00Z") });
  context.server.apply(
    settings(),
    ...jacket,
    productUpserted({ id: 21, name: "Screw", variants: numbered(total) }, { time }),
    stockChanged({ productId: 21, quantity: 1 }, { time }),
  );
});
test.after(({ server }) => server.close());

type ValueStates = Readonly<Record<string, string>>;

/** Reads each value of the jacket as `available/exists`, T or F, as the table of situations writes it. */
const stateOf = async ({ server }: Context, selected: string): Promise<ValueStates> => {
  const { data, errors } = await server.graphql<{
    product: {
      product: {
        options: { values: { value: string; available: boolean; exists: boolean }[] }[];
      };
    };
  }>(`{ product(id: 4711) { product { options(selected: [${selected}]) {
    values { value available exists } } } } }`);
  assert.is(errors, undefined, JSON.stringify(errors));
  const letter = (flag: boolean) => (flag ? "T" : "F");
  const values = data.product.product.options.flatMap((option) => option.values);
  return Object.fromEntries(
    values.map((each) => [each.value, `${letter(each.available)}/${letter(each.exists)}`]),
  );
};

const matrix: readonly (readonly [selection: string, states: ValueStates])[] = [
  [
    '{ name: "Color", value: "Red" }, { name: "Size", value: "M" }',
    { Red: "T/T", Blue: "F/F", S: "T/T", M: "T/T" },
  ],
  [
    '{ name: "Color", value: "Blue" }, { name: "Size", value: "S" }',
    { Red: "T/T", Blue: "F/T", S: "F/T", M: "F/F" },
  ],
  // A selection of one option leaves the other one open.
  ['{ name: "color", value: "blue" }', { Red: "T/T", Blue: "F/T", S: "F/T", M: "F/F" }],
  ['{ name: "Size", value: "M" }', { Red: "T/T", Blue: "F/F", S: "T/T", M: "T/T" }],
  ["", { Red: "T/T", Blue: "F/T", S: "T/T", M: "T/T" }],
  ['{ name: "Width", value: "M" }', { Red: "F/F", Blue: "F/F", S: "F/F", M: "F/F" }],
];

for (const [selection, states] of matrix) {
  test(`Contract 9, variants: 14 what is available and exists with [${selection}]`, async (context) => {
    assert.equal(await stateOf(context, selection), states);
  });
}

interface VariantPage {
  readonly nodes: readonly { readonly variantId: string }[];
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
  readonly userErrors: readonly unknown[];
}

/** Reads all pages of the variants of product 21. */
const readPages = async (server: TestServer): Promise<readonly VariantPage[]> => {
  const pages: VariantPage[] = [];
  let after: string | undefined;
  do {
    const { data } = await server.graphql<{ product: { product: { variants: VariantPage } } }>(
      `query ($after: String) { product(id: 21) { product { variants(first: 100, after: $after) {
        nodes { variantId } totalCount pageInfo { hasNextPage endCursor } userErrors { message } } } } }`,
      { after },
    );
    const { variants } = data.product.product;
    pages.push(variants);
    after = variants.pageInfo.hasNextPage ? variants.pageInfo.endCursor : undefined;
  } while (after !== undefined && pages.length <= total);
  return pages;
};

test("Contract 9, variants: 21 GraphQL gives 2,048 variants in 21 pages, each once", async ({
  server,
}) => {
  const pages = await readPages(server);
  assert.is(pages.length, 21);
  assert.is(pages.at(-1)?.nodes.length, 48);
  for (const { totalCount, userErrors } of pages) {
    assert.is(totalCount, total);
    assert.equal(userErrors, []);
  }
  assert.equal(
    pages.flatMap(({ nodes }) => nodes.map(({ variantId }) => variantId)),
    ids,
  );
});

for (const limit of [undefined, 500, 47]) {
  test(`Contract 9, variants: 21 get_product gives all 2,048 in pages of ${limit ?? "the default size"}`, async ({
    server,
  }) => {
    const agent = await agentOf(server);
    const read: string[] = [];
    for (let more = true; more; ) {
      const { structuredContent } = await agent.call<{
        product: {
          variants: { id: string }[];
          variant_count: number;
          has_more_variants?: boolean;
        };
      }>("get_product", { product_id: 21, variant_limit: limit, variant_offset: read.length });
      const { variants, variant_count, has_more_variants = false } = structuredContent.product;
      assert.is(variant_count, total);
      read.push(...variants.map(({ id }) => id));
      more = has_more_variants && variants.length > 0;
    }
    assert.equal(
      read,
      ids.map((id) => `21.${id}`),
    );
  });
}

test("Contract 9, variants: 21 the Markdown page has a row for each of the 2,048", async ({
  server,
}) => {
  const page = await (await server.get("/products/21.md")).text();
  const rows = [...page.matchAll(/^\|.* 21\.(\d+) \|$/gm)].map(([, id]) => id);
  assert.equal(rows, ids);
});

test("Contract 9, variants: 21 a list of 2,049 is refused naming data.variants, and the list before stays", async ({
  server,
}) => {
  for (const build of [productUpserted, productPatched]) {
    const later = { time: "2026-09-03T00:00:00Z" };
    const { deadLetters } = server.apply(build({ id: 21, variants: numbered(total + 1) }, later));
    assert.equal(
      deadLetters.map(({ code, field }) => [code, field]),
      [["schema", "data.variants"]],
    );
  }
  assert.is((await readPages(server))[0]?.totalCount, total);
});

test.run();

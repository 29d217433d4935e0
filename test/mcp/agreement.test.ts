import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productUpserted, stockChanged } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { type Agent, agentOf } from "./calls.ts";

const test = suite("agreement of GraphQL and tools");

/** The facts of a product in both. */
interface Facts {
  readonly name: string;
  readonly price: { readonly amount: string; readonly currency: string } | null;
  readonly availability: string;
  readonly url: string;
  readonly description: string | null;
  readonly reference: string | null;
  readonly gtin: string | null;
  readonly brand: string | null;
}

const amount = fc
  .tuple(fc.bigInt({ min: 0n, max: 999_999_999n }), fc.constantFrom("", ".5", ".90", ".000001"))
  .map(([fullProduct, fraction]) => `${fullProduct}${fraction}`);

const text = fc.option(fc.string({ unit: "grapheme", maxLength: 40 }));

const product = fc.record({
  name: fc.string({ unit: "grapheme", minLength: 1, maxLength: 80 }).map((name) => `n${name}`),
  price: fc.option(amount),
  stocked: fc.boolean(),
  descriptionHtml: text,
  reference: text,
  gtin: text,
  brand: text,
});

type Product = typeof product extends fc.Arbitrary<infer P> ? P : never;

const events = ({ price, stocked, ...data }: Product, id: number) => [
  productUpserted({
    ...data,
    id,
    price: price === null ? null : { amount: price, currency: "EUR" },
  }),
  stockChanged({ productId: id, quantity: stocked ? 1 : 0 }),
];

const fields =
  "id name url description reference gtin brand price { amount currency } availability updatedAt";

const byGraphql = async ({ graphql }: TestServer) => {
  const { data } = await graphql<{
    products: { totalCount: number; nodes: ({ id: string } & Facts)[] };
  }>(`{ products(first: 100) { totalCount nodes { ${fields} } } }`);
  return data.products;
};

const get = async (agent: Agent, id: string): Promise<Record<string, unknown>> =>
  (await agent.call<{ product: Record<string, unknown> }>("get_product", { product_id: id }))
    .structuredContent.product;

const tool = <T>(agent: Agent, name: "search_products" | "check_availability", args: object) =>
  agent
    .call<{ products: T[]; total?: number }>(name, args)
    .then((result) => result.structuredContent);

test("GraphQL and tools agree on 1,000 random products", async () => {
  let count = 0;
  const property = fc.asyncProperty(
    fc.array(product, { minLength: 60, maxLength: 100 }),
    async (examples) => {
      const service = await openTestServer();
      try {
        service.apply(...examples.flatMap((one, at) => events(one, at + 1)));
        count += examples.length;
        await mustAgree(service, examples);
      } finally {
        await service.close();
      }
    },
  );
  await fc.assert(property, { numRuns: 14 });
  assert.ok(count >= 800, `${count} products`);
});

const mustAgree = async (service: TestServer, examples: readonly Product[]): Promise<void> => {
  const agent = await agentOf(service);
  const { totalCount, nodes } = await byGraphql(service);
  assert.is(totalCount, examples.length);
  const found = await tool<Record<string, unknown>>(agent, "search_products", { limit: 100 });
  assert.is(found.total, examples.length);
  assert.equal(
    found.products,
    nodes.map(({ id, name, price, availability, url }) => ({
      id: Number(id),
      name,
      price,
      availability,
      url,
    })),
  );
  for (let at = 0; at < nodes.length; at += 50) {
    const some = nodes.slice(at, at + 50);
    const { products } = await tool<Record<string, unknown>>(agent, "check_availability", {
      product_ids: some.map(({ id }) => id),
    });
    assert.equal(
      products.map(({ as_of: _, ...rest }) => rest),
      some.map(({ id, availability, price, url }) => ({
        id: Number(id),
        availability,
        price,
        url,
      })),
    );
  }
  for (const node of nodes) mustBeSame(node, await get(agent, node.id));
  for (const [at, { price, stocked }] of examples.entries()) {
    assert.is(nodes[at]?.price?.amount ?? null, price);
    assert.is(nodes[at]?.availability, stocked ? "IN_STOCK" : "OUT_OF_STOCK");
  }
};

const mustBeSame = (node: object, fullProduct: Record<string, unknown>): void => {
  const { updatedAt, id, ...rest } = node as Record<string, unknown>;
  const same = Object.fromEntries(Object.keys(rest).map((name) => [name, fullProduct[name]]));
  assert.equal(same, rest);
  assert.equal([fullProduct.updated_at, fullProduct.id], [updatedAt, Number(id)]);
};

test.run();

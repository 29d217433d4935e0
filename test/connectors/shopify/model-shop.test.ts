import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { translateShopify } from "../../../src/connectors/shopify/translate.ts";
import { openConnection } from "../../helpers/connection-state.ts";
import { openTestServer, type TestServer } from "../../helpers/test-server.ts";
import { settings } from "../../spec/goods/situations.ts";
import { sequences, shuffle } from "../shuffle.ts";
import { connection } from "./bodies.ts";
import {
  type Change,
  change,
  type ModelProduct,
  type ModelShop,
  type ModelVariant,
  openModelShop,
} from "./model-shop.ts";

const test = suite<{ server: TestServer; firstId: number }>("a model shop of Shopify");

test.before(async (context) => {
  context.server = await openTestServer();
  context.server.apply(settings({ quantityVisible: "always" }));
  context.firstId = 1;
});
test.after(({ server }) => server.close());

/** What an agent reads of a product. */
const shownOf = async (server: TestServer, id: number): Promise<unknown> => {
  const { data } = await server.graphql<{
    product: { product: Shown | null };
  }>(`{ product(id: "${id}") { product {
    name variants { nodes { variantId price { amount } listPrice { amount } stock { status quantity } } } } } }`);
  const { product } = data.product;
  return product && { name: product.name, variants: product.variants.nodes.map(flatten) };
};

interface Shown {
  readonly name: string;
  readonly variants: { readonly nodes: readonly ShownVariant[] };
}

interface ShownVariant {
  readonly variantId: string;
  readonly price: { readonly amount: string } | null;
  readonly listPrice: { readonly amount: string } | null;
  readonly stock: { readonly status: string; readonly quantity: number | null };
}

const flatten = ({ variantId, price, listPrice, stock }: ShownVariant) => [
  ...[variantId, price?.amount, listPrice?.amount, stock.status],
  stock.quantity,
];

/** What the model's product must be shown as. */
const expectedOf = ({ title, isActive, variants }: ModelProduct): unknown =>
  isActive && variants.length > 0 ? { name: title, variants: variants.map(expectedVariant) } : null;

const expectedVariant = ({ id, price, before, isTracked, isSoldAtZero, stock }: ModelVariant) => {
  const quantity = stock[0] + stock[1];
  const status =
    !isTracked || quantity > 0 ? "IN_STOCK" : isSoldAtZero ? "BACKORDER" : "OUT_OF_STOCK";
  const list = before !== null && before > price ? (before / 100).toFixed(2) : undefined;
  return [
    ...[String(id), (price / 100).toFixed(2), list, status],
    isTracked ? Math.max(0, quantity) : null,
  ];
};

/** Delivers the webhooks in any sequence, and returns the shop after them. */
const deliver = (
  server: TestServer,
  firstId: number,
  changes: readonly Change[],
  keys: readonly number[],
  loses: boolean,
): ModelShop => {
  const shop = openModelShop(firstId);
  for (const each of changes) shop.apply(each);
  const arriving = shuffle(shop.webhooks, keys, loses);
  const sent = shop.webhooks.length;
  if (loses) shop.restateAll();
  const deliveries = shuffle([...arriving, ...shop.webhooks.slice(sent)], keys.toReversed(), false);
  const gateway = openConnection(translateShopify, { ...connection, locations: 2 });
  for (const { topic, body, headers } of deliveries) {
    const answer = gateway.deliver(topic, body, { headers });
    if (answer.outcome === "refused") throw new Error(answer.reason);
    if (answer.outcome !== "prepared") continue;
    assert.equal([...answer.leftOut], []);
    assert.equal(server.apply(...answer.events).deadLetters, []);
  }
  return shop;
};

for (const loses of [false, true]) {
  const name = loses ? "with losses that a later whole body mends" : "without losses";
  test(`the folded catalogue equals the shop in any sequence of deliveries, ${name}`, async (context) => {
    let shown = 0;
    const check = async (changes: readonly Change[], keys: readonly number[]): Promise<void> => {
      context.firstId += 10;
      const shop = deliver(context.server, context.firstId, changes, keys, loses);
      for (const product of shop.products.values()) {
        const expected = expectedOf(product);
        if (expected !== null) shown += 1;
        assert.equal(await shownOf(context.server, product.id), expected);
      }
    };
    const changes = fc.array(change, { minLength: 1, maxLength: 15 });
    await fc.assert(fc.asyncProperty(changes, sequences, check), { numRuns: 150 });
    assert.ok(shown > 100, `only ${shown} products were shown`);
  });
}

test.run();

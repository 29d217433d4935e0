import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { translateWooCommerce } from "../../../src/connectors/woocommerce/translate.ts";
import { openConnection } from "../../helpers/connection-state.ts";
import { openTestServer, type TestServer } from "../../helpers/test-server.ts";
import { settings } from "../../spec/goods/situations.ts";
import { sequences } from "../shuffle.ts";
import { connection } from "./bodies.ts";
import {
  type Change,
  change,
  isInForce,
  type ModelPrice,
  type ModelProduct,
  type ModelShop,
  type ModelStock,
  openModelShop,
  readAt,
  type Webhook,
} from "./model-shop.ts";

const test = suite<{ server: TestServer; firstId: number }>("a model shop of WooCommerce");

test.before(async (context) => {
  context.server = await openTestServer({ now: () => readAt });
  context.server.apply(settings({ quantityVisible: "always" }));
  context.firstId = 1;
});
test.after(({ server }) => server.close());

interface Offer {
  readonly price: { readonly amount: string } | null;
  readonly listPrice: { readonly amount: string } | null;
  readonly stock: { readonly status: string; readonly quantity: number | null };
}

interface ShownVariant extends Offer {
  readonly variantId: string;
  readonly options: readonly { readonly name: string; readonly value: string }[];
}

interface Shown extends Offer {
  readonly name: string;
  readonly variants: { readonly nodes: readonly ShownVariant[] };
}

const offerMembers = "price { amount } listPrice { amount } stock { status quantity }";

/** What an agent reads of a product. */
const shownOf = async (server: TestServer, id: number, isVariable: boolean): Promise<unknown> => {
  const { data } = await server.graphql<{ product: { product: Shown | null } }>(
    `{ product(id: "${id}") { product { name ${offerMembers}
      variants { nodes { variantId options { name value } ${offerMembers} } } } } }`,
  );
  const { product } = data.product;
  if (!product) return null;
  const variants = product.variants.nodes.map(({ variantId, options, ...offer }) => [
    ...[variantId, ...options.map(({ name, value }) => `${name}: ${value}`)],
    ...flatten(offer),
  ]);
  return [product.name, ...(isVariable ? [] : flatten(product)), ...variants];
};

const flatten = ({ price, listPrice, stock }: Offer) => [
  ...[price?.amount, listPrice?.amount, stock.status, stock.quantity],
];

/** What the model's product must be shown as. */
const expectedOf = (product: ModelProduct): unknown => {
  const { name, isDeleted, status, visibility, price, stock, variations } = product;
  if (isDeleted || status !== "publish" || visibility === "hidden") return null;
  if (variations.length === 0)
    return [name, ...expectedPrice(price), ...expectedStock(stock, price.regular === null)];
  const shown = variations.filter((each) => each.isPublished && each.price.regular !== null);
  return [
    name,
    ...shown.map((variation) => [
      ...[String(variation.id), `${product.optionName}: ${variation.size}`],
      ...expectedPrice(variation.price),
      ...expectedStock(
        !variation.stock.isManaged && stock.isManaged ? stock : variation.stock,
        false,
      ),
    ]),
  ];
};

const expectedPrice = ({ regular, sale, window }: ModelPrice) => {
  if (regular === null) return [undefined, undefined];
  const [full, reduced] = [(regular / 100).toFixed(2), ((sale ?? 0) / 100).toFixed(2)];
  return sale !== null && sale < regular && isInForce(window) ? [reduced, full] : [full, undefined];
};

const expectedStock = (
  { isManaged, quantity, status, isSoldAtZero }: ModelStock,
  isUnpriced: boolean,
) => {
  const shown = isManaged ? Math.max(0, quantity) : null;
  if (isUnpriced || status === "outofstock") return ["OUT_OF_STOCK", shown];
  if (!isManaged) return [status === "instock" ? "IN_STOCK" : "BACKORDER", null];
  if (quantity > 0) return ["IN_STOCK", shown];
  return [isSoldAtZero ? "BACKORDER" : "OUT_OF_STOCK", shown];
};

/**
 * Any sequence of the webhooks, some of them twice. Deletions and restorations of a product keep theirs, because a deletion
 * has no time but its arrival.
 */
const shuffle = (webhooks: readonly Webhook[], keys: readonly number[]): readonly Webhook[] => {
  const latest = new Map<number, number>();
  const deleted = new Map<number, number>();
  return webhooks
    .flatMap((webhook, at) => {
      const { productId, topic } = webhook;
      const random = keys[at % keys.length] ?? 0;
      const isDeletion = topic === "product.deleted";
      const floor = (isDeletion ? latest : deleted).get(productId) ?? 0;
      const [key, second] = [Math.max(floor, random % 97), Math.max(floor, random % 89)];
      if (isDeletion) deleted.set(productId, key);
      if (isDeletion || topic === "product.restored")
        latest.set(productId, Math.max(latest.get(productId) ?? 0, key));
      const isTimed = !isDeletion && topic !== "product.restored";
      const repeated = { webhook, key: isTimed ? second : key };
      return random % 7 === 0 ? [{ webhook, key }, repeated] : [{ webhook, key }];
    })
    .sort((one, other) => one.key - other.key)
    .map(({ webhook }) => webhook);
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
  const sent = shop.webhooks.length;
  if (loses) shop.restateAll();
  const isLost = ({ isMended }: Webhook, at: number) =>
    loses && isMended && at < sent && (keys[at % keys.length] ?? 0) % 5 === 0;
  const arriving = shop.webhooks.filter((webhook, at) => !isLost(webhook, at));
  const gateway = openConnection(translateWooCommerce, connection);
  for (const { topic, body, arrivedAt } of shuffle(arriving, keys)) {
    const answer = gateway.deliver(topic, body, { arrivedAt });
    if (answer.outcome === "refused") throw new Error(answer.reason);
    if (answer.outcome !== "prepared") continue;
    assert.equal([...answer.leftOut], []);
    assert.equal(server.apply(...answer.events).deadLetters, []);
  }
  return shop;
};

for (const loses of [false, true]) {
  const name = loses ? "with losses that later complete bodies mend" : "without losses";
  test(`the folded catalogue equals the shop in any sequence of deliveries, ${name}`, async (context) => {
    let shown = 0;
    const check = async (changes: readonly Change[], keys: readonly number[]): Promise<void> => {
      context.firstId += 10;
      const shop = deliver(context.server, context.firstId, changes, keys, loses);
      for (const product of shop.products.values()) {
        const expected = expectedOf(product);
        if (expected !== null) shown += 1;
        const isVariable = product.variations.length > 0;
        assert.equal(await shownOf(context.server, product.id, isVariable), expected);
      }
    };
    const changes = fc.array(change, { minLength: 1, maxLength: 20 });
    await fc.assert(fc.asyncProperty(changes, sequences, check), { numRuns: 100 });
    assert.ok(shown > 100, `only ${shown} products were shown`);
  });
}

test.run();

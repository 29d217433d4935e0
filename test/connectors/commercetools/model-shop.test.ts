import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { translateCommercetools } from "../../../src/connectors/commercetools/translate.ts";
import { toEntityId } from "../../../src/connectors/ids.ts";
import { openConnection } from "../../helpers/connection-state.ts";
import { openTestServer, type TestServer } from "../../helpers/test-server.ts";
import { settings } from "../../spec/goods/situations.ts";
import { sequences, shuffle } from "../shuffle.ts";
import { connection } from "./bodies.ts";
import {
  type Change,
  change,
  type ModelEntry,
  type ModelPrice,
  type ModelProduct,
  type ModelShop,
  type ModelVariant,
  openModelShop,
  priceChannel,
  scopes,
  windows,
} from "./model-shop.ts";

const test = suite<{ server: TestServer; firstId: number }>("a model shop of commercetools");

test.before(async (context) => {
  context.server = await openTestServer();
  context.server.apply(settings({ quantityVisible: "always" }));
  context.firstId = 1;
});
test.after(({ server }) => server.close());

/** What an agent reads of a product. */
const shownOf = async (server: TestServer, uuid: string): Promise<unknown> => {
  const { data } = await server.graphql<{
    product: { product: Shown | null };
  }>(`{ product(id: "${toEntityId("product", uuid)?.id}") { product {
    name variants { nodes { variantId sku price { amount } listPrice { amount } stock { status quantity } } } } } }`);
  const { product } = data.product;
  return product && { name: product.name, variants: product.variants.nodes.map(flatten) };
};

interface Shown {
  readonly name: string;
  readonly variants: { readonly nodes: readonly ShownVariant[] };
}

interface ShownVariant {
  readonly variantId: string;
  readonly sku: string | null;
  readonly price: { readonly amount: string } | null;
  readonly listPrice: { readonly amount: string } | null;
  readonly stock: { readonly status: string; readonly quantity: number | null };
}

const flatten = ({ variantId, sku, price, listPrice, stock }: ShownVariant) => [
  ...[variantId, sku, price?.amount, listPrice?.amount],
  ...[stock.status, stock.quantity],
];

/** What the model's product must be shown as. */
const expectedOf = (
  { name, state, variants }: ModelProduct,
  entries: readonly ModelEntry[],
): unknown =>
  state === "published"
    ? { name, variants: variants.map((variant) => expectedVariant(variant, entries)) }
    : null;

const expectedVariant = ({ id, sku, prices }: ModelVariant, entries: readonly ModelEntry[]) => {
  const own = entries.filter((entry) => entry.sku === sku);
  const sum = own.reduce((total, { quantity }) => total + (quantity ?? 0), 0);
  return [
    ...[String(id), sku, ...expectedPrice(prices)],
    ...[sum > 0 ? "IN_STOCK" : "OUT_OF_STOCK", own.length === 0 ? null : Math.max(0, sum)],
  ];
};

/** All messages are of September 2026. */
const messageTime = "2026-09-15";

const holdsAt = (window: ModelPrice["window"], time: string): boolean => {
  const { validFrom = "", validUntil = "9" } = windows[window] as Record<string, string>;
  return validFrom <= time && time < validUntil;
};

/** @returns the amount that is paid now, and that before a reduction */
const expectedPrice = (prices: readonly ModelPrice[]): readonly (string | undefined)[] => {
  const preferred = scopes.flatMap((scope) => prices.filter((price) => price.scope === scope));
  const base = findBase(preferred);
  if (!base) return [undefined, undefined];
  const paid = findSale(base, preferred);
  return paid === undefined ? [decimal(base.cents), undefined] : [paid, base.cents].map(decimal);
};

const findBase = (preferred: readonly ModelPrice[]): ModelPrice | undefined => {
  const undated = preferred.find(({ window }) => window === "none");
  const holding = preferred.find(({ window }) => window !== "none" && holdsAt(window, messageTime));
  if (!undated || !holding || rankOf(holding) > rankOf(undated)) return undated ?? holding;
  return holding.cents > undated.cents ? holding : undated;
};

const rankOf = ({ scope }: ModelPrice): number => (scopes as readonly string[]).indexOf(scope);

/** @returns the cents of the sale in force, which is of the same or a higher preference */
const findSale = (base: ModelPrice, preferred: readonly ModelPrice[]): number | undefined => {
  const now = new Date().toISOString();
  const sales = preferred.filter(
    (price) =>
      price.window !== "none" &&
      price !== base &&
      rankOf(price) <= rankOf(base) &&
      holdsAt(price.window, now),
  );
  return [...sales, base].map(lowest).find((cents) => cents < base.cents);
};

const lowest = ({ cents, discounted }: ModelPrice): number => Math.min(cents, discounted ?? cents);

const decimal = (cents: number): string => (cents / 100).toFixed(2);

/** Delivers the notifications in any sequence, and returns the shop after them. */
const deliver = (
  server: TestServer,
  firstId: number,
  changes: readonly Change[],
  keys: readonly number[],
  loses: boolean,
): ModelShop => {
  const shop = openModelShop(firstId);
  for (const each of changes) shop.apply(each);
  const arriving = shuffle(shop.notifications, keys, loses);
  const sent = shop.notifications.length;
  if (loses) shop.restateAll();
  const restated = shop.notifications.slice(sent);
  const deliveries = shuffle([...arriving, ...restated], keys.toReversed(), false);
  const gateway = openConnection(translateCommercetools, {
    ...{ ...connection, country: "DE", channel: priceChannel },
  });
  for (const { body } of deliveries) {
    const answer = gateway.deliver("", body);
    if (answer.outcome === "refused") throw new Error(answer.reason);
    if (answer.outcome !== "prepared") continue;
    assert.equal([...answer.leftOut], []);
    assert.equal(server.apply(...answer.events).deadLetters, []);
  }
  return shop;
};

for (const loses of [false, true]) {
  const name = loses ? "with losses that later messages mend" : "without losses";
  test(`the folded catalogue equals the shop in any sequence of deliveries, ${name}`, async (context) => {
    let shown = 0;
    const check = async (changes: readonly Change[], keys: readonly number[]): Promise<void> => {
      context.firstId += 10;
      const shop = deliver(context.server, context.firstId, changes, keys, loses);
      for (const product of shop.products.values()) {
        const expected = expectedOf(product, shop.entries);
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

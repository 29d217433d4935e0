import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { translateCommercetools } from "../../src/connectors/commercetools/translate.ts";
import { googleTopics, translateGoogle } from "../../src/connectors/files/google/translate.ts";
import { shopifyTopics, translateShopify } from "../../src/connectors/shopify/translate.ts";
import {
  translateWooCommerce,
  wooCommerceTopics,
} from "../../src/connectors/woocommerce/translate.ts";
import { decode } from "../../src/events/decode.ts";
import { toMessage } from "../../src/events/envelope.ts";
import { openConnection, type TestConnection } from "../helpers/connection-state.ts";
import { property } from "../helpers/effort.ts";
import * as commercetools from "./commercetools/bodies.ts";
import { connection, levelBody, productBody, variantBody } from "./shopify/bodies.ts";
import * as woocommerce from "./woocommerce/bodies.ts";

const test = suite("hostile deliveries");

/** Values that payloads have where others are expected. */
const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    null,
    "",
    " ",
    0,
    -1,
    1.5,
    1e300,
    true,
    [],
    {},
    [null],
    [[]],
    "\ud800",
    "x".repeat(3_000),
  ),
  fc.constantFrom(
    "2026-10-01T10:00:00+02:00",
    "9999-12-31T23:59:59.999Z",
    "0000-01-01T00:00:00Z",
    "2026-02-30",
  ),
  fc.constantFrom(
    "__proto__",
    "constructor",
    "4503599627370496",
    "00",
    "19.99",
    "<script>",
    "//evil.example/a.png",
  ),
);

/** Replaces some members of a body, at any depth. */
const mutated = (body: object): fc.Arbitrary<unknown> =>
  fc
    .array(fc.tuple(fc.array(fc.nat(30), { minLength: 1, maxLength: 4 }), value), { maxLength: 5 })
    .map((changes) => {
      const copy: unknown = structuredClone(body);
      for (const [path, replacement] of changes) replaceAt(copy, path, replacement);
      return copy;
    });

const replaceAt = (
  node: unknown,
  [first = 0, ...rest]: readonly number[],
  replacement: unknown,
): void => {
  if (typeof node !== "object" || node === null) return;
  const names = Object.keys(node);
  const name = names[first % names.length];
  if (name === undefined) return;
  const child: unknown = Reflect.get(node, name);
  if (rest.length > 0 && typeof child === "object" && child !== null)
    replaceAt(child, rest, replacement);
  else Reflect.set(node, name, structuredClone(replacement));
};

/** Delivers bodies to one connection, and checks that every event is valid. */
const deliverAll = (
  gateway: TestConnection,
  deliveries: readonly (readonly [topic: string, body: unknown])[],
): number => {
  let events = 0;
  for (const [topic, body] of deliveries) {
    const answer = gateway.deliver(topic, JSON.stringify(body ?? null));
    if (answer.outcome !== "prepared") {
      assert.type(answer.reason, "string");
      continue;
    }
    for (const event of answer.events) {
      const { body: bytes, headers } = toMessage(event);
      const decoded = decode({ body: bytes, headers, sequence: 1, time: Date.UTC(2027, 0, 1) });
      assert.ok(decoded.ok, `${JSON.stringify(decoded)} ${JSON.stringify(event)}`);
      events += 1;
    }
  }
  return events;
};

interface Platform {
  readonly topics: readonly string[];
  readonly bodies: readonly object[];
  open(): TestConnection;
}

const googleBody = (attributes: object) => ({
  items: [
    {
      ...{ id: ["M1"], title: ["Mug"], link: ["https://shop.example/mug"], price: ["15 EUR"] },
      ...{
        sale_price: ["9 EUR"],
        sale_price_effective_date: ["2026-10-01T00:00Z/2026-10-02T23:59Z"],
      },
      ...{ product_type: ["A > B"], product_detail: ["a:b:c"], variant_option: [{ name: "A" }] },
      ...{ unit_pricing_measure: ["1 l"], certification: ["EC:EPREL:1"], ...attributes },
    },
    { id: ["M2"], title: ["Mug"], link: ["https://shop.example/m2"], price: ["15 EUR"] },
  ],
});

const platforms: Readonly<Record<string, Platform>> = {
  Shopify: {
    topics: [...shopifyTopics, "orders/create", ""],
    bodies: [
      productBody(),
      productBody({ variants: [variantBody({ image_id: 30, compare_at_price: "30" })] }),
      levelBody(),
      { id: 9001, tracked: true, updated_at: "2026-10-01T10:00:00Z" },
      {
        id: 548,
        currency: "EUR",
        primary_locale: "de",
        iana_timezone: "Europe/Berlin",
        updated_at: null,
      },
    ],
    open: () => openConnection(translateShopify, connection),
  },
  WooCommerce: {
    topics: [...wooCommerceTopics, "order.created"],
    bodies: [
      woocommerce.productBody(),
      woocommerce.parentBody(),
      woocommerce.variationBody(),
      // Rows of a file.
      woocommerce.productBody({ permalink: "/?p=7", upsell_ids: [{ sku: "TEE" }] }),
      woocommerce.variationBody({ parent_id: { sku: "TEE" } }),
      { id: woocommerce.productBody().id },
    ],
    open: () => openConnection(translateWooCommerce, woocommerce.connection),
  },
  commercetools: {
    topics: [""],
    bodies: [
      commercetools.published(1),
      { specversion: "1.0", data: commercetools.published(2) },
      commercetools.entryCreated(3, 5),
      commercetools.quantitySet(4, 7),
      commercetools.resourceDeleted(5, "product", commercetools.productId),
      commercetools.categoryCreated(6),
    ],
    open: () => openConnection(translateCommercetools, commercetools.connection),
  },
  "product data for Google": {
    topics: [...googleTopics],
    bodies: [googleBody({}), googleBody({ item_group_id: ["G"], color: ["Red"] })],
    open: () =>
      openConnection(translateGoogle, {
        url: "https://shop.example",
        categoryUrl: "https://shop.example/{id}",
      }),
  },
};

for (const [name, { topics, bodies, open }] of Object.entries(platforms)) {
  test(`Contract 10: Translation 3 no body of ${name} ends the translator, and each event is valid`, () => {
    let events = 0;
    const body = fc.oneof(value, ...bodies.map(mutated));
    const deliveries = fc.array(fc.tuple(fc.constantFrom(...topics), body), { maxLength: 6 });
    fc.assert(
      fc.property(deliveries, (sent) => {
        events += deliverAll(open(), sent);
      }),
      property(3_000),
    );
    assert.ok(events > 100, `only ${events} events`);
  });
}

test.run();

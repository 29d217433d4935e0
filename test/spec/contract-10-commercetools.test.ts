import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CommercetoolsConnection } from "../../src/connectors/commercetools/state.ts";
import { translateCommercetools } from "../../src/connectors/commercetools/translate.ts";
import { unwrap } from "../../src/connectors/commercetools/unwrap.ts";
import { parseBody } from "../../src/connectors/delivery.ts";
import { toEntityId } from "../../src/connectors/ids.ts";
import type { CloudEvent } from "../../src/events/envelope.ts";
import type { NameValue } from "../../src/events/event.ts";
import type { OptionData, VariantData } from "../../src/events/product-facts.ts";
import {
  categoryCreated,
  categoryMessage,
  connection,
  type Entry,
  entryCreated,
  entryDeleted,
  message,
  minutesLater,
  money,
  productId,
  projection,
  published,
  quantitySet,
  resourceDeleted,
  uuid,
  variantBody,
} from "../connectors/commercetools/bodies.ts";
import { type Answer, openConnection, type TestConnection } from "../helpers/connection-state.ts";

const test = suite("Contract 10, commercetools");

const open = (members: Partial<CommercetoolsConnection> = {}): TestConnection =>
  openConnection(translateCommercetools, { ...connection, ...members });

const eventsOf = (answer: Answer): readonly CloudEvent[] => {
  if (answer.outcome !== "prepared") throw new Error(`${answer.outcome}: ${answer.reason}`);
  return answer.events;
};

const numberOf = (kind: string, text: string): number => toEntityId(kind, text)?.id ?? 0;

const product = numberOf("product", productId);
const category = numberOf("category", uuid(12));

interface ProductMembers {
  readonly name: string;
  readonly descriptionHtml: string | null;
  readonly url: string;
  readonly categoryIds: readonly number[];
  readonly specifications: readonly NameValue[];
  readonly options: readonly OptionData[];
  readonly variants: readonly VariantData[];
}

const dataOf = <T>(answer: Answer, subject: string): T => {
  const event = eventsOf(answer).find((each) => each.subject === subject);
  if (!event) throw new Error(`no event of ${subject}`);
  return event.data as T;
};

const productOf = (answer: Answer): ProductMembers =>
  dataOf<ProductMembers>(answer, `product/${product}`);

/** Data of a product that is published with some members. */
const publish = (
  members: object = {},
  settings: Partial<CommercetoolsConnection> = {},
): ProductMembers => productOf(open(settings).deliver("", published(0, members)));

const outcomesOf = (shop: TestConnection, ...bodies: readonly unknown[]) =>
  bodies.map((body) => {
    const answer = shop.deliver("", body);
    return answer.outcome === "prepared" ? answer.events.map(({ type }) => type) : answer.outcome;
  });

test("a published product has its members and the stock of its variants", () => {
  const shop = open({ categoryUrl: "https://shop.example/c/{slug}" });
  const availability = { isOnStock: true, availableQuantity: 4 };
  const images = [
    { url: "https://cdn.example/a.jpg", dimensions: { w: 10, h: 20 }, label: "Front" },
    { url: "https://cdn.example/b.jpg", dimensions: { w: 0, h: 0 } },
  ];
  const masterVariant = variantBody(1, { availability, images });
  const answer = shop.deliver("", published(0, { masterVariant }));
  assert.equal(
    eventsOf(answer).map(({ id, type, subject, time }) => [id, type, subject, time]),
    [
      ["main/test/1/0", "shop.product.upserted", `product/${product}`, minutesLater(0)],
      ["main/test/1/1", "shop.stock.changed", `stock/${product}/1`, minutesLater(0)],
    ],
  );
  const shown = [
    { url: "https://cdn.example/a.jpg", alt: "Front", width: 10, height: 20 },
    { url: "https://cdn.example/b.jpg", alt: null, width: null, height: null },
  ];
  const variant = (id: number, size: string) => ({
    ...{ id, sku: `TEE-${id}`, options: [{ name: "size", value: size }], specifications: [] },
    ...{ price: { amount: "19.99", currency: "EUR" }, sales: [] },
    ...{ images: id === 1 ? shown : [], active: true },
  });
  assert.equal(productOf(answer), {
    ...{ id: product, externalId: productId, name: "Tee", descriptionHtml: "<p>Soft.</p>" },
    ...{ url: "https://shop.example/p/tee", categoryIds: [category], specifications: [] },
    ...{
      images: shown,
      active: true,
      options: [{ name: "size", code: "size", values: ["S", "M"] }],
    },
    variants: [variant(1, "S"), variant(2, "M")],
  });
  assert.equal(dataOf(answer, `stock/${product}/1`), {
    ...{ productId: product, variantId: 1, quantity: 4 },
  });
});

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64");

const cloudEvent = (data: object, type = "product.message.ProductPublished") => ({
  ...{ specversion: "1.0", id: uuid(1), source: "/shop/products", subject: productId },
  ...{ type: `com.commercetools.${type}`, time: minutesLater(0), sequence: "1", data },
});
const pubSub = (data: unknown) => ({
  message: { data: base64(data), messageId: "2070443601311540", attributes: {} },
  subscription: "projects/shop/subscriptions/vitrine",
});
const eventBridge = (detail: object) => ({
  ...{ version: "0", id: uuid(2), "detail-type": "ProductPublished", source: "aws.partner/shop" },
  ...{ account: "1", resources: [], detail },
});
const sns = (payload: unknown) => ({
  ...{ Type: "Notification", MessageId: uuid(3), TopicArn: "arn:aws:sns:eu-central-1:1:shop" },
  Message: typeof payload === "string" ? payload : JSON.stringify(payload),
});

const envelopes: Readonly<Record<string, (payload: object) => object>> = {
  "no envelope": (payload) => payload,
  CloudEvents: cloudEvent,
  EventBridge: eventBridge,
  "Pub/Sub": pubSub,
  SNS: sns,
  "CloudEvents in Pub/Sub": (payload) => pubSub(cloudEvent(payload)),
  "CloudEvents in SNS": (payload) => sns(cloudEvent(payload)),
  "EventBridge in SNS": (payload) => sns(eventBridge(payload)),
};

for (const [name, wrap] of Object.entries(envelopes)) {
  test(`1: a message is read from ${name}, also without notificationType`, () => {
    const body = published(0, {}, { notificationType: undefined });
    assert.is(productOf(open().deliver("", wrap(body))).name, "Tee");
    assert.is(unwrap(parseBody(JSON.stringify(wrap(body))))?.id, body.id);
  });
}

test("1: a notification without an id has that of the innermost envelope", () => {
  const deleted = { ...resourceDeleted(1, "product", productId), notificationType: undefined };
  const change = cloudEvent(deleted, "product.change.ResourceDeleted");
  assert.is(unwrap(change)?.id, uuid(1));
  assert.is(unwrap(sns(deleted))?.id, uuid(3));
  assert.is(unwrap(pubSub(deleted))?.id, "2070443601311540");
  assert.is(unwrap(deleted)?.id, undefined);
  assert.equal(outcomesOf(open(), change), [["shop.product.deleted"]]);
});

const unusable: readonly unknown[] = [
  ...[[], '"text"', null, {}, { data: {} }, { message: {} }, { detail: "text" }],
  ...[sns("no JSON"), sns("[]"), pubSub([]), { message: { data: "%%%" } }, cloudEvent([])],
  Array.from({ length: 9 }).reduce<object>(sns, published(0)),
];

test("1: a body without a message is refused, and so are more than five envelopes", () => {
  for (const body of unusable) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    assert.is(unwrap(parseBody(text)), undefined, text);
    const answer = open().deliver("", body);
    assert.is(answer.outcome === "refused" && answer.path, "", JSON.stringify(body));
  }
});

test("1: a subscription of SNS is ignored until the operator confirms it", () => {
  const confirmation = { Type: "SubscriptionConfirmation", Message: "You have chosen", Token: "1" };
  const answer = open().deliver("", confirmation);
  assert.match(answer.outcome === "ignored" ? answer.reason : "", "confirm the subscription");
});

const tooLarge = { reason: "Payload too large.", payloadType: "ProductPublished" };
const ignoredBodies: readonly [body: object, reason: string][] = [
  [message("ProductPriceChanged", 1, { staged: false }), "a change without its product"],
  [message("ProductVariantAdded", 1, { staged: true }), "a change without its product"],
  [message("StandalonePriceValueChanged", 1), "a change without its product"],
  [message("InventoryEntryOutOfStock", 1), "a change without its product"],
  [
    { ...resourceDeleted(1, "product", productId), notificationType: "ResourceUpdated" },
    "a change without its product",
  ],
  [
    { ...resourceDeleted(1, "product", productId), notificationType: undefined },
    "a change without its product",
  ],
  [resourceDeleted(1, "inventory-entry", uuid(300)), "a message without goods"],
  [message("OrderCreated", 1), "a message without goods"],
  [
    { notificationType: "Event", type: "ImportContainerCreated", data: {} },
    "a message without goods",
  ],
  [message("ProductPublished", 1, { payloadNotIncluded: tooLarge }), "the payload was too large"],
  [
    { ...message("", 1), type: undefined, payloadNotIncluded: tooLarge },
    "the payload was too large",
  ],
];

test("2: thin changes, other messages and those without their payload are ignored", () => {
  for (const [body, reason] of ignoredBodies) {
    const shop = open();
    const answer = shop.deliver("", body);
    assert.is(answer.outcome === "ignored" && answer.reason, reason);
    assert.is(shop.rows.size, 0);
  }
});

const master = (members: object) => ({ masterVariant: variantBody(1, members) });
const refusals: readonly [path: string, body: object][] = [
  ["resource.typeId", { ...published(0), resource: undefined, notificationType: "Message" }],
  ["resource.id", published(0, {}, { resource: { typeId: "product", id: " " } })],
  ["lastModifiedAt", published(0, {}, { lastModifiedAt: "2026-10-01T10:00:00" })],
  ["productProjection", published(0, {}, { productProjection: undefined })],
  ["productProjection", published(0, { slug: {} })],
  ["productProjection.name", published(0, { name: { en: " " } })],
  ["productProjection.variants", published(0, { variants: undefined })],
  ["productProjection.masterVariant.id", published(0, { masterVariant: null })],
  ["productProjection.variants[0].id", published(0, { variants: [{ sku: "A" }] })],
  ["inventoryEntry.availableQuantity", entryCreated(0, null)],
  ["newAvailableQuantity", quantitySet(0, "many")],
  ["sku", quantitySet(0, 1, { sku: " " })],
  ["category.name", categoryCreated(0, { name: {} })],
  ["category.slug", categoryCreated(0, { slug: {} })],
];

test("2: messages that cannot be used are refused with the path, and change no state", () => {
  for (const [path, body] of refusals) {
    const shop = open({ categoryUrl: "https://shop.example/c/{slug}" });
    const answer = shop.deliver("", body);
    assert.is(answer.outcome === "refused" && answer.path, path);
    assert.is(shop.rows.size, 0);
  }
});

test("2: without a currency a product is refused", () => {
  const { currency: _, ...others } = connection;
  const answer = openConnection(translateCommercetools, others).deliver("", published(0));
  assert.is(answer.outcome === "refused" && answer.path, "");
});

test("3: of a resource the message with the highest sequence number counts, and its repeats do not", () => {
  const shop = open();
  const named = (sequenceNumber: number, minutes: number, name: string) =>
    published(minutes, { name: { en: name } }, { sequenceNumber });
  assert.is(productOf(shop.deliver("", named(5, 9, "Fifth"))).name, "Fifth");
  assert.equal(outcomesOf(shop, named(5, 9, "Fifth"), named(4, 30, "Fourth")), [
    ...["ignored", "ignored"],
  ]);
  const answer = shop.deliver("", named(6, 2, "Sixth"));
  assert.is(productOf(answer).name, "Sixth");
  assert.is(eventsOf(answer)[0]?.time, minutesLater(9));
});

test("3: an entry of inventory and a category have numbers of their own", () => {
  const shop = open({ categoryUrl: "https://shop.example/c/{slug}" });
  shop.deliver("", published(50));
  assert.equal(
    outcomesOf(
      shop,
      ...[
        quantitySet(5, 3),
        quantitySet(4, 7),
        quantitySet(5, 3),
        quantitySet(3, 8, { entry: 301 }),
      ],
      ...[categoryCreated(2), categoryCreated(1), entryDeleted(5), entryDeleted(6)],
    ),
    [
      ...[["shop.stock.changed"], "ignored", "ignored", ["shop.stock.changed"]],
      ...[["shop.category.upserted"], "ignored", "ignored", ["shop.stock.changed"]],
    ],
  );
});

test("3: a deletion without a number counts by its time, and nothing older counts after it", () => {
  const shop = open();
  assert.equal(
    outcomesOf(
      shop,
      ...[published(5), resourceDeleted(4, "product", productId)],
      ...[resourceDeleted(6, "product", productId), published(6), published(3)],
    ),
    [["shop.product.upserted"], "ignored", ["shop.product.deleted"], "ignored", "ignored"],
  );
});

test("4: an unpublished product is deleted, and a later publication brings it back", () => {
  const shop = open();
  shop.deliver("", quantitySet(0, 3));
  const stocked = ["shop.product.upserted", "shop.stock.changed"];
  assert.equal(
    outcomesOf(
      shop,
      ...[published(1), message("ProductUnpublished", 2), published(1), quantitySet(3, 8)],
      ...[published(4), message("ProductDeleted", 5), published(4)],
    ),
    [
      ...[stocked, ["shop.product.deleted"], "ignored", []],
      ...[stocked, ["shop.product.deleted"], "ignored"],
    ],
  );
  assert.not.ok([...shop.rows.values()].some((row) => row.includes('"variantId"')));
});

test("4: the state of the projection and staged data do not count", () => {
  const body = published(0, { published: false, hasStagedChanges: true }, { scope: "Prices" });
  const data = dataOf<{ active: boolean }>(open().deliver("", body), `product/${product}`);
  assert.is(data.active, true);
});

test("5: ids and amounts are read by their digits", () => {
  const text = JSON.stringify(
    published(
      0,
      { masterVariant: variantBody(1, { prices: [{ value: money("@amount") }] }) },
      { resource: { typeId: "product", id: "@id" } },
    ),
  )
    .replace('"@id"', "788032119674292922")
    .replace('"@amount"', "12345678901234567");
  const [event] = eventsOf(open().deliver("", text));
  const data = event?.data as ProductMembers & { externalId: string };
  assert.is(data.externalId, "788032119674292922");
  assert.is(event?.subject, `product/${numberOf("product", "788032119674292922")}`);
  assert.is(data.variants[0]?.price?.amount, "123456789012345.67");
});

const texts: readonly [language: string | undefined, value: object, text: string | null][] = [
  ["en", { de: "A", en: "B" }, "B"],
  ["de-AT", { en: "A", "de-AT": "B", de: "C" }, "B"],
  ["de-AT", { en: "A", "de-DE": "B" }, "B"],
  ["de", { en: "A", "de-CH": "B", "de-DE": "C" }, "B"],
  ["fr", { de: "A", en: "B" }, "A"],
  ["en", { en: " ", de: "A" }, "A"],
  [undefined, { de: "A", en: "B" }, "A"],
  ["en", {}, null],
];

test("5: texts are those of the connection's language, else of a country of it, else the first", () => {
  const { language: _, ...others } = connection;
  for (const [language, description, text] of texts) {
    const settings = language === undefined ? others : { ...others, language };
    const shop = openConnection(translateCommercetools, settings);
    const answer = shop.deliver("", published(0, { description }));
    assert.is(productOf(answer).descriptionHtml, text, JSON.stringify([language, description]));
  }
});

test("5: the address of a product is that of the template", () => {
  for (const [productUrl, url] of [
    ["https://shop.example/{slug}-{id}", `https://shop.example/tee-${productId}`],
    ["https://shop.example/{sku}", "https://shop.example/TEE-1"],
  ] as const) {
    assert.is(publish({}, { productUrl }).url, url);
  }
  const shop = open({ productUrl: "https://shop.example/{sku}" });
  assert.equal(outcomesOf(shop, published(0, master({ sku: undefined }))), ["refused"]);
});

const [german, french] = [{ country: "DE" }, { country: "FR" }];
const channel = (number: number) => ({ channel: { typeId: "channel", id: uuid(number) } });
const group = { customerGroup: { typeId: "customer-group", id: uuid(600) } };
const price = (centAmount: number, members: object = {}) => ({
  value: money(centAmount),
  ...members,
});
const until = (minutes: number) => ({ validUntil: minutesLater(minutes) });
const from = (minutes: number) => ({ validFrom: minutesLater(minutes) });
const discounted = (centAmount: number) => ({ discounted: { value: money(centAmount) } });

const chosen = (
  prices: readonly object[],
  settings: Partial<CommercetoolsConnection> = {},
): unknown => {
  const [variant] = publish(master({ prices }), settings).variants;
  const sales = (variant?.sales ?? []).map((sale) => [
    ...[sale.price.amount, sale.from ?? null, sale.to ?? null],
  ]);
  return sales.length === 0 ? variant?.price?.amount : [variant?.price?.amount, ...sales];
};

const choices: Readonly<
  Record<string, readonly [prices: readonly object[], amount: string | undefined]>
> = {
  "the only one": [[price(1000)], "10.00"],
  "none without any": [[], undefined],
  "none of another currency": [[{ value: money(900, { currencyCode: "USD" }) }], undefined],
  "none of a customer group": [[price(900, group), price(1000)], "10.00"],
  "none of another country": [[price(900, french), price(1000)], "10.00"],
  "none, where all are of another country": [[price(900, french)], undefined],
  "none of another channel": [[price(900, channel(501)), price(1000)], "10.00"],
  "the country's": [[price(900), price(1000, german)], "10.00"],
  "the channel's": [[price(900, german), price(1000, channel(500))], "10.00"],
  "the channel's of the country": [
    [price(800, channel(500)), price(1000, { ...channel(500), ...german }), price(900, german)],
    "10.00",
  ],
  "none of the channel in another country": [
    [price(800, { ...channel(500), ...french }), price(1000)],
    "10.00",
  ],
};

for (const [name, [prices, amount]] of Object.entries(choices)) {
  test(`6: the price of a variant is ${name}`, () => {
    assert.equal(chosen(prices, { country: "DE", channel: uuid(500) }), amount);
  });
}

test("6: without a country and a channel, prices of one do not count", () => {
  assert.is(chosen([price(800, german), price(900, channel(500)), price(1000)]), "10.00");
});

const windows: Readonly<Record<string, readonly [prices: readonly object[], expected: unknown]>> = {
  "a window below the price": [
    [price(1000), price(800, { ...from(-5), ...until(5) })],
    ["10.00", ["8.00", minutesLater(-5), minutesLater(5)]],
  ],
  "a window before the price in the list": [
    [price(800, until(5)), price(1000)],
    ["10.00", ["8.00", null, minutesLater(5)]],
  ],
  "a window to come": [
    [price(1000), price(800, from(5))],
    ["10.00", ["8.00", minutesLater(5), null]],
  ],
  "no window that is past": [[price(1000), price(800, until(-5))], "10.00"],
  "no window that ends at the message": [[price(1000), price(800, until(0))], "10.00"],
  "a window above the price that holds": [[price(1000), price(1200, until(5))], "12.00"],
  "no window above the price to come": [[price(1000), price(1200, from(5))], "10.00"],
  "no window of another country": [[price(1000), price(800, { ...french, ...until(5) })], "10.00"],
  "no window of another preference": [[price(1000, german), price(800, until(5))], "10.00"],
  "a discount": [[price(1000, discounted(700))], ["10.00", ["7.00", null, null]]],
  "no discount above the price": [[price(1000, discounted(1100))], "10.00"],
  "windows in their sequence, then the discount": [
    [
      ...[
        price(1000, discounted(900)),
        price(800, from(50)),
        price(950, { ...until(5), ...discounted(850) }),
      ],
      ...[price(700, { ...from(20), ...until(30) })],
    ],
    [
      ...["10.00", ["8.50", null, minutesLater(5)], ["7.00", minutesLater(20), minutesLater(30)]],
      ...[
        ["8.00", minutesLater(50), null],
        ["9.00", null, null],
      ],
    ],
  ],
  "the price that holds, of those with dates": [
    [price(800, until(-1)), price(900, from(10)), price(1000, { ...from(0), ...until(10) })],
    ["10.00", ["9.00", minutesLater(10), null]],
  ],
  "a closer preference to come": [
    [price(900, { ...german, ...from(5) }), price(1000)],
    ["10.00", ["9.00", minutesLater(5), null]],
  ],
  "a closer preference that ends": [
    [price(900, { ...german, ...until(5) }), price(1000)],
    ["10.00", ["9.00", null, minutesLater(5)]],
  ],
  "none while none holds": [[price(900, from(5))], undefined],
};

for (const [name, [prices, expected]] of Object.entries(windows)) {
  test(`7: the price and the sales are those of ${name}`, () => {
    assert.equal(chosen(prices, { country: "DE" }), expected);
  });
}

test("7: more than ten sales are the ten that begin first, the discount among them", () => {
  const dated = Array.from({ length: 12 }, (_, at) => price(800 - at, from(20 - at)));
  const [, ...sales] = chosen([price(1000, discounted(900)), ...dated]) as [string, ...string[][]];
  assert.is(sales.length, 10);
  assert.equal([sales[0]?.[0], sales[8]?.[0], sales[9]?.[0]], ["7.89", "7.97", "9.00"]);
});

const amounts: readonly [value: object, amount: string | undefined][] = [
  [money(1999), "19.99"],
  [money(5), "0.05"],
  [money(0), "0.00"],
  [money(500, { fractionDigits: 0 }), "500"],
  [money(12345, { fractionDigits: 3 }), "12.345"],
  [money(1, { type: "highPrecision", preciseAmount: 123456, fractionDigits: 5 }), "1.23456"],
  [money(1, { type: "highPrecision", preciseAmount: 12345670, fractionDigits: 7 }), "1.234567"],
  [money(1, { type: "highPrecision", preciseAmount: 12345678, fractionDigits: 7 }), undefined],
  [money(-1), undefined],
  [money("1.5"), undefined],
  [money(1, { fractionDigits: 900_000_000 }), undefined],
  [money(1, { fractionDigits: undefined }), undefined],
];

test("8: an amount is the decimal text of its digits, and one that does not fit is left out", () => {
  for (const [value, amount] of amounts) {
    const answer = open().deliver("", published(0, master({ prices: [{ value }] })));
    assert.is(productOf(answer).variants[0]?.price?.amount, amount, JSON.stringify(value));
    const leftOut = answer.outcome === "prepared" ? [...answer.leftOut] : [];
    assert.equal(leftOut, amount === undefined ? [["variants.price", 1]] : []);
  }
});

const attribute = (name: string, value: unknown) => ({ name, value });
const withAttributes = (...lists: readonly (readonly object[])[]) => {
  const [first, ...others] = lists.map((attributes, at) => variantBody(at + 1, { attributes }));
  return { masterVariant: first, variants: others };
};

test("9: attributes in which variants differ are options, and the others specifications", () => {
  const made = attribute("madeIn", { de: "Italien", en: "Italy" });
  const data = publish(
    withAttributes(
      [attribute("color", { key: "r", label: { en: "Red" } }), made, attribute("no-code", true)],
      [attribute("color", { key: "b", label: "Blue" }), made, attribute("no-code", false)],
      [attribute("color", { key: "r", label: { en: "Red" } }), made],
    ),
  );
  assert.equal(data.options, [
    { name: "color", code: "color", values: ["Red", "Blue"] },
    { name: "no-code", values: ["true", "false"] },
  ]);
  assert.equal(
    data.variants.map(({ options }) => (options ?? []).map(({ value }) => value)),
    [["Red", "true"], ["Blue", "false"], ["Red"]],
  );
  assert.equal(data.specifications, [{ name: "madeIn", value: "Italy" }]);
});

test("9: a variant alone has no options, and its attributes and those of the product are specifications", () => {
  const one = withAttributes([attribute("size", 42)]);
  const data = publish({ ...one, attributes: [attribute("brand", "Acme")] });
  assert.equal([data.options, data.variants[0]?.options], [[], []]);
  assert.equal(data.specifications, [
    { name: "brand", value: "Acme" },
    { name: "size", value: "42" },
  ]);
});

test("9: sets, references, money and nested attributes are left out", () => {
  const values = [
    ...[["a"], { typeId: "product", id: uuid(1) }, money(100), [[attribute("a", "b")]], null],
    ...[{}, { id: { en: "a" } }, " "],
  ];
  const data = publish(
    withAttributes(
      values.map((value, at) => attribute(`a${at}`, value)),
      [],
    ),
  );
  assert.equal([data.options, data.specifications], [[], []]);
});

test("9: what no option has room for is a specification of the variant", () => {
  const list = (text: string) => [
    attribute("long", text.repeat(501)),
    ...Array.from({ length: 12 }, (_, at) => attribute(`a${at}`, text)),
  ];
  const data = publish(withAttributes(list("x"), list("y")));
  assert.equal(
    data.options.map(({ name }) => name),
    Array.from({ length: 10 }, (_, at) => `a${at}`),
  );
  assert.equal(data.variants[1]?.specifications, [
    { name: "long", value: "y".repeat(501) },
    { name: "a10", value: "y" },
    { name: "a11", value: "y" },
  ]);
});

/** Returns the newest stock of variant 1 after some deliveries. */
const stockAfter = (
  bodies: readonly object[],
  settings: Partial<CommercetoolsConnection> = {},
): unknown => {
  const shop = open(settings);
  let newest: unknown[] = [];
  for (const body of bodies) {
    const answer = shop.deliver("", body);
    if (answer.outcome === "refused") throw new Error(answer.reason);
    const events = answer.outcome === "prepared" ? answer.events : [];
    const event = events.find(({ subject }) => subject === `stock/${product}/1`);
    const { quantity, orderable } = (event?.data ?? {}) as Record<string, unknown>;
    if (event) newest = orderable === undefined ? [quantity] : [quantity, orderable];
  }
  return newest;
};

const available = (minutes: number, availability: object) =>
  published(minutes, master({ availability }));
const first: Entry = { entry: 300, channel: 400 };
const second: Entry = { entry: 301, channel: 401 };
const nowhere: Entry = { entry: 302 };
const stocks: Readonly<Record<string, readonly [bodies: readonly object[], expected: unknown]>> = {
  "no information": [[published(0)], []],
  "an entry": [[published(0), entryCreated(1, 5)], [5]],
  "an entry before its product": [[entryCreated(1, 5), published(0)], [5]],
  "a newer quantity": [[published(0), entryCreated(1, 5), quantitySet(2, 3)], [3]],
  "the available quantity, not that on stock": [[published(0), quantitySet(2, 0)], [0]],
  "two channels and none": [
    [published(0), quantitySet(1, 5, first), quantitySet(2, 7, second), quantitySet(3, 1, nowhere)],
    [13],
  ],
  "a channel that is counted again": [
    [published(0), quantitySet(1, 5, first), quantitySet(2, 7, second), quantitySet(3, 4, first)],
    [11],
  ],
  "an entry that was deleted": [
    [published(0), quantitySet(1, 5, first), quantitySet(2, 7, second), entryDeleted(3, first)],
    [7],
  ],
  "a quantity that is older than the deletion": [
    [published(0), entryDeleted(3), quantitySet(2, 7)],
    [0],
  ],
  "no entry any more": [[available(0, { availableQuantity: 9 }), entryDeleted(3)], [0]],
  "another SKU": [[published(0), quantitySet(1, 5, { sku: "TEE-2" })], []],
  "the SKU among the identifiers": [
    [
      published(0),
      {
        ...quantitySet(1, 5, { sku: " " }),
        resourceUserProvidedIdentifiers: { sku: "TEE-1" },
      },
    ],
    [5],
  ],
};

for (const [name, [bodies, expected]] of Object.entries(stocks)) {
  test(`10: the stock follows ${name}`, () => {
    assert.equal(stockAfter(bodies), expected);
  });
}

test("10: with a supply channel, its entries alone count", () => {
  const supplyChannel = uuid(401);
  const bodies = [
    ...[available(0, { availableQuantity: 9 }), quantitySet(1, 5, first)],
    ...[quantitySet(2, 1, nowhere), quantitySet(3, 7, second)],
  ];
  assert.equal(stockAfter(bodies, { supplyChannel }), [7]);
  assert.equal(stockAfter(bodies.slice(0, 3), { supplyChannel }), []);
});

test("10: a variant that gets another SKU has its stock, also where that is older", () => {
  const swapped = published(5, {
    ...master({ sku: "TEE-2" }),
    variants: [variantBody(2, { sku: "TEE-1" })],
  });
  const entries = [quantitySet(9, 5), quantitySet(1, 3, { entry: 301, sku: "TEE-2" })];
  assert.equal(stockAfter([published(0), ...entries, swapped]), [3]);
  assert.equal(stockAfter([swapped, ...entries]), [3]);
  assert.equal(
    stockAfter([published(0), quantitySet(9, 5), published(5, master({ sku: "NEW" }))]),
    [null],
  );
});

test("10: a SKU that moved to another product is not taken back by an older message", () => {
  const shop = open();
  const other = { resource: { typeId: "product", id: uuid(8) } };
  shop.deliver("", published(5, {}, other));
  shop.deliver("", published(4));
  shop.deliver("", published(6, { ...master({ sku: "A" }), variants: [] }));
  const [event, ...others] = eventsOf(shop.deliver("", quantitySet(7, 3)));
  assert.equal([event?.subject, others.length], [`stock/${numberOf("product", uuid(8))}/1`, 0]);
});

const projected: Readonly<Record<string, readonly [bodies: readonly object[], expected: unknown]>> =
  {
    "a quantity": [[available(0, { isOnStock: true, availableQuantity: 4 })], [4]],
    "a quantity of 0": [[available(0, { isOnStock: false, availableQuantity: 0 })], [0]],
    "on stock alone": [[available(0, { isOnStock: true })], [null, true]],
    "not on stock": [[available(0, { isOnStock: false })], [null, false]],
    "channels alone": [[available(0, { channels: { [uuid(400)]: { availableQuantity: 4 } } })], []],
    "an entry beside it": [[available(0, { availableQuantity: 4 }), quantitySet(1, 5)], [5]],
    "an older entry beside it": [[quantitySet(1, 5), available(9, { availableQuantity: 4 })], [5]],
    "a newer publication after the entry was deleted": [
      [entryDeleted(3), available(9, { availableQuantity: 4 })],
      [4],
    ],
  };

for (const [name, [bodies, expected]] of Object.entries(projected)) {
  test(`11: the availability of the projection counts: ${name}`, () => {
    assert.equal(stockAfter(bodies), expected);
  });
}

test("11: a variant without a SKU has the availability of the projection", () => {
  const bodies = [published(0, master({ sku: null, availability: { availableQuantity: 2 } }))];
  assert.equal(stockAfter(bodies), [2]);
});

const categories = { categoryUrl: "https://shop.example/c/{slug}/{id}" };

test("12: a category has its parent, and the address of the connection", () => {
  const [event] = eventsOf(open(categories).deliver("", categoryCreated(0)));
  assert.equal(event?.data, {
    ...{ id: category, externalId: uuid(12), name: "Shirts" },
    parentId: numberOf("category", uuid(11)),
    url: `https://shop.example/c/shirts/${uuid(12)}`,
  });
});

test("12: a new slug keeps the name, and that of a category without a name is ignored", () => {
  const changed = categoryMessage("CategorySlugChanged", 1, { slug: { en: "tops" }, oldSlug: {} });
  const shop = open(categories);
  assert.equal(outcomesOf(shop, changed), ["ignored"]);
  shop.deliver("", categoryCreated(0));
  const data = dataOf<Record<string, unknown>>(shop.deliver("", changed), `category/${category}`);
  assert.equal(
    [data["name"], data["url"], data["parentId"]],
    ["Shirts", `https://shop.example/c/tops/${uuid(12)}`, numberOf("category", uuid(11))],
  );
});

test("12: a deleted category does not come back by an older message", () => {
  const shop = open(categories);
  assert.equal(
    outcomesOf(
      shop,
      ...[categoryCreated(0), resourceDeleted(3, "category", uuid(12))],
      ...[categoryMessage("CategorySlugChanged", 2, { slug: { en: "tops" } }), categoryCreated(1)],
    ),
    [["shop.category.upserted"], ["shop.category.deleted"], "ignored", "ignored"],
  );
});

test("12: without an address of categories there are none", () => {
  const shop = open();
  assert.equal(productOf(shop.deliver("", published(0))).categoryIds, []);
  const bodies = [categoryCreated(0), resourceDeleted(1, "category", uuid(12))];
  assert.equal(outcomesOf(shop, ...bodies), ["ignored", "ignored"]);
});

test("no delivery ends the translator with an exception", () => {
  const values = [undefined, null, 0, "x", [], {}, [null], [{}], { en: null }, true];
  const members = Object.keys(projection());
  for (const value of values) {
    for (const name of members) open(categories).deliver("", published(0, { [name]: value }));
    for (const name of Object.keys(variantBody(1, { availability: {} }))) {
      open().deliver("", published(0, master({ [name]: value })));
      open().deliver("", published(0, master({ [name]: [value, { value, name: value }] })));
    }
    for (const name of [
      "value",
      "country",
      "channel",
      "validFrom",
      "discounted",
      "customerGroup",
    ]) {
      open().deliver("", published(0, master({ prices: [{ value: money(1), [name]: value }] })));
    }
    for (const name of Object.keys(published(0)))
      open().deliver("", published(0, {}, { [name]: value }));
  }
});

test.run();

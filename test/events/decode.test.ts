import { suite } from "uvu";
import * as assert from "uvu/assert";
import { decode } from "../../src/events/decode.ts";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { eventTypes, type ShopEvent } from "../../src/events/event.ts";
import { maxBodyBytes } from "../../src/events/message-content.ts";
import type { Rejection } from "../../src/events/rejection.ts";
import {
  carrierUpserted,
  categoryUpserted,
  cloudEvent,
  oneOfEach,
  pageUpserted,
  priceChanged,
  productDeleted,
  productPatched,
  productUpserted,
  recordOf,
  settingsUpdated,
  stockChanged,
  tokenRegenerated,
} from "../helpers/events.ts";

const test = suite("decode");

const accepted = (event: CloudEvent, logTime?: number): ShopEvent => {
  const decoded = decode(recordOf(event, 9, logTime));
  assert.ok(decoded.ok, decoded.ok ? "" : decoded.rejection.reason);
  return decoded.event;
};

const refused = (event: CloudEvent | Uint8Array): Rejection => {
  const record = recordOf(event instanceof Uint8Array ? productUpserted() : event);
  const decoded = decode(event instanceof Uint8Array ? { ...record, body: event } : record);
  assert.not.ok(decoded.ok, "accepted");
  return (decoded as { readonly rejection: Rejection }).rejection;
};

/** Replaces members of an event's data by any values; `undefined` removes a member. */
const withData = (event: CloudEvent, wrong: Readonly<Record<string, unknown>>): CloudEvent => ({
  ...event,
  data: { ...(event.data as object), ...wrong },
});

const withAttributes = (wrong: Readonly<Record<string, unknown>>): CloudEvent =>
  ({ ...productUpserted(), ...wrong }) as CloudEvent;

test("decode accepts a valid event of every type", () => {
  const types = oneOfEach().map((event) => accepted(event).type);
  assert.equal(types, [...eventTypes]);
});

test("decode returns the attributes, the time in ms and the sequence in the log", () => {
  const event = accepted(productDeleted(4711, { id: "e-1", sequence: 7 }));
  assert.equal(event, {
    type: "shop.product.deleted",
    id: "e-1",
    source: "/shops/test",
    subject: "product/4711",
    time: Date.UTC(2026, 9, 1, 8),
    sequence: "7",
    logSequence: 9,
    data: { id: 4711 },
  });
});

test("decode reads ids of digits as numbers", () => {
  const wrong = { id: "4711", categoryIds: ["3", 4, 3] };
  const event = accepted(withData(productUpserted({ id: 4711 }), wrong));
  assert.is((event.data as { id: number }).id, 4711);
  assert.equal((event.data as { categoryIds: unknown }).categoryIds, [3, 4]);
  const child = accepted(withData(categoryUpserted({ id: 2 }), { parentId: "1" }));
  assert.is((child.data as { parentId: unknown }).parentId, 1);
});

test("decode drops unknown members and sorts the known ones", () => {
  const sent = productUpserted({ price: { amount: "1", currency: "EUR" } });
  const data = sent.data as Readonly<Record<string, unknown>>;
  const turned = Object.fromEntries(Object.entries({ ...data, colour: "blue" }).reverse());
  const price = { tax: 19, currency: "EUR", amount: "1" };
  const event = accepted({ ...sent, data: { ...turned, price }, traceparent: "x" } as CloudEvent);
  assert.is(JSON.stringify(event), JSON.stringify(accepted(sent)));
});

test("null in a patch clears a member; a missing member is kept", () => {
  const patch = { brand: null, price: { amount: "3.00" } };
  assert.equal(accepted(productPatched({ id: 5, ...patch })).data, {
    id: 5,
    brand: null,
    price: { amount: "3.00" },
  });
  assert.equal(accepted(productPatched({ id: 5, price: null })).data, { id: 5, price: null });
});

test("a blank reference, GTIN or brand is null", () => {
  const { data } = accepted(productUpserted({ reference: "", gtin: " ", brand: "" }));
  const { reference, gtin, brand } = data as Readonly<Record<string, unknown>>;
  assert.equal([reference, gtin, brand], [null, null, null]);
});

test("countries are upper case and listed once", () => {
  const { data } = accepted(carrierUpserted({ countries: ["de", "DE", "*"] }));
  assert.equal((data as { countries: unknown }).countries, ["DE", "*"]);
});

test("the alias of a country becomes its ISO code", () => {
  const { data } = accepted(carrierUpserted({ countries: ["UK", "GB", "el", "XK", "Ic"] }));
  assert.equal((data as { countries: unknown }).countries, ["GB", "GR", "XK", "ES"]);
});

test("current and withdrawn currencies are accepted, because old logs have the latter", () => {
  for (const currency of ["EUR", "XCG", "VED", "XAU", "HRK", "DEM"]) {
    accepted(priceChanged({ price: { amount: "1", currency } }));
  }
});

test("every language of ISO 639-1 is accepted, and the withdrawn codes of old systems", () => {
  for (const language of ["en", "he", "iw", "zu"]) accepted(settingsUpdated({ language }));
});

test("an id of any text up to 1024 characters is accepted", () => {
  for (const id of ["a b", " ", "große Maße", "注文-1", "\u2028", "\u202e", "x".repeat(1024)]) {
    assert.is(accepted(productUpserted({}, { id })).id, id);
  }
  assert.is(accepted(productUpserted({}, { id: "\u{1f375}".repeat(1024) })).id.length, 2048);
});

test("both forms of a checkout link are accepted", () => {
  const template = { template: "https://shop.example/cart/{items}", item: "{id}", separator: "," };
  for (const checkoutLink of [{ preset: "shopify" } as const, template, null]) {
    const { data } = accepted(settingsUpdated({ checkoutLink }));
    assert.equal((data as { checkoutLink: unknown }).checkoutLink, checkoutLink);
  }
});

test("a time over 5 minutes ahead of the log time is replaced by the log time", () => {
  const log = Date.UTC(2026, 9, 1, 8);
  assert.is(
    accepted(productUpserted({}, { time: "2026-10-01T08:05:00Z" }), log).time,
    log + 300_000,
  );
  assert.is(accepted(productUpserted({}, { time: "2026-10-01T08:05:00.001Z" }), log).time, log);
});

test("digits after the millisecond of a time are kept, except when it is replaced", () => {
  const log = Date.UTC(2026, 9, 1, 8);
  const exact = accepted(productUpserted({}, { time: "2026-10-01T08:00:00.1239Z" }), log);
  assert.equal([exact.time, exact.subMillis], [log + 123, "9"]);
  const clamped = accepted(productUpserted({}, { time: "2026-10-01T09:00:00.1239Z" }), log);
  assert.equal([clamped.time, clamped.subMillis], [log, undefined]);
  assert.not.ok("subMillis" in accepted(productUpserted({}, { time: "2026-10-01T08:00:00.120Z" })));
});

test("offsets, fractions, small letters and a leap second are read", () => {
  const time = (text: string) => accepted(productUpserted({}, { time: text })).time;
  assert.is(time("2026-10-01T10:00:00+02:00"), Date.UTC(2026, 9, 1, 8));
  assert.is(time("2026-10-01t08:00:00.123456789z"), Date.UTC(2026, 9, 1, 8, 0, 0, 123));
  const leap = { ...productUpserted(), time: "2016-12-31T23:59:60Z" };
  const decoded = decode(recordOf(leap, 1, Date.UTC(2026, 9, 1)));
  assert.is(decoded.ok && decoded.event.time, Date.UTC(2016, 11, 31, 23, 59, 59));
});

test("half a surrogate pair in a text is replaced", () => {
  const { data } = accepted(productUpserted({ name: "cup \ud83d of \u{1f375}" }));
  assert.is((data as { name: string }).name, "cup \ufffd of \u{1f375}");
});

const product = productUpserted();
const badData: readonly (readonly [string, string, CloudEvent])[] = [
  [
    "an amount as a JSON number",
    "data.price.amount",
    withData(product, { price: { amount: 12.9, currency: "EUR" } }),
  ],
  [
    "an amount with a sign",
    "data.price.amount",
    withData(product, { price: { amount: "-1", currency: "EUR" } }),
  ],
  [
    "an amount with a decimal comma",
    "data.price.amount",
    withData(product, { price: { amount: "1,50", currency: "EUR" } }),
  ],
  [
    "an amount with leading zeros",
    "data.price.amount",
    withData(product, { price: { amount: "01", currency: "EUR" } }),
  ],
  [
    "an amount beyond bounds",
    "data.price.amount",
    withData(product, { price: { amount: "1".repeat(16), currency: "EUR" } }),
  ],
  [
    "a currency in small letters",
    "data.price.currency",
    withData(product, { price: { amount: "1", currency: "eur" } }),
  ],
  [
    "a price without currency",
    "data.price.currency",
    withData(product, { price: { amount: "1" } }),
  ],
  ["a price that is not an object", "data.price", withData(product, { price: "12.90" })],
  ["a missing price", "data.price", withData(priceChanged(), { price: undefined })],
  ["a missing id", "data.id", withData(product, { id: undefined })],
  ["id zero", "data.id", withData(product, { id: 0 })],
  ["a fractional id", "data.id", withData(product, { id: 1.5 })],
  ["an id with a leading zero", "data.id", withData(product, { id: "01" })],
  ["an id with a NUL", "data.id", withData(product, { id: "1\0" })],
  ["an id beyond safe integers", "data.id", withData(product, { id: 2 ** 53 })],
  ["an id string beyond safe integers", "data.id", withData(product, { id: "9007199254740992" })],
  ["a blank name", "data.name", withData(product, { name: "  " })],
  ["a name too long", "data.name", withData(product, { name: "x".repeat(501) })],
  ["a relative url", "data.url", withData(product, { url: "/products/1" })],
  ["a javascript url", "data.url", withData(product, { url: "javascript:alert(1)" })],
  ["a url with a user name", "data.url", withData(product, { url: "https://a@shop.example/" })],
  ["a url that cannot be opened", "data.url", withData(product, { url: "https://[shop/1" })],
  [
    "a url too long",
    "data.url",
    withData(product, { url: `https://shop.example/${"x".repeat(2048)}` }),
  ],
  ["a reference too long", "data.reference", withData(product, { reference: "x".repeat(101) })],
  ["a GTIN as a number", "data.gtin", withData(product, { gtin: 4006381333931 })],
  ["an invalid category id", "data.categoryIds[1]", withData(product, { categoryIds: [1, "x"] })],
  [
    "a specification without value",
    "data.specifications[0].value",
    withData(product, { specifications: [{ name: "Size" }] }),
  ],
  ["an invalid image URL", "data.images[0].url", withData(product, { images: [{ url: "1.jpg" }] })],
  ["active as text", "data.active", withData(product, { active: "yes" })],
  ["a patch that clears the name", "data.name", withData(productPatched(), { name: null })],
  ["a patch that clears the url", "data.url", withData(productPatched(), { url: null })],
  [
    "a patch with half a price as a number",
    "data.price.amount",
    withData(productPatched(), { price: { amount: 1 } }),
  ],
  ["a fractional quantity", "data.quantity", withData(stockChanged(), { quantity: 1.5 })],
  ["a missing quantity", "data.quantity", withData(stockChanged(), { quantity: undefined })],
  ["an invalid parent id", "data.parentId", withData(categoryUpserted(), { parentId: -1 })],
  ["an unknown policy", "data.policy", withData(pageUpserted(), { policy: "legal" })],
  [
    "a page without content",
    "data.contentHtml",
    withData(pageUpserted(), { contentHtml: undefined }),
  ],
  ["an unknown language", "data.language", withData(settingsUpdated(), { language: "EN-us" })],
  [
    "a language that ISO 639-1 does not have",
    "data.language",
    withData(settingsUpdated(), { language: "xx" }),
  ],
  [
    "a currency that ISO 4217 does not have",
    "data.price.currency",
    withData(product, { price: { amount: "1", currency: "XYZ" } }),
  ],
  [
    "the code for no currency",
    "data.price.currency",
    withData(priceChanged(), { price: { amount: "1", currency: "XXX" } }),
  ],
  [
    "the currency of a shop that ISO 4217 does not have",
    "data.currency",
    withData(settingsUpdated(), { currency: "XTS" }),
  ],
  [
    "a patch with a currency that ISO 4217 does not have",
    "data.price.currency",
    withData(productPatched(), { price: { currency: "XYZ" } }),
  ],
  [
    "a carrier's currency that ISO 4217 does not have",
    "data.price.currency",
    withData(carrierUpserted(), { price: { min: "1", max: "2", currency: "CNH" } }),
  ],
  [
    "a threshold in a currency that ISO 4217 does not have",
    "data.freeShippingThreshold.currency",
    withData(settingsUpdated(), { freeShippingThreshold: { amount: "1", currency: "XYZ" } }),
  ],
  [
    "an unknown country code",
    "data.countries[1]",
    withData(carrierUpserted(), { countries: ["DE", "ZZ"] }),
  ],
  [
    "an unknown checkout preset",
    "data.checkoutLink.preset",
    withData(settingsUpdated(), { checkoutLink: { preset: "magento" } }),
  ],
  [
    "a checkout template that is a script",
    "data.checkoutLink.template",
    withData(settingsUpdated(), {
      checkoutLink: { template: "javascript:1", item: "{id}", separator: "," },
    }),
  ],
  [
    "an invalid e-mail address",
    "data.contact.email",
    withData(settingsUpdated(), { contact: { email: "nobody" } }),
  ],
  [
    "a country by name",
    "data.countries[0]",
    withData(carrierUpserted(), { countries: ["Germany"] }),
  ],
  ["a carrier without countries", "data.countries", withData(carrierUpserted(), { countries: [] })],
  [
    "negative delivery days",
    "data.deliveryDays.min",
    withData(carrierUpserted(), { deliveryDays: { min: -1, max: 2 } }),
  ],
  [
    "a carrier price as a number",
    "data.price.max",
    withData(carrierUpserted(), { price: { min: "1", max: 2, currency: "EUR" } }),
  ],
  [
    "a label with a control character",
    "data.label",
    withData(tokenRegenerated(), { label: "a\nb" }),
  ],
  ["an empty label", "data.label", withData(tokenRegenerated(), { label: "" })],
  ["a label too long", "data.label", withData(tokenRegenerated(), { label: "x".repeat(101) })],
  ["a negative generation", "data.generation", withData(tokenRegenerated(), { generation: -1 })],
];

for (const [what, field, event] of badData) {
  test(`${what} is rejected, naming ${field}`, () => {
    const rejection = refused(event);
    assert.is(rejection.code, "schema");
    assert.is(rejection.field, field);
    assert.ok(rejection.reason.startsWith(field));
  });
}

const badAttributes: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["specversion", { specversion: "0.3" }],
  ["id", { id: "" }],
  ["id", { id: "a\u0000" }],
  ["id", { id: "a\nb" }],
  ["id", { id: "a\u0085b" }],
  ["id", { id: "x".repeat(1025) }],
  ["source", { source: "" }],
  ["source", { source: "not a reference" }],
  ["type", { type: 7 }],
  ["subject", { subject: undefined }],
  ["time", { time: undefined }],
  ["time", { time: "2026-10-01" }],
  ["time", { time: "2026-10-01 08:00:00Z" }],
  ["time", { time: "2026-10-01T08:00:00" }],
  ["time", { time: "2026-02-30T08:00:00Z" }],
  ["sequence", { sequence: 7 }],
  ["sequence", { sequence: "7".repeat(65) }],
  ["datacontenttype", { datacontenttype: "text/xml" }],
  ["data", { data: undefined }],
  ["data", { data: "<product/>" }],
];

for (const [field, wrong] of badAttributes) {
  test(`an envelope with ${JSON.stringify(wrong).slice(0, 60)} is rejected, naming ${field}`, () => {
    const rejection = refused(withAttributes(wrong));
    assert.is(rejection.code, "envelope");
    assert.is(rejection.field, field);
  });
}

test("a rejection states the fix in one sentence", () => {
  const { reason } = refused(withData(product, { price: { amount: 12.9, currency: "EUR" } }));
  const fix = 'must be a decimal string such as "12.90", not the JSON number 12.9';
  assert.is(reason, `data.price.amount ${fix}`);
  const { reason: missing } = refused(withData(product, { name: undefined }));
  assert.is(missing, "data.name is missing: it must be a text of 1 to 500 characters, not blank");
});

test("the rejection of an unknown code names its standard", () => {
  const { reason } = refused(withData(settingsUpdated(), { language: "xx" }));
  const fix = 'must be an ISO 639-1 code that exists, in small letters, such as "en", not "xx"';
  assert.is(reason, `data.language ${fix}`);
});

test("a rejection quotes the value shortly, on one line and without invisible characters", () => {
  const { reason } = refused(withData(product, { url: `\u202e\n${"x".repeat(5000)}` }));
  assert.match(reason, /\\u\{202e\}\\nx+…"$/);
  assert.ok(reason.length < 250);
});

test("an unknown event type is rejected", () => {
  const rejection = refused(cloudEvent("shop.order.placed", "order/1", { id: 1 }));
  assert.is(rejection.code, "unknown_type");
  assert.is(rejection.field, "type");
});

test("a subject that does not match the data is rejected", () => {
  const wrong = ["product/2", "product/01", "price/1", "product", "settings"];
  for (const subject of wrong) assert.is(refused(withAttributes({ subject })).code, "subject");
  assert.is(refused({ ...settingsUpdated(), subject: "settings/1" }).code, "subject");
  assert.is(refused({ ...tokenRegenerated("a"), subject: "agent/b" }).code, "subject");
  assert.is(refused({ ...stockChanged({ productId: 3 }), subject: "stock/4" }).code, "subject");
  assert.is(
    accepted(tokenRegenerated("with/slash and space")).subject,
    "agent/with/slash and space",
  );
});

test("a body that is not JSON in UTF-8, or not an object, is rejected", () => {
  assert.is(refused(Buffer.from("{")).code, "not_json");
  assert.is(refused(Buffer.from('"\xff"', "latin1")).code, "not_json");
  assert.is(refused(new Uint8Array()).code, "not_json");
  assert.is(refused(Buffer.from("[]")).code, "envelope");
  assert.is(refused(Buffer.from("null")).code, "envelope");
});

test("a body of 1 MiB is accepted, and one byte more rejected", () => {
  const bare = JSON.stringify(withData(product, { padding: "" }));
  const padded = bare.replace(
    '"padding":""',
    `"padding":"${"x".repeat(maxBodyBytes - bare.length)}"`,
  );
  const record = { ...recordOf(product), body: Buffer.from(padded) };
  assert.is(record.body.length, maxBodyBytes);
  assert.ok(decode(record).ok);
  assert.is(refused(Buffer.from(`${padded} `)).code, "too_large");
});

test("members named like those of Object.prototype have no effect", () => {
  const body = JSON.stringify(product).replace(
    '"id":1',
    '"id":1,"__proto__":{"brand":"x"},"constructor":1',
  );
  const decoded = decode({ ...recordOf(product), body: Buffer.from(body) });
  assert.ok(decoded.ok);
  assert.is((decoded.event.data as { brand?: string }).brand, undefined);
});

test("a time before 1970, and a name of invisible characters only, are rejected", () => {
  assert.is(refused(withAttributes({ time: "1969-12-31T23:59:59Z" })).field, "time");
  assert.is(refused(withAttributes({ time: "1969-12-31T23:59:59.9999Z" })).field, "time");
  assert.is(refused(withAttributes({ time: "0001-01-01T00:00:00Z" })).field, "time");
  for (const name of ["\u200b", "\u202e", "\u0000", "\u200b\u00a0", "  "]) {
    assert.is(
      refused(withData(productUpserted(), { name })).field,
      "data.name",
      JSON.stringify(name),
    );
  }
  for (const name of ["x", "雨", "👟", "?", "7"]) accepted(withData(productUpserted(), { name }));
});

test.run();

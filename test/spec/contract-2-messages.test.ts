import { suite } from "uvu";
import * as assert from "uvu/assert";
import { decode } from "../../src/events/decode.ts";
import type { CloudEvent } from "../../src/events/envelope.ts";
import { isSameMessage } from "../../src/events/same-event.ts";
import { noEvents } from "../../src/read-model/schema/checkpoint.ts";
import { tables } from "../../src/read-model/schema/tables.ts";
import {
  carrierUpserted,
  categoryUpserted,
  type ExampleRecord,
  pageUpserted,
  productPatched,
  productUpserted,
  recordOf,
  settingsUpdated,
  stockChanged,
  tokenRevoked,
  variantUpserted,
} from "../helpers/events.ts";
import { openModel } from "../helpers/model.ts";

const test = suite("Contract 2, forms of a message");

const structured = (attributes: object): ExampleRecord => ({
  ...recordOf(productUpserted()),
  body: Buffer.from(JSON.stringify(attributes)),
});

const eventOf = (record: ExampleRecord) => {
  const decoded = decode(record);
  assert.ok(decoded.ok, decoded.ok ? "" : decoded.rejection.reason);
  return decoded.event;
};

const refusalOf = (record: ExampleRecord): string => {
  const decoded = decode(record);
  return decoded.ok ? "accepted" : `${decoded.rejection.field}: ${decoded.rejection.reason}`;
};

test("Contract 2, forms of a message: 1 an attribute that is null is not set, in events of any type", () => {
  for (const event of [settingsUpdated(), stockChanged(), tokenRevoked("a")]) {
    const nulls = { sequence: null, dataschema: null, datacontenttype: null, traceparent: null };
    const record = structured({ ...event, ...nulls });
    assert.equal(eventOf(record), eventOf(structured(event)));
    assert.ok(isSameMessage(record, structured({ ...event, datacontenttype: undefined })));
  }
});

for (const name of ["id", "source", "type", "time", "subject", "data", "specversion"]) {
  test(`Contract 2, forms of a message: 1 ${name} stays required, so that null means missing`, () => {
    const record = structured({ ...productUpserted(), [name]: null });
    assert.match(refusalOf(record), new RegExp(`^${name}: ${name} is missing`));
  });
}

test("Contract 2, forms of a message: 1 a member of the data that is null stays null", () => {
  const patch = productPatched({ brand: null, gtin: null });
  assert.equal(eventOf(structured({ ...patch, sequence: null })).data, patch.data);
});

const inBase64 = ({ data, ...attributes }: CloudEvent, text = JSON.stringify(data)) => ({
  ...attributes,
  data_base64: Buffer.from(text).toString("base64"),
});

test("Contract 2, forms of a message: 2 data in Base64 is the data, in events of any type", () => {
  for (const event of [settingsUpdated({ name: "Käse 🧀" }), stockChanged(), tokenRevoked("a")]) {
    const record = structured(inBase64(event));
    assert.equal(eventOf(record), eventOf(structured(event)));
    assert.equal(eventOf(structured({ ...inBase64(event), data: null })), eventOf(record));
    assert.ok(isSameMessage(record, structured(event)));
  }
});

test("Contract 2, forms of a message: 2 of data and data_base64 the data counts", () => {
  const event = productUpserted({ name: "Plain" });
  const both = { ...event, ...inBase64(productUpserted({ name: "Encoded" })), data: event.data };
  assert.equal(eventOf(structured({ ...both, id: event.id })), eventOf(structured(event)));
});

for (const [what, encoded, reason] of [
  ["no Base64", "{}", /must be a text in Base64/],
  ["a number", 7, /must be a text in Base64/],
  ["an object without methods", { toString: 1 }, /must be a text in Base64/],
  ["no JSON", Buffer.from("<a/>").toString("base64"), /must be JSON in UTF-8: it is not valid/],
  ["no UTF-8", Buffer.from([0x22, 0xff, 0x22]).toString("base64"), /must be JSON in UTF-8/],
  ["empty", "", /must be JSON in UTF-8/],
] as const) {
  test(`Contract 2, forms of a message: 2 data_base64 that is ${what} is refused with the reason`, () => {
    const { data: _, ...attributes } = productUpserted();
    const refusal = refusalOf(structured({ ...attributes, data_base64: encoded }));
    assert.match(refusal, reason);
    assert.match(refusal, /^data_base64: data_base64 /);
  });
}

/** A binary message whose header values are written by `quote`. */
const binary = ({ data, ...attributes }: CloudEvent, quote: (value: string) => string) => ({
  ...recordOf(productUpserted()),
  headers: Object.fromEntries(
    Object.entries({ ...attributes, datacontenttype: undefined }).flatMap(([name, value]) =>
      value === undefined ? [] : [[`ce-${name}`, quote(String(value))]],
    ),
  ),
  body: Buffer.from(JSON.stringify(data)),
});

test("Contract 2, forms of a message: 3 a quoted header value is read without its quotes, in each header", () => {
  const event = stockChanged({}, { id: 'id "7" \\ é', sequence: "10", source: "/erp" });
  const plain = eventOf(binary(event, encodeURIComponent));
  assert.equal(eventOf(binary(event, (value) => `"${encodeURIComponent(value)}"`)), plain);
  const escaped = (value: string) => `"${value.replace(/["\\]/g, "\\$&").replace("é", "%C3%A9")}"`;
  assert.equal(eventOf(binary(event, escaped)), plain);
});

test("Contract 2, forms of a message: 3 a quoted content type is read without its quotes", () => {
  const record = binary(productUpserted(), encodeURIComponent);
  const withType = (type: string, each: ExampleRecord) => ({
    ...each,
    headers: { ...each.headers, "content-type": type },
  });
  assert.ok(decode(withType('"application/json"', record)).ok);
  assert.match(refusalOf(withType('"text/xml"', record)), /^datacontenttype: /);
  const event = withType('"application/cloudevents+json"', recordOf(productUpserted()));
  assert.ok(decode({ ...event, headers: { ...event.headers, "ce-id": "other" } }).ok);
});

test("Contract 2, forms of a message: 3 quotes that do not enclose a value are part of it", () => {
  for (const id of ['"', '"a', 'a"', '5" disk', '"a"b"', '"a\\"']) {
    const event = binary(productUpserted({}, { id: "x" }), encodeURIComponent);
    const read = eventOf({ ...event, headers: { ...event.headers, "ce-id": id } });
    assert.is(read.id, id);
  }
  const quoted = binary(productUpserted({}, { id: '"7"' }), encodeURIComponent);
  assert.is(eventOf(quoted).id, '"7"', "percent-encoded quotes stay");
});

const marker = (sequence: number, headers: Readonly<Record<string, string>>, body = "") => ({
  ...recordOf(productUpserted(), sequence),
  headers,
  body: Buffer.from(body),
});

test("Contract 2, forms of a message: 4 a message of the broker's own moves the checkpoint and is no dead letter", async () => {
  const model = openModel();
  try {
    const stored = () => model.store.get(tables.meta, "checkpoint");
    model.apply(productUpserted());
    const result = model.deliver([
      marker(2, { "kv-operation": "DEL" }),
      marker(3, { "kv-operation": "PURGE", "nats-rollup": "sub" }),
      marker(4, { "nats-marker-reason": "MaxAge", "nats-ttl": "1s" }),
    ]);
    assert.equal(result.deadLetters, []);
    assert.is(stored()?.sequence, 4);
    assert.equal(stored()?.tally, { ...noEvents, applied: 1 });
    assert.ok(model.read((snapshot) => snapshot.product(1)));
  } finally {
    await model.close();
  }
});

test("Contract 2, forms of a message: 4 any other message without an event stays a dead letter", async () => {
  const model = openModel();
  try {
    const { deadLetters } = model.deliver([
      marker(1, {}),
      marker(2, { "nats-msg-id": "1" }),
      marker(3, { "kv-operation": "PUT" }, "text"),
      marker(4, { "nats-marker-reason": "Purge" }, "{}"),
    ]);
    assert.equal(
      deadLetters.map(({ sequence }) => sequence),
      [1, 2, 3, 4],
    );
  } finally {
    await model.close();
  }
});

/** Invisible letters, and letters with invisible characters and blanks around them. */
const invisible = ["\u3164", "\u115f \u1160", "\uffa0\u200b\u00ad", "\u3164\ufe0f\u{e0041}"];
const one = { value: "1", unit: "l" };

const emptyTexts: readonly (readonly [string, (text: string) => CloudEvent])[] = [
  ["data.name", (name) => productUpserted({ name })],
  ["data.name", (name) => productPatched({ name })],
  ["data.name", (name) => settingsUpdated({ name })],
  ["data.name", (name) => categoryUpserted({ name })],
  ["data.name", (name) => carrierUpserted({ name })],
  ["data.title", (title) => pageUpserted({ title })],
  ["data.warnings[0].text", (text) => productUpserted({ warnings: [{ text }] })],
  ["data.tags[1]", (tag) => productUpserted({ tags: ["a", tag] })],
  ["data.highlights[0]", (text) => productPatched({ highlights: [text] })],
  ["data.manufacturer.name", (name) => productUpserted({ manufacturer: { name } })],
  ["data.responsiblePerson.name", (name) => productPatched({ responsiblePerson: { name } })],
  ["data.energyLabel.class", (text) => productUpserted({ energyLabel: { class: text } })],
  [
    "data.energyLabel.scale[1]",
    (text) => productUpserted({ energyLabel: { class: "A", scale: ["A", text] } }),
  ],
  [
    "data.specifications[0].name",
    (name) => productUpserted({ specifications: [{ name, value: "1" }] }),
  ],
  ["data.options[0].name", (name) => productUpserted({ options: [{ name, values: [] }] })],
  [
    "data.options[0].values[0]",
    (value) => productUpserted({ options: [{ name: "Size", values: [value] }] }),
  ],
  [
    "data.options[0].values[0].value",
    (value) => productUpserted({ options: [{ name: "Size", values: [{ value }] }] }),
  ],
  [
    "data.variants[0].options[0].value",
    (value) => productUpserted({ variants: [{ id: 1, options: [{ name: "Size", value }] }] }),
  ],
  ["data.options[0].name", (name) => variantUpserted({ options: [{ name, value: "S" }] })],
  [
    "data.unitPricing.base.unit",
    (unit) => variantUpserted({ unitPricing: { measure: one, base: { value: "1", unit } } }),
  ],
];

test("Contract 2, forms of a message: 7 a required text without a visible character is refused with its path", () => {
  for (const [path, build] of emptyTexts) {
    for (const text of invisible) {
      assert.match(refusalOf(recordOf(build(text))), `${path}: ${path} must be a`);
    }
    eventOf(recordOf(build(`\u3164A\u3164`)));
  }
});

test("Contract 2, forms of a message: 7 texts that differ in invisible characters alone are one text", () => {
  const twice = { options: ["Size", "Si\u200bze"].map((name) => ({ name, values: ["S"] })) };
  assert.match(refusalOf(recordOf(productUpserted(twice))), /^data\.options\[1\]\.name: /);
  const variants = ["S", "\u3164S\u00ad"].map((value, at) => ({
    id: at + 1,
    options: [{ name: "Size", value }],
  }));
  assert.match(refusalOf(recordOf(productUpserted({ variants }))), /^data\.variants\[1\]/);
});

test.run();

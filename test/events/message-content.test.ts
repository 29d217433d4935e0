import { suite } from "uvu";
import * as assert from "uvu/assert";
import { decode } from "../../src/events/decode.ts";
import type { CloudEvent } from "../../src/events/envelope.ts";
import {
  type ExampleRecord,
  productUpserted,
  recordOf,
  tokenRegenerated,
} from "../helpers/events.ts";

const test = suite("content modes");

/** Converts an event to CloudEvents' binary mode. */
function binary({
  data,
  datacontenttype = "application/json",
  ...attributes
}: CloudEvent): ExampleRecord {
  const headers = Object.entries(attributes).map(([name, value]) => [
    `ce-${name}`,
    encodeURIComponent(String(value)),
  ]);
  return {
    ...recordOf({ ...attributes, data }),
    headers: { "content-type": datacontenttype, ...Object.fromEntries(headers) },
    body: Buffer.from(JSON.stringify(data)),
  };
}

test("both content modes give the same event", () => {
  for (const event of [productUpserted({}, { sequence: 3 }), tokenRegenerated("für 🤖")]) {
    const decoded = decode(binary(event));
    assert.ok(decoded.ok, decoded.ok ? "" : decoded.rejection.reason);
    assert.equal(decoded, decode(recordOf(event)));
  }
});

test("a structured event is accepted with or without its content type", () => {
  const record = recordOf(productUpserted());
  for (const type of ["application/cloudevents+json; charset=UTF-8", "application/json"]) {
    assert.ok(decode({ ...record, headers: { "content-type": type } }).ok);
  }
  assert.ok(decode({ ...record, headers: { "nats-msg-id": "1" } }).ok);
});

test("the content type outranks stray ce- headers", () => {
  const record = recordOf(productUpserted());
  assert.ok(decode({ ...record, headers: { ...record.headers, "ce-id": "other" } }).ok);
});

test("a binary event with a bad header is rejected, naming the header", () => {
  const record = binary(productUpserted());
  const broken = (headers: Record<string, string>) => {
    const decoded = decode({ ...record, headers: { ...record.headers, ...headers } });
    return decoded.ok ? undefined : decoded.rejection.field;
  };
  assert.is(broken({ "ce-subject": "%zz" }), "ce-subject");
  assert.is(broken({ "ce-specversion": "0.3" }), "specversion");
  assert.is(broken({ "content-type": "text/xml" }), "datacontenttype");
  const { "ce-time": _, ...timeless } = record.headers;
  const decoded = decode({ ...record, headers: timeless });
  assert.is(decoded.ok ? undefined : decoded.rejection.field, "time");
});

test("a header named like a member of Object.prototype has no effect", () => {
  const record = binary(productUpserted());
  const headers = { ...record.headers, "ce-__proto__": "x", "ce-constructor": "y" };
  assert.equal(decode({ ...record, headers }), decode(record));
});

test.run();

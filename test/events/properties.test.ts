import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { defaultContract } from "../../src/events/contract.ts";
import { type DecodeResult, decode } from "../../src/events/decode.ts";
import { isCommonEnvelope } from "../../src/events/envelope.ts";
import type { RawMessage } from "../../src/events/message-content.ts";
import { property } from "../helpers/effort.ts";
import { oneOfEach, priceChanged, recordOf } from "../helpers/events.ts";

const test = suite("decode with any input");
const headers = fc.dictionary(
  fc.constantFrom("content-type", "ce-id", "ce-time", "ce-type", "ce-specversion", "nats-msg-id"),
  fc.string(),
);

/** Decodes, and checks the form of a rejection. */
function answer(raw: RawMessage): DecodeResult {
  const decoded = decode(raw);
  if (decoded.ok) return decoded;
  const { field, reason } = decoded.rejection;
  assert.ok(reason.length > 0 && reason.length < 1000 && !reason.includes("\n"));
  assert.ok(field === null || field.length > 0);
  return decoded;
}

const raw = (body: Uint8Array, headers: Record<string, string> = {}): RawMessage => ({
  sequence: 1,
  time: 0,
  headers,
  body,
});

test("decode never throws on bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), headers, (body, headers) => {
      assert.not.ok(answer(raw(body, headers)).ok);
    }),
  );
});

test("decode never throws on JSON", () => {
  fc.assert(
    fc.property(fc.json(), headers, (json, headers) => {
      assert.not.ok(answer(raw(Buffer.from(json), headers)).ok);
    }),
  );
});

test("decode never throws on deeply nested JSON", () => {
  for (const escaped of ["", '"\\ud800",']) {
    const body = `[${escaped}`.repeat(100_000) + "]".repeat(100_000);
    answer(raw(Buffer.from(body)));
  }
});

/** Replaces any one member of a valid event. */
test("decode never throws on a valid event with one member replaced", () => {
  const cases = oneOfEach().flatMap((event) => [
    ...Object.keys(event).map((name) => ({ event, name, inData: false })),
    ...Object.keys(event.data as object).map((name) => ({ event, name, inData: true })),
  ]);
  fc.assert(
    fc.property(fc.constantFrom(...cases), fc.jsonValue(), ({ event, name, inData }, value) => {
      const data = { ...(event.data as object), [name]: value };
      answer(recordOf({ ...event, ...(inData ? { data } : { [name]: value }) }, 1, 0));
    }),
    property(500),
  );
});

test("decode gives the same result for members in any sequence, and with extra members", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...oneOfEach()),
      fc.dictionary(
        fc.string().map((name) => `x-${name}`),
        fc.jsonValue(),
      ),
      fc.boolean(),
      (event, extra, turned) => {
        const entries = [...Object.entries(event.data as object), ...Object.entries(extra)];
        const data = Object.fromEntries(turned ? entries.reverse() : entries);
        const reversed = answer(recordOf({ ...extra, ...event, data }, 1, 0));
        assert.is(JSON.stringify(reversed), JSON.stringify(decode(recordOf(event, 1, 0))));
      },
    ),
  );
});

test("an envelope that the fast check accepts is valid by its schema", () => {
  const digits = fc.stringMatching(/^[0-9T:.Z+-]{1,30}$/);
  const time = fc.stringMatching(
    /^[0-9]{4}-[01][0-9]-[0-3][0-9][Tt ][0-2][0-9]:[0-6][0-9]:[0-6][0-9](\.[0-9]{1,12})?(Z|\+00:00)$/,
  );
  const value = fc.oneof(
    fc.string({ maxLength: 250 }),
    fc.string({ unit: "binary" }),
    fc.stringMatching(/^[ -~]{0,210}$/),
    fc.stringMatching(/^(\/[a-zA-Z0-9_%{-]{0,9}){1,99}$/),
    digits,
    time,
    fc.constantFrom("1.0", "1.1", "application/json", "text/json", "2026-02-30T00:00:00Z"),
    fc.jsonValue(),
  );
  const { validateEnvelope } = defaultContract();
  const name = fc.constantFrom(...Object.keys(priceChanged()), "sequence", "dataschema");
  let taken = 0;
  fc.assert(
    fc.property(name, value, (member, reversed) => {
      const event = { ...priceChanged(), [member]: reversed };
      if (!isCommonEnvelope(event)) return;
      taken += 1;
      assert.is(validateEnvelope(event), undefined);
    }),
    { numRuns: 20_000 },
  );
  assert.ok(taken > 1_000);
});

test.run();

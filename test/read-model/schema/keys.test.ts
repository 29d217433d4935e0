import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  compareUtf8,
  priceKey,
  priceKeyFromMillionths,
} from "../../../src/read-model/schema/keys.ts";
import { toMicroUnits } from "../../../src/read-model/search/doc-values/doc-values.ts";

const test = suite("sort keys");

test("sort keys compare like the bytes of UTF-8, also past U+FFFF", () => {
  const letter = fc.constantFrom(
    "a",
    "b",
    "é",
    "ж",
    "\u{d7ff}",
    "\u{e000}",
    "\u{ffff}",
    "\u{10000}",
  );
  const text = fc.array(letter, { maxLength: 6 }).map((all) => all.join(""));
  fc.assert(
    fc.property(text, text, (a, b) => {
      const bytes = Buffer.compare(Buffer.from(a), Buffer.from(b));
      assert.is(Math.sign(compareUtf8(a, b)), bytes, JSON.stringify([a, b]));
    }),
    { numRuns: 3_000 },
  );
});

test("the key of a price is the same from its digits and from millionths", () => {
  for (const amount of ["0", "0.000001", "12.9", "100000.5", "9007199254.740991", "42"]) {
    assert.is(
      priceKeyFromMillionths(toMicroUnits(amount)),
      priceKey({ amount, currency: "EUR" }),
      amount,
    );
  }
});

test.run();

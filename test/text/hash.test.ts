import { suite } from "uvu";
import * as assert from "uvu/assert";
import { hashInteger, hashString } from "../../src/text/hash.ts";

const test = suite("hashes");

/** `fmix32` and FNV-1a as published, because stored models depend on every bit. */
test("the hash of a number is MurmurHash3's finalizer", () => {
  assert.is(hashInteger(0), 0);
  assert.is(hashInteger(1), 0x514e28b7);
  assert.is(hashInteger(0xffffffff), 0x81f16f39);
});

test("the hash of a text is FNV-1a with the finalizer", () => {
  assert.is(hashString(""), hashInteger(0x811c9dc5));
  assert.is(hashString("a"), hashInteger(0xe40c292c));
  assert.is(hashString("foobar"), hashInteger(0xbf9cf968));
});

test("numbers beyond 32 bits have different hashes, also with another salt", () => {
  const numbers = [7, 7 + 2 ** 32, 7 + 2 ** 33, Number.MAX_SAFE_INTEGER];
  const hashes = [0, 1, 2].flatMap((salt) => numbers.map((number) => hashInteger(number, salt)));
  assert.is(new Set(hashes).size, hashes.length);
  assert.ok(hashes.every((hash) => Number.isInteger(hash) && hash >= 0 && hash < 2 ** 32));
});

test.run();

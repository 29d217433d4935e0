import { suite } from "uvu";
import * as assert from "uvu/assert";
import { keyLifetime, openIdempotencyBook } from "../../src/read-model/idempotency-keys.ts";
import { temporaryDirectory } from "../helpers/directory.ts";

const test = suite("idempotency keys");

test("belong to the label they came with first", async () => {
  const { path } = temporaryDirectory();
  const book = openIdempotencyBook({ dataDir: path, now: () => 1 });
  assert.ok(book.claim("key", "one"));
  assert.ok(book.claim("key", "one"));
  assert.not(book.claim("key", "two"));
  assert.ok(book.claim("another", "two"));
  await book.close();
});

test("are shared by processes and outlive them", async () => {
  const { path } = temporaryDirectory();
  const books = [1, 2].map(() => openIdempotencyBook({ dataDir: path, now: () => 1 }));
  assert.ok(books[0]?.claim("key", "one"));
  assert.not(books[1]?.claim("key", "two"));
  for (const book of books) await book.close();
  const later = openIdempotencyBook({ dataDir: path, now: () => 2 });
  assert.not(later.claim("key", "two"));
  await later.close();
});

test("are free again after a day, counted from the first request", async () => {
  const { path } = temporaryDirectory();
  let now = 1_000;
  const book = openIdempotencyBook({ dataDir: path, now: () => now });
  assert.ok(book.claim("key", "one"));
  now += keyLifetime;
  assert.not(book.claim("key", "two"));
  now += 1;
  assert.ok(book.claim("key", "two"));
  now += keyLifetime;
  assert.not(book.claim("key", "one"));
  await book.close();
});

test("of which there are too many lose the oldest", async () => {
  const { path } = temporaryDirectory();
  let now = 0;
  const book = openIdempotencyBook({ dataDir: path, now: () => now, most: 3 });
  for (const key of ["a", "b", "c", "d"]) {
    now += 1;
    assert.ok(book.claim(key, "one"));
  }
  assert.not(book.claim("d", "two"));
  assert.ok(book.claim("a", "two"), "a was forgotten");
  await book.close();
});

test("that nobody sends make no file", async () => {
  const directory = temporaryDirectory();
  await openIdempotencyBook({ dataDir: `${directory.path}/nowhere`, now: () => 1 }).close();
});

test.run();

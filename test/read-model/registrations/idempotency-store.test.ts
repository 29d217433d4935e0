import { lutimesSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  type IdempotencyStore,
  keyTtlMs,
  openIdempotencyStore,
} from "../../../src/read-model/registrations/idempotency-store.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";

const test = suite("idempotency keys");

interface TestBook extends IdempotencyStore {
  readonly path: string;
  readonly faults: readonly unknown[];
}

const open = (
  path = temporaryDirectory().path,
  room: { maxKeysPerBucket?: number } = {},
): TestBook => {
  const faults: unknown[] = [];
  const onFault = (error: unknown) => void faults.push(error);
  const book = openIdempotencyStore({ dataDir: path, now: Date.now, onFault, ...room });
  return { ...book, path, faults };
};

/** Lists every entry of a store. */
const entriesOf = ({ path }: TestBook): readonly string[] => {
  const root = join(path, "registrations");
  return readdirSync(root).flatMap((shelf) =>
    readdirSync(join(root, shelf)).map((name) => join(root, shelf, name)),
  );
};

/** Makes every entry older by this many ms. */
const age = (book: TestBook, by: number): void => {
  const then = (Date.now() - by) / 1000;
  for (const entry of entriesOf(book)) lutimesSync(entry, then, then);
};

test("a key belongs to the label it was first used with", () => {
  const book = open();
  assert.ok(book.claim("key", "one"));
  assert.ok(book.claim("key", "one"));
  assert.not(book.claim("key", "two"));
  assert.ok(book.claim("another", "two"));
  assert.equal(book.faults, []);
});

test("keys are shared by processes and outlive them", () => {
  const one = open();
  const other = open(one.path);
  assert.ok(one.claim("key", "one"));
  assert.not(other.claim("key", "two"));
  assert.not(open(one.path).claim("key", "two"));
});

test("of two concurrent claims of a key the first wins", () => {
  const { path, claim } = open();
  for (const [label, isOurs] of [
    ["two", false],
    ["one", true],
  ] as const) {
    const key = `key of ${label}`;
    let clockReads = 0;
    /**
     * The second claim happens between the lookup of the key and its creation, both of which read the clock.
     */
    const now = (): number => {
      clockReads += 1;
      if (clockReads === 2) assert.ok(claim(key, label));
      return Date.now();
    };
    const onFault = (error: unknown): never => {
      throw error;
    };
    const late = openIdempotencyStore({ dataDir: path, now, onFault });
    assert.is(late.claim(key, "one"), isOurs);
    assert.is(clockReads, 2);
  }
});

test("a key is free again a day after its first request", () => {
  const book = open();
  assert.ok(book.claim("key", "one"));
  age(book, keyTtlMs - 60_000);
  assert.not(book.claim("key", "two"));
  age(book, keyTtlMs + 1_000);
  assert.ok(book.claim("key", "two"));
  assert.not(book.claim("key", "one"));
});

test("too many keys drop the oldest, so that they never fill the disk", () => {
  const book = open(undefined, { maxKeysPerBucket: 2 });
  assert.ok(book.claim("first", "one"));
  age(book, 60_000);
  for (let key = 0; key < 3_000; key += 1) assert.ok(book.claim(`key ${key}`, "one"));
  assert.is(entriesOf(book).length, 2 * 256);
  assert.not(book.claim("key 2999", "two"), "the newest is kept");
  assert.ok(book.claim("first", "two"), "the oldest was dropped");
});

test("no file exists before the first key", () => {
  const directory = temporaryDirectory();
  open(directory.path);
  assert.equal(readdirSync(directory.path), []);
});

test("an entry has neither the key nor the label in plain text", () => {
  const book = open();
  book.claim("secret key", "secret label");
  assert.not.match(entriesOf(book).join(), "secret");
});

const damages: readonly (readonly [what: string, damage: (book: TestBook) => void])[] = [
  [
    "entries that are files",
    (book) => {
      for (const entry of entriesOf(book)) {
        rmSync(entry);
        writeFileSync(entry, "\0torn");
      }
    },
  ],
  [
    "entries that are directories",
    (book) => {
      for (const entry of entriesOf(book)) {
        rmSync(entry);
        mkdirSync(entry);
      }
    },
  ],
  [
    "a file in place of the store",
    ({ path }) => {
      rmSync(join(path, "registrations"), { recursive: true });
      writeFileSync(join(path, "registrations"), "");
    },
  ],
  ["a missing data directory", ({ path }) => rmSync(path, { recursive: true })],
];

for (const [what, damage] of damages) {
  test(`${what}: no client is rejected, and a fault that stays is reported`, () => {
    const book = open();
    assert.ok(book.claim("key", "one"));
    damage(book);
    assert.ok(book.claim("key", "one"));
    const mended = !book.claim("key", "two");
    assert.is(book.faults.length > 0, !mended);
  });
}

test.run();

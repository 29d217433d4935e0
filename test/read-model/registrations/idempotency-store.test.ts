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

/** Every entry of a book. */
const entriesOf = ({ path }: TestBook): readonly string[] => {
  const root = join(path, "registrations");
  return readdirSync(root).flatMap((shelf) =>
    readdirSync(join(root, shelf)).map((name) => join(root, shelf, name)),
  );
};

/** Makes every entry older, by so many milliseconds more than the time it has been there. */
const age = (book: TestBook, by: number): void => {
  const then = (Date.now() - by) / 1000;
  for (const entry of entriesOf(book)) lutimesSync(entry, then, then);
};

test("belong to the label they came with first", () => {
  const book = open();
  assert.ok(book.claim("key", "one"));
  assert.ok(book.claim("key", "one"));
  assert.not(book.claim("key", "two"));
  assert.ok(book.claim("another", "two"));
  assert.equal(book.faults, []);
});

test("are shared by processes and outlive them", () => {
  const one = open();
  const other = open(one.path);
  assert.ok(one.claim("key", "one"));
  assert.not(other.claim("key", "two"));
  assert.not(open(one.path).claim("key", "two"));
});

test("belong to the first of two that come at once", () => {
  const { path, claim } = open();
  for (const [label, isOurs] of [
    ["two", false],
    ["one", true],
  ] as const) {
    const key = `key of ${label}`;
    let asked = 0;
    /** The other comes between the look whether the key is known and its being noted: both ask the clock. */
    const now = (): number => {
      asked += 1;
      if (asked === 2) assert.ok(claim(key, label));
      return Date.now();
    };
    const onFault = (error: unknown): never => {
      throw error;
    };
    const late = openIdempotencyStore({ dataDir: path, now, onFault });
    assert.is(late.claim(key, "one"), isOurs);
    assert.is(asked, 2);
  }
});

test("are free again after a day, counted from the first request", () => {
  const book = open();
  assert.ok(book.claim("key", "one"));
  age(book, keyTtlMs - 60_000);
  assert.not(book.claim("key", "two"));
  age(book, keyTtlMs + 1_000);
  assert.ok(book.claim("key", "two"));
  assert.not(book.claim("key", "one"));
});

test("of which there are too many lose the oldest, so that they never fill the disk", () => {
  const book = open(undefined, { maxKeysPerBucket: 2 });
  assert.ok(book.claim("first", "one"));
  age(book, 60_000);
  for (let key = 0; key < 3_000; key += 1) assert.ok(book.claim(`key ${key}`, "one"));
  assert.is(entriesOf(book).length, 2 * 256);
  assert.not(book.claim("key 2999", "two"), "the newest is kept");
  assert.ok(book.claim("first", "two"), "the oldest was forgotten");
});

test("that nobody sends make no file", () => {
  const directory = temporaryDirectory();
  open(directory.path);
  assert.equal(readdirSync(directory.path), []);
});

test("hold neither the key nor the label in plain words", () => {
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
    "a file where the book should be",
    ({ path }) => {
      rmSync(join(path, "registrations"), { recursive: true });
      writeFileSync(join(path, "registrations"), "");
    },
  ],
  ["a data directory that is gone", ({ path }) => rmSync(path, { recursive: true })],
];

for (const [what, damage] of damages) {
  test(`${what}: nobody is refused, and the fault is told if it stays`, () => {
    const book = open();
    assert.ok(book.claim("key", "one"));
    damage(book);
    assert.ok(book.claim("key", "one"));
    const mended = !book.claim("key", "two");
    assert.is(book.faults.length > 0, !mended);
  });
}

test.run();

import { lutimesSync, mkdirSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  keyTtlMs,
  openIdempotencyStore,
} from "../../../src/read-model/registrations/idempotency-store.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";

const test = suite("idempotency keys");

const client = "192.0.2.1";

interface TestBook extends ReturnType<typeof openIdempotencyStore> {
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
  assert.ok(book.claim(client, "key", "one"));
  assert.ok(book.claim(client, "key", "one"));
  assert.not(book.claim(client, "key", "two"));
  assert.ok(book.claim(client, "another", "two"));
  assert.equal(book.faults, []);
});

test("keys are shared by processes and outlive them", () => {
  const one = open();
  const other = open(one.path);
  assert.ok(one.claim(client, "key", "one"));
  assert.not(other.claim(client, "key", "two"));
  assert.not(open(one.path).claim(client, "key", "two"));
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
      if (clockReads === 2) assert.ok(claim(client, key, label));
      return Date.now();
    };
    const onFault = (error: unknown): never => {
      throw error;
    };
    const late = openIdempotencyStore({ dataDir: path, now, onFault });
    assert.is(late.claim(client, key, "one"), isOurs);
    assert.is(clockReads, 2);
  }
});

test("a key is free again a day after its first request", () => {
  const book = open();
  assert.ok(book.claim(client, "key", "one"));
  age(book, keyTtlMs - 60_000);
  assert.not(book.claim(client, "key", "two"));
  age(book, keyTtlMs + 1_000);
  assert.ok(book.claim(client, "key", "two"));
  assert.not(book.claim(client, "key", "one"));
});

test("too many keys drop the oldest, so that they never fill the disk", () => {
  const book = open(undefined, { maxKeysPerBucket: 2 });
  assert.ok(book.claim(client, "first", "one"));
  age(book, 60_000);
  for (let key = 0; key < 3_000; key += 1) assert.ok(book.claim(client, `key ${key}`, "one"));
  assert.is(entriesOf(book).length, 2);
  assert.not(book.claim(client, "key 2999", "two"), "the newest is kept");
  assert.ok(book.claim(client, "first", "two"), "the oldest was dropped");
});

test("a full bucket drops the keys of the client that fills it, and those of others only when it has none", () => {
  const book = open(undefined, { maxKeysPerBucket: 3 });
  const [one, another, third] = inOneBucket(3);
  assert.ok(book.claim(one, "key", "of one"));
  age(book, 60_000);
  for (let key = 0; key < 50; key += 1) assert.ok(book.claim(another, `key ${key}`, "label"));
  assert.not(book.claim(one, "key", "another label"), "the key of the other client is kept");
  assert.ok(book.claim(third, "key", "of the third"), "a new client finds room");
  assert.not(book.claim(third, "key", "another label"));
  assert.is(entriesOf(book).length, 3);
});

test("the keys of two clients never meet", () => {
  const book = open();
  assert.ok(book.claim("192.0.2.1", "key", "one"));
  assert.ok(book.claim("2001:db8:0:1::/64", "key", "two"));
  assert.not(book.claim("192.0.2.1", "key", "two"));
});

test("an entry takes no block of its own: its target has at most 59 characters", () => {
  const book = open();
  assert.ok(book.claim(client, "k".repeat(255), "l".repeat(100)));
  for (const entry of entriesOf(book)) assert.ok(readlinkSync(entry).length <= 59, entry);
});

/** Finds clients whose keys are in one bucket. */
const inOneBucket = (count: number): readonly [string, string, string] => {
  const bucketOf = (name: string): string => {
    const book = open();
    book.claim(name, "key", "label");
    return readdirSync(join(book.path, "registrations"))[0] ?? "";
  };
  const found: string[] = [];
  for (let last = 0; found.length < count; last += 1) {
    const name = `192.0.${Math.floor(last / 256)}.${last % 256}`;
    if (found.length === 0 || bucketOf(name) === bucketOf(found[0] ?? "")) found.push(name);
  }
  const [one = "", another = "", third = ""] = found;
  return [one, another, third];
};

test("no file exists before the first key", () => {
  const directory = temporaryDirectory();
  open(directory.path);
  assert.equal(readdirSync(directory.path), []);
});

test("an entry has neither the key nor the label in plain text", () => {
  const book = open();
  book.claim(client, "secret key", "secret label");
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
    assert.ok(book.claim(client, "key", "one"));
    damage(book);
    assert.ok(book.claim(client, "key", "one"));
    const mended = !book.claim(client, "key", "two");
    assert.is(book.faults.length > 0, !mended);
  });
}

test.run();

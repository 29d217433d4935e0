import { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { VitrineError } from "../../../src/errors.ts";
import { decodeCursor, encodeCursor } from "../../../src/read-model/reader/cursor.ts";
import {
  decode,
  encode,
  encodeBytes,
  encodeKeyOnlyRow,
  verifyKeyOnlyRow,
} from "../../../src/read-model/schema/codec.ts";
import { tables } from "../../../src/read-model/schema/tables.ts";
import { clearFlag, readFlag } from "../../../src/read-model/store/damage-flag.ts";
import { openStore, type Store, type WritableTables } from "../../../src/read-model/store/store.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import { productUpserted, recordOf } from "../../helpers/events.ts";
import { openModel } from "../../helpers/model.ts";

const test = suite("store");

test("a record is decoded as it was encoded", () => {
  const value = { name: "Ångström ☃ 𝄞", list: [1, null, "x"], empty: "" };
  assert.equal(decode(7, encode(7, value), "products"), value);
});

test("a record with a flipped bit is rejected with the name of its table", () => {
  const record = encode(7, { name: "Lamp" });
  for (let at = 0; at < record.length; at += 1) {
    const damaged = Buffer.from(record);
    damaged[at] = (damaged[at] ?? 0) ^ 4;
    assert.throws(() => decode(7, damaged, "products"), /"products" is damaged/);
  }
  assert.throws(() => decode(7, Buffer.from([1, 2]), "products"), /is damaged/);
});

test("the checksum of a record is CRC-32 of its key and its bytes, whatever its length", () => {
  const keys = [7, "lamp", ["lamp", 7]] as const;
  for (const length of [0, 1, 95, 96, 97, 5_000]) {
    const bytes = Buffer.from(Array.from({ length }, (_, at) => (at * 37) % 256));
    for (const key of keys) {
      const start = crc32(typeof key === "object" ? key.join("\0") : String(key));
      assert.is(encodeBytes(key, bytes).readUInt32LE(0), crc32(bytes, start), `${length} bytes`);
    }
  }
});

test("a record under another key is rejected, with a value and without", () => {
  assert.throws(() => decode(8, encode(7, { name: "Lamp" }), "products"), /is damaged/);
  verifyKeyOnlyRow(["lamp", 7, 1], encodeKeyOnlyRow(["lamp", 7, 1]), "words");
  for (const wrong of [
    ["lamp", 7, 2],
    ["lamq", 7, 1],
    ["lamp", 7],
  ] as const) {
    assert.throws(
      () => verifyKeyOnlyRow(wrong, encodeKeyOnlyRow(["lamp", 7, 1]), "words"),
      /is damaged/,
    );
  }
  const longer = Buffer.concat([encodeKeyOnlyRow(["lamp", 7, 1]), Buffer.alloc(256)]);
  assert.throws(() => verifyKeyOnlyRow(["lamp", 7, 1], longer, "words"), /is damaged/);
});

test("a flipped bit in the file is found by every kind of read, and flags the generation", async () => {
  const model = openModel();
  model.apply(productUpserted({ name: "Needlework" }));
  const { directory } = model.store;
  const file = join(directory, "data.mdb");
  const bytes = readFileSync(file);
  await model.store.close();
  for (let at = bytes.indexOf("Needlework"); at !== -1; at = bytes.indexOf("Needlework", at + 1)) {
    bytes[at] = "M".charCodeAt(0);
  }
  const copy = temporaryDirectory();
  writeFileSync(join(copy.path, "data.mdb"), bytes);
  const damaged = openStore(copy.path, { readOnly: true });
  const isReported = (error: unknown) =>
    error instanceof VitrineError && error.code === "model_damaged";
  try {
    for (const read of [
      () => damaged.get(tables.products, 1),
      () => damaged.rawJson(tables.products, 1),
      () => damaged.scanJson(tables.products, { start: 1 }),
      () => damaged.scan(tables.products, { start: 1 }),
      () => [...damaged.entries(tables.products)],
    ]) {
      clearFlag(copy.path);
      assert.throws(read, isReported);
      assert.match(readFlag(copy.path)?.reason ?? "", 'the table "products" is damaged');
    }
  } finally {
    await damaged.close();
    copy.remove();
  }
});

test("a directory without a model cannot be opened for reading", () => {
  const empty = temporaryDirectory();
  assert.throws(() => openStore(empty.path, { readOnly: true }), /holds no read model/);
  empty.remove();
});

const { categoryCounts } = tables;

type Changes = readonly { readonly key: number; readonly isPut: boolean }[];

const writeChanges = (stored: WritableTables, changes: Changes, value: number): void => {
  for (const { key, isPut } of changes) {
    if (isPut) stored.put(categoryCounts, key, value);
    else stored.remove(categoryCounts, key);
  }
};

const applyChanges = (
  rows: ReadonlyMap<number, number>,
  changes: Changes,
  value: number,
): Map<number, number> => {
  const changed = new Map(rows);
  for (const { key, isPut } of changes) {
    if (isPut) changed.set(key, value);
    else changed.delete(key);
  }
  return changed;
};

test("puts and removals give the right rows, in committed and aborted transactions", async () => {
  const change = fc.record({ key: fc.integer({ min: 1, max: 30 }), isPut: fc.boolean() });
  const transaction = fc.record({ changes: fc.array(change), throws: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(transaction), async (transactions) => {
      const home = temporaryDirectory();
      const store = openStore(home.path, { readOnly: false });
      let expected = new Map<number, number>();
      for (const [at, { changes, throws }] of transactions.entries()) {
        const write = (): void =>
          store.transaction((stored) => {
            writeChanges(stored, changes, at);
            if (throws) throw new Error("no");
          });
        if (throws) assert.throws(write, "no");
        else write();
        if (!throws) expected = applyChanges(expected, changes, at);
      }
      store.refresh();
      assert.equal(
        [...store.entries(categoryCounts)],
        [...expected].sort(([a], [b]) => a - b),
      );
      await store.close();
      home.remove();
    }),
    { numRuns: 60 },
  );
});

test("rows written in key sequence fill their pages", async () => {
  const text = "As long as a description often is. ".repeat(20);
  const bytesOf = async (keys: readonly number[]): Promise<number> => {
    const home = temporaryDirectory();
    const store = openStore(home.path, { readOnly: false });
    store.transaction((stored) => {
      for (const key of keys) stored.put(tables.productTexts, key, text + text);
    });
    const bytes = store.bytes();
    await store.close();
    home.remove();
    return bytes;
  };
  const ascending = Array.from({ length: 5_000 }, (_, at) => at + 1);
  const [sortedBytes, mixed] = [
    await bytesOf(ascending),
    await bytesOf(ascending.map((key) => (key * 7_919) % 5_003)),
  ];
  assert.ok(sortedBytes < 0.7 * mixed, `${sortedBytes} bytes in order, ${mixed} mixed`);
});

test("a row is kept when a nested transaction writes behind it", async () => {
  const model = openModel();
  model.store.transaction((outer) => {
    outer.put(tables.orphans, 1, true);
    model.store.transaction((inner) => inner.put(tables.orphans, 5, true));
    outer.put(tables.orphans, 3, true);
  });
  assert.equal([...model.store.keys(tables.orphans)], [1, 3, 5]);
  await model.close();
});

test("a transaction that throws leaves nothing", async () => {
  const model = openModel();
  assert.throws(() =>
    model.store.transaction((stored) => {
      stored.put(tables.orphans, 1, true);
      throw new Error("no");
    }),
  );
  assert.is(model.store.has(tables.orphans, 1), false);
  await model.close();
});

test("equal content has equal digests, whatever the checkpoint; other content has others", async () => {
  const [one, other] = [openModel(), openModel()];
  const event = productUpserted({ id: 5 });
  one.apply(event);
  other.deliver([recordOf(event, 100)]);
  assert.equal(one.digest(), other.digest());
  other.deliver([recordOf(productUpserted({ id: 6 }), 101)]);
  assert.is.not(one.digest().products, other.digest().products);
  assert.is(one.digest().pages, other.digest().pages);
  await one.close();
  await other.close();
});

test("a cursor decodes to its position; any other text is rejected", () => {
  const interpretation = {
    idfs: [3, 40],
    corrections: [[], ["lamp", "lamps"]],
    minWeight: 20,
    indexedTerms: ["wh1"],
    queryHash: 0,
  };
  const positions = [
    { by: "id", id: 4711 },
    { by: "rank", rank: 12, id: 7, interpretation },
    { by: "price_desc", key: "000000000000012.900000", id: 7, interpretation },
    {
      by: "name",
      key: "lamp",
      id: 7,
      interpretation: { ...interpretation, idfs: [], corrections: [] },
    },
  ] as const;
  for (const position of positions) assert.equal(decodeCursor(encodeCursor(position)), position);
  const wrong = ["", "x", "4711", "MTppOg", "MTppOjE=", "MTpyOjE", "☃", "a".repeat(100_000)];
  for (const cursor of wrong) assert.is(decodeCursor(cursor), undefined, cursor.slice(0, 20));
  // More words than the maximum would all be searched.
  const nine = Array.from({ length: 9 }, () => ["lamp"]);
  for (const corrections of [[["a", "b", "c", "d"]], [["a b", "c"]], nine]) {
    const idfs = corrections.map(() => 1);
    const forged = {
      by: "rank",
      rank: 1,
      id: 1,
      interpretation: { ...interpretation, idfs, corrections },
    } as const;
    assert.is(decodeCursor(encodeCursor(forged)), undefined, JSON.stringify(corrections));
  }
});

/** Reads the rows of an open store whose file is wiped except for its first pages. */
const wiped = async (read: (store: Store) => void): Promise<void> => {
  const { path, remove } = temporaryDirectory();
  const writer = openStore(path, { readOnly: false });
  writer.transaction((stored) => {
    for (let id = 1; id <= 3_000; id += 1)
      stored.put(tables.categoryOrder, `order ${id}` as "order", [id, "x".repeat(300)] as never);
  });
  const store = openStore(path, { readOnly: true });
  const file = join(path, "data.mdb");
  const pages = openSync(file, "r+");
  for (let at = 20 * 4_096; at < statSync(file).size; at += 4_096)
    writeSync(pages, Buffer.alloc(4_096), 0, 4_096, at);
  closeSync(pages);
  store.refresh();
  try {
    read(store);
    assert.unreachable("it was read");
  } catch (error) {
    assert.ok(error instanceof VitrineError && error.code === "model_damaged", String(error));
    assert.match(error.message, "is damaged: MDB_");
  }
  assert.match(readFlag(path)?.reason ?? "", "MDB_");
  await store.close();
  await writer.close();
  remove();
};

test("a page that LMDB cannot read flags the generation, whatever the kind of read", async () => {
  await wiped((store) => {
    for (let id = 1; id <= 3_000; id += 1)
      store.get(tables.categoryOrder, `order ${id}` as "order");
  });
  await wiped((store) => void [...store.keys(tables.categoryOrder)]);
  await wiped((store) => void [...store.entries(tables.categoryOrder)]);
});

test("a bug while a generation is opened is not reported as damage", () => {
  assert.throws(
    () => openStore(undefined as never, { readOnly: false }),
    (error: unknown) => error instanceof TypeError,
  );
});

test.run();

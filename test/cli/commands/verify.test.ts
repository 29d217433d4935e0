import { cpSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { open } from "lmdb";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openJournal } from "../../../src/event-log/journal/index.ts";
import { compareStores } from "../../../src/read-model/compare/compare.ts";
import {
  type DataDirectory,
  openDataDirectory,
} from "../../../src/read-model/generations/data-directory.ts";
import { encode, encodeBytes, type Key } from "../../../src/read-model/schema/codec.ts";
import {
  type DerivedTableName,
  operationalTables,
  type Table,
  type TableName,
  tables,
} from "../../../src/read-model/schema/tables.ts";
import { isPostingBlockStart } from "../../../src/read-model/search/postings/posting-codec.ts";
import { openStore, type Store } from "../../../src/read-model/store/store.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import {
  carrierUpserted,
  categoryUpserted,
  pageUpserted,
  productUpserted,
  robotsUpdated,
  settingsUpdated,
  stockChanged,
  tokenRegenerated,
  variantUpserted,
} from "../../helpers/events.ts";
import { append, isLiveAt, startProjector } from "../../helpers/projector.ts";
import { runHere } from "../../helpers/run-here.ts";
import { markTextData, otherTextData } from "../../helpers/text-data.ts";
import { run } from "../../helpers/vitrine.ts";

const test = suite("verify");

/** Events that fill every table. */
const events = [
  settingsUpdated(),
  robotsUpdated(),
  categoryUpserted({ id: 1 }),
  productUpserted({ id: 1, categoryIds: [1] }),
  productUpserted({ id: 2, name: "Needlework", gtin: "4006381333931" }),
  stockChanged(),
  stockChanged({ productId: 77 }),
  productUpserted({
    id: 4,
    name: "Mittens",
    rating: { value: 4, count: 2 },
    sales: [{ price: { amount: "9.00", currency: "EUR" }, to: "2027-01-01T00:00:00Z" }],
    variants: [{ id: 1, options: [{ name: "Size", value: "S" }] }],
  }),
  variantUpserted({ productId: 4, id: 2 }),
  stockChanged({ productId: 4, variantId: 2 }),
  pageUpserted({ id: 1, policy: "returns" }),
  carrierUpserted(),
  tokenRegenerated(),
  productUpserted({ id: 3, name: 5 as never }),
  // Their posting list has several blocks, because each id begins one.
  ...Array.from({ length: 5_000 }, (_, at) => 100 + at)
    .filter(isPostingBlockStart)
    .map((id) => productUpserted({ id, name: "Lamps" })),
];

const aModel = async (): Promise<{ data: string; directory: DataDirectory; remove(): void }> => {
  const home = temporaryDirectory();
  const data = join(home.path, "data");
  const directory = openDataDirectory(data);
  const log = openJournal({ directory: join(data, "journal"), now: Date.now });
  await append(log, ...events);
  const projector = startProjector(data, log);
  await projector.until(isLiveAt(events.length));
  await projector.stop();
  await log.close();
  return { data, directory, remove: home.remove };
};

const names = Object.keys(tables).filter(
  (name) => !operationalTables.some((each) => each === name),
) as readonly DerivedTableName[];

/** The bytes of the first key of a table in the file. */
const keyBytes = async (generation: string, table: TableName): Promise<Buffer> => {
  const env = open({ path: generation, noSubdir: false, readOnly: true, maxDbs: 64 });
  const raw = env.openDB<Buffer, Buffer>({
    name: table,
    encoding: "binary",
    keyEncoding: "binary",
  });
  const [key] = [...raw.getKeys({ start: Buffer.from([0]), limit: 1 })].map((each) =>
    Buffer.from(each),
  );
  await env.close();
  if (!key) throw new Error(`${table} is empty`);
  return key;
};

/** All rows; buffers are valid only until the next row, and so copied. */
const rowsOf = (store: Store, table: TableName): readonly (readonly [Key, unknown])[] => {
  const rows: [Key, unknown][] = [];
  for (const [key, row] of store.entries(tables[table] as Table<Key, unknown>)) {
    rows.push([key, Buffer.isBuffer(row) ? Buffer.from(row) : row]);
  }
  return rows;
};

/** Whether a table still reads as before; an unreadable one does not. */
const readsAs = async (generation: string, table: TableName, rows: string): Promise<boolean> => {
  const store = openStore(generation, { readOnly: true });
  try {
    return JSON.stringify(rowsOf(store, table)) === rows;
  } catch {
    return false;
  } finally {
    await store.close();
  }
};

const recordOf = async (
  generation: string,
  table: TableName,
  key: Key,
  row: unknown,
): Promise<Buffer> => {
  const { kind, encoding } = tables[table] as Table<Key, unknown>;
  if (kind === "set") return keyBytes(generation, table);
  if (kind === "bytes") return encodeBytes(key, row as Buffer);
  return encode(key, encoding ? encoding.encode(row) : row);
};

/**
 * Flips one bit of one byte of a row in the file: in the value, or in the key of a table without values.
 * Copies of the row on free pages are not changed.
 */
const plant = async (
  generation: string,
  table: TableName,
  from: "end" | "start" = "end",
): Promise<Key> => {
  const store = openStore(generation, { readOnly: true });
  const rows = rowsOf(store, table);
  await store.close();
  // A row that equals no other, so that the search in the file finds only this one.
  const texts = rows.map(([, row]) => JSON.stringify(row));
  const isAlone = (text: string): boolean => texts.indexOf(text) === texts.lastIndexOf(text);
  const found = rows[Math.max(0, texts.findIndex(isAlone))];
  if (!found) throw new Error(`${table} is empty`);
  const [key, row] = found;
  const record = await recordOf(generation, table, key, row);
  const file = join(generation, "data.mdb");
  const intact = readFileSync(file);
  for (let at = intact.indexOf(record); at !== -1; at = intact.indexOf(record, at + 1)) {
    // Not every bit of a number in a key matters: the last one that does is flipped.
    const places = Array.from(record, (_, offset) => at + offset);
    for (const offset of from === "end" ? places.reverse() : places) {
      const damaged = Buffer.from(intact);
      damaged[offset] = (damaged[offset] ?? 0) ^ 1;
      writeFileSync(file, damaged);
      if (!(await readsAs(generation, table, JSON.stringify(rows)))) return key;
    }
  }
  throw new Error(`the row of ${table} was not found in the file`);
};

test("verify finds no difference in an intact model, and leaves nothing", async () => {
  const { data, remove } = await aModel();
  const { code, stdout } = await run(["verify", "--data-dir", data]);
  assert.is(code, 0);
  assert.match(stdout, `at event ${events.length}: the same, ${names.length} tables`);
  const report = JSON.parse((await runHere(["verify", "--json", "--data-dir", data])).stdout);
  assert.is(report.intact, true);
  assert.equal(openDataDirectory(data).generations().length, 1);
  remove();
});

test("verify finds a flipped bit in a row of any table, and names table and key", async () => {
  const { directory, remove } = await aModel();
  const live = directory.live() ?? "";
  const intact = openStore(live, { readOnly: true });
  for (const table of names) {
    const home = temporaryDirectory();
    cpSync(live, home.path, { recursive: true });
    const key = await plant(home.path, table);
    const damaged = openStore(home.path, { readOnly: true });
    const { isSame, tables: compared } = await compareStores(damaged.pin(), intact.pin());
    const found = compared.filter(({ first, damage }) => first.length > 0 || damage !== null);
    assert.equal([isSame, found.map((each) => each.table)], [false, [table]]);
    const row = found[0]?.first.find((each) => JSON.stringify(each.key) === JSON.stringify(key));
    assert.ok(row, `${table}: ${JSON.stringify(found)}`);
    if (tables[table].kind !== "set") assert.equal([row.kind, row.isDamaged], ["changed", true]);
    await damaged.close();
    home.remove();
  }
  await intact.close();
  remove();
});

test("a key moved by a flipped bit is one removed and one added row, not a damaged table", async () => {
  const { directory, remove } = await aModel();
  const live = directory.live() ?? "";
  const intact = openStore(live, { readOnly: true });
  for (const table of names.filter((name) => tables[name].kind === "set")) {
    const home = temporaryDirectory();
    cpSync(live, home.path, { recursive: true });
    await plant(home.path, table, "start");
    const damaged = openStore(home.path, { readOnly: true });
    const { tables: compared } = await compareStores(damaged.pin(), intact.pin());
    const [found, ...others] = compared.filter(({ added, damage }) => added > 0 || damage !== null);
    assert.equal([found?.table, others], [table, []]);
    assert.equal([found?.added, found?.removed], [1, 1], JSON.stringify(found));
    await damaged.close();
    home.remove();
  }
  await intact.close();
  remove();
});

test("verify finds a damaged row that no event explains, and rebuild repairs it", async () => {
  const { data, directory, remove } = await aModel();
  const live = directory.live() ?? "";
  await plant(live, "changeLog");
  const { code, stdout } = await runHere(["verify", "--data-dir", data]);
  assert.is(code, 1);
  assert.match(stdout, 'generation 0001 is damaged: a record of the table "changeLog" is damaged');
  const mended = await runHere(["rebuild", "--data-dir", data]);
  assert.is(mended.code, 0, mended.stderr);
  assert.is((await runHere(["verify", "--data-dir", data])).code, 0);
  remove();
});

test("a flipped bit gives exit code 1 and its location, in a record and in a key", async () => {
  for (const table of ["products", "inStock"] as const) {
    const { data, directory, remove } = await aModel();
    const key = await plant(directory.live() ?? "", table);
    const { code, stdout, stderr } = await runHere(["verify", "--data-dir", data]);
    assert.is(code, 1, stderr);
    assert.match(stdout, `1 table of ${names.length} differ`);
    assert.match(stdout, `${table} ${JSON.stringify(key)}`);
    if (table === "products") assert.match(stdout, "the live row is not what was written");
    assert.match(stderr, "vitrine rebuild");
    remove();
  }
});

test("a file that crashes its reader is reported, and rebuild repairs it", async () => {
  const { data, directory, remove } = await aModel();
  await runHere(["rebuild", "--data-dir", data]);
  const [live, previous] = [directory.live() ?? "", directory.previous()];
  truncateSync(join(live, "data.mdb"), 16 * 4096);
  const { code, stdout } = await run(["verify", "--data-dir", data]);
  assert.is(code, 1);
  assert.match(stdout, /generation 0002 is damaged: the process that read it ended with SIG/);
  const mended = await runHere(["rebuild", "--data-dir", data]);
  assert.is(mended.code, 0, mended.stderr);
  assert.match(mended.stdout, "the damaged generation is kept in");
  assert.is(directory.previous(), previous);
  assert.is((await runHere(["verify", "--data-dir", data])).code, 0);
  remove();
});

test("a model with other text data is not compared; verify names the way out", async () => {
  const { data, directory, remove } = await aModel();
  await markTextData(directory.live() ?? "", otherTextData);
  const { code, stdout, stderr } = await runHere(["verify", "--data-dir", data]);
  assert.is(code, 3);
  assert.is(stdout, "");
  assert.match(stderr, /made with other text data than this Node has.*: icu 1\.0 → \d/);
  assert.match(stderr, "with the Node that runs the service");
  remove();
});

test.run();

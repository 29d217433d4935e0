import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openPostingListUpdates } from "../../../../src/projector/derive/postings/posting-lists.ts";
import { tables } from "../../../../src/read-model/schema/tables.ts";
import { isPostingBlockStart } from "../../../../src/read-model/search/postings/posting-codec.ts";
import { openPostingList } from "../../../../src/read-model/search/postings/posting-list.ts";
import { createPostingListCache } from "../../../../src/read-model/search/postings/posting-list-cache.ts";
import {
  openStore,
  type Store,
  type WritableTables,
} from "../../../../src/read-model/store/store.ts";
import { temporaryDirectory } from "../../../helpers/directory.ts";
import { property } from "../../../helpers/effort.ts";

const test = suite("posting lists");

const withStores = async (use: (one: Store, other: Store) => void): Promise<void> => {
  const directories = [temporaryDirectory(), temporaryDirectory()];
  const stores = directories.map(({ path }) => openStore(path, { readOnly: false }));
  try {
    use(...(stores as [Store, Store]));
  } finally {
    for (const store of stores) await store.close();
    for (const directory of directories) directory.remove();
  }
};

/** Ids that start blocks, so that blocks are created and merged, among many other ids. */
const starting = Array.from({ length: 100_000 }, (_, at) => at + 1).filter(isPostingBlockStart);
const id = fc.oneof(
  fc.integer({ min: 1, max: 400 }),
  fc.integer({ min: 1, max: 100_000 }),
  fc.constantFrom(...starting.slice(0, 20)),
  fc.constantFrom(2 ** 40, 2 ** 53 - 1),
);
const payload = fc.constantFrom(0, 0, 1, 77, 127 | (3 << 7) | (5 << 11));
const batches = fc.array(
  fc.array(fc.tuple(id, payload), { minLength: 40, maxLength: 160, size: "max" }),
  { minLength: 1, maxLength: 8 },
);

const applyChanges = (
  store: Store,
  expected: Map<number, number>,
  changes: readonly (readonly [number, number])[],
): void =>
  store.transaction((stored) => {
    const lists = openPostingListUpdates(stored, (list) => list);
    for (const [id, after] of new Map(changes)) {
      lists.add("wlamp", id, expected.get(id) ?? 0, after);
      if (after === 0) expected.delete(id);
      else expected.set(id, after);
    }
    lists.flush();
  });

test("the same products give the same rows and read back, whatever was there before", async () => {
  let longest = 0;
  await fc.assert(
    fc.asyncProperty(batches, (batches) =>
      withStores((one, other) => {
        const current = new Map<number, number>();
        for (const changes of batches) applyChanges(one, current, changes);
        applyChanges(other, new Map(), [...current]);
        assert.equal(one.digest(), other.digest());
        one.refresh();
        const list = openPostingList(one, createPostingListCache(), "wlamp");
        const expected = [...current].sort(([a], [b]) => a - b);
        const { ids, payloads } = list?.all() ?? { ids: [], payloads: [] };
        assert.equal(
          Array.from(ids, (id, at) => [id, payloads[at]]),
          expected,
        );
        for (const [id, payload] of expected) {
          const fresh = openPostingList(one, createPostingListCache(), "wlamp");
          assert.equal([...(fresh?.at(Float64Array.of(id)) ?? [])], [payload], `product ${id}`);
        }
        longest = Math.max(longest, [...one.keys(tables.postingBlocks)].length);
      }),
    ),
    property(60),
  );
  assert.ok(longest > 5, `lists of ${longest} blocks prove little`);
});

test("a change rewrites only its block and the head", () =>
  withStores((store) => {
    const current = new Map<number, number>();
    applyChanges(
      store,
      current,
      Array.from({ length: 20_000 }, (_, at) => [at + 1, 9] as const),
    );
    const rows = () =>
      new Map(
        Array.from(store.entries(tables.postingBlocks), ([key, run]) => [
          JSON.stringify(key),
          Buffer.from(run).toString("hex"),
        ]),
      );
    const before = rows();
    applyChanges(store, current, [[10_000, 10]]);
    store.refresh();
    const changed = [...rows()].filter(([key, run]) => before.get(key) !== run);
    assert.is(changed.length, 1);
    assert.ok(before.size > 20);
  }));

/** Counts the walks of block rows, which cost more than reading one, while `write` runs. */
const walksOf = (store: Store, write: (stored: WritableTables) => void): number =>
  store.transaction((stored) => {
    let walks = 0;
    const keys: typeof stored.keys = (table, range) => {
      if ((table as { readonly name: string }) === tables.postingBlocks) walks += 1;
      return stored.keys(table, range);
    };
    write({ ...stored, keys });
    return walks;
  });

test("a short list is changed and removed without a walk for blocks", () =>
  withStores((store) => {
    const [first = 0] = starting;
    for (const ids of [
      [1, 2, 3],
      [first, first + 1, first + 2],
    ]) {
      const current = new Map<number, number>();
      applyChanges(
        store,
        current,
        ids.map((id) => [id, 9] as const),
      );
      const change = (after: number, ...changed: readonly number[]): number =>
        walksOf(store, (stored) => {
          const lists = openPostingListUpdates(stored, (list) => list);
          for (const id of changed) lists.add("wlamp", id, current.get(id) ?? 0, after);
          for (const id of changed) current.set(id, after);
          lists.flush();
        });
      const walks =
        change(10, ids[1] as number) + change(0, ids[2] as number) + change(0, ...ids.slice(0, 2));
      assert.is(walks, 0);
      store.refresh();
      assert.equal([...store.keys(tables.postingLists)], []);
    }
  }));

test("a block is located once for all changed products in it", () =>
  withStores((store) => {
    const current = new Map<number, number>();
    applyChanges(
      store,
      current,
      Array.from({ length: 20_000 }, (_, at) => [at + 1, 9] as const),
    );
    const runs = [...store.keys(tables.postingBlocks)].length;
    const walks = walksOf(store, (stored) => {
      const lists = openPostingListUpdates(stored, (list) => list);
      for (let id = 1; id <= 20_000; id += 2) lists.add("wlamp", id, 9, 10);
      lists.flush();
    });
    assert.ok(walks <= 2 * runs + 2, `${walks} walks for ${runs} runs`);
  }));

test("a cached list is not read again until it changes", () =>
  withStores((store) => {
    const current = new Map<number, number>();
    const kept = createPostingListCache();
    applyChanges(
      store,
      current,
      Array.from({ length: 1_000 }, (_, at) => [at + 1, 9] as const),
    );
    store.refresh();
    const read = () => {
      const list = openPostingList(store, kept, "wlamp");
      assert.ok(list);
      return { payloads: list.all().payloads, packed: kept.get("wlamp", list) };
    };
    const { packed } = read();
    assert.ok(packed);
    assert.is(read().packed, packed);
    applyChanges(store, current, [[500, 10]]);
    store.refresh();
    const changed = read();
    assert.is.not(changed.packed, packed);
    assert.is(changed.payloads[499], 10);
  }));

test.run();

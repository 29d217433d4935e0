import { test } from "uvu";
import * as assert from "uvu/assert";
import { openReader } from "../../../src/read-model/reader/open-reader.ts";
import type { SearchRequest } from "../../../src/read-model/schema/queries.ts";
import type { Store } from "../../../src/read-model/store/store.ts";
import { productUpserted } from "../../helpers/events.ts";
import { openModel } from "../../helpers/model.ts";

/** Counts the iterations that began and did not end, each of which keeps a cursor of LMDB and its snapshot. */
const countOpen = (store: Store) => {
  let open = 0;
  const counted = <T>(rows: Iterable<T>): Iterable<T> => ({
    [Symbol.iterator]() {
      const iterator = rows[Symbol.iterator]();
      open += 1;
      return {
        next() {
          const result = iterator.next();
          if (result.done) open -= 1;
          return result;
        },
        return() {
          open -= 1;
          return iterator.return?.() ?? { done: true, value: undefined };
        },
      };
    },
  });
  const entries: Store["entries"] = (table, range) => counted(store.entries(table, range));
  const keys: Store["keys"] = (table, range) => counted(store.keys(table, range));
  return { store: { ...store, entries, keys }, open: () => open };
};

const requests: readonly Omit<SearchRequest, "first">[] = [
  { options: [{ name: "Colour", value: "red" }] },
  { attributes: [{ name: "width", min: 1 }], query: "early" },
  { query: "early red", priceMax: "50" },
  { condition: "new" },
  {},
];

test("a search ends each iteration that it begins, also where it stops before the last product", async () => {
  const model = openModel();
  model.apply(
    ...Array.from({ length: 400 }, (_, at) =>
      productUpserted({
        id: at + 1,
        name: at < 100 ? "Early lamp" : "Lamp",
        condition: "new",
        specifications: [{ name: "Width", value: "3", code: "width", numericValue: "3" }],
        options: [{ name: "Colour", values: ["red"] }],
        variants: [{ id: 1, sku: `A${at}`, options: [{ name: "Colour", value: "red" }] }],
      }),
    ),
  );
  const { store, open } = countOpen(model.store);
  const reader = openReader(store);
  for (const request of requests) {
    const found = reader.snapshot((snapshot) => {
      snapshot.facets(request);
      return snapshot.products({ first: 3, ...request })?.totalCount;
    });
    assert.is(open(), 0, JSON.stringify(request));
    assert.ok(found, JSON.stringify(request));
  }
  await model.close();
});

test.run();

import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { toView } from "../../../src/read-model/reader/offer.ts";
import { readSitemapEntries } from "../../../src/read-model/reader/open-reader.ts";
import type { PageAddress } from "../../../src/read-model/schema/documents.ts";
import { tables } from "../../../src/read-model/schema/tables.ts";
import type { Store } from "../../../src/read-model/store/store.ts";
import { property } from "../../helpers/effort.ts";
import {
  categoryUpserted,
  pageUpserted,
  productDeleted,
  productUpserted,
  settingsUpdated,
  stockChanged,
} from "../../helpers/events.ts";
import { history } from "../../helpers/histories.ts";
import { openModel, type TestModel } from "../../helpers/model.ts";

const view = toView(0, undefined);
const test = suite<{ model: TestModel }>("sitemap entries");

test.before.each((context) => {
  context.model = openModel();
  context.model.apply(settingsUpdated());
});
test.after.each(({ model }) => model.close());

const walked = ({ store }: TestModel, limit: number): readonly string[] => {
  store.refresh();
  const pages: string[] = [];
  for (let after: PageAddress | undefined; ; ) {
    const changes = readSitemapEntries(store, view, after, limit);
    pages.push(...changes.map(({ kind, id, url }) => `${kind} ${id} ${url.split("/").at(-1)}`));
    // Twice the number of pages: ends an endless walk.
    if (changes.length < limit || pages.length > 8) return pages;
    after = changes.at(-1);
  }
};

test("categories, pages and products are walked once each, in steps of any length", ({ model }) => {
  model.apply(
    ...[1, 2, 3].map((id) => productUpserted({ id })),
    categoryUpserted({ id: 7 }),
    ...[5, 6].map((id) => pageUpserted({ id, published: id === 5 })),
    productUpserted({ id: 9, active: false }),
    productDeleted(2),
  );
  const all = ["category 7 7", "page 5 5", "product 1 1", "product 3 3"];
  for (const limit of [1, 2, 3, 4, 5, 100]) assert.equal(walked(model, limit), all, `${limit}`);
});

test("the lastmod of a product is that of its page", ({ model }) => {
  model.apply(productUpserted({}, { time: "2026-10-01T08:00:00Z" }));
  const lastmod = () => {
    model.store.refresh();
    return readSitemapEntries(model.store, view, undefined, 9)[0]?.lastmod;
  };
  assert.is(lastmod(), "2026-10-01T08:00:00.000Z");
  model.apply(stockChanged({}, { time: "2026-10-01T09:00:00Z" }));
  assert.is(lastmod(), "2026-10-01T09:00:00.000Z");
});

test("the pages version is equal exactly when all pages have equal URLs, dates and changes to come", async () => {
  const long = fc.array(history, { minLength: 3, maxLength: 3 }).map((parts) => parts.flat());
  const runs = property(20);
  let met = 0;
  await fc.assert(
    fc.asyncProperty(long, long, async (events, others) => {
      const versions = new Map<string, string>();
      for (const batches of [one(events), [events], one(others)]) {
        const model = openModel();
        model.apply(settingsUpdated());
        for (const batch of batches) {
          model.apply(...batch);
          model.store.refresh();
          const entries = readSitemapEntries(model.store, view, undefined, 1_000);
          const pages = JSON.stringify([entries, listChanges(model.store)]);
          const version = model.read((snapshot) => snapshot.pagesVersion());
          assert.is(versions.get(pages) ?? version, version, pages);
          versions.set(pages, version);
        }
        await model.close();
      }
      assert.is(new Set(versions.values()).size, versions.size);
      met += versions.size;
    }),
    runs,
  );
  assert.ok(met > runs.numRuns, `${met}`);
});

test("the pages version differs when a URL differs", async ({ model }) => {
  const other = openModel();
  const versions = () =>
    new Set([model, other].map(({ read: ask }) => ask((snapshot) => snapshot.pagesVersion()))).size;
  other.apply(settingsUpdated());
  assert.is(versions(), 1);
  for (const { apply } of [model, other]) apply(productUpserted());
  assert.is(versions(), 1);
  other.apply(productUpserted({ url: "https://shop.example/elsewhere" }));
  model.apply(productUpserted({ name: "Something" }));
  assert.is(versions(), 2);
  await other.close();
});

/** Lists the instants at which pages change without an event. */
const listChanges = (store: Store) => [
  ...store.keys(tables.offerChanges),
  ...[...store.entries(tables.lastChanges)].map(([, { changesAt = [] }]) => changesAt),
];

const one = <T>(events: readonly T[]): readonly T[][] => events.map((event) => [event]);

test("other texts of a product change neither its URL nor its lastmod", ({ model }) => {
  const bits = [
    ',"url":"',
    '","url":"',
    ',"changedAt":1,"shownAt":2}',
    ',"shownAt":',
    ',"reference":',
    "\\",
    '"',
    ",",
    "{}",
    "é",
    "𝄞",
    "a",
  ];
  const text = fc.array(fc.constantFrom(...bits), { maxLength: 6 }).map((found) => found.join(""));
  const product = fc.record({
    name: text.map((name) => `x${name}`),
    descriptionHtml: text,
    reference: text,
    brand: text,
    url: text.map((part) => `https://shop.example/é,${encodeURIComponent(part)},`),
  });
  fc.assert(
    fc.property(fc.array(product, { minLength: 1, maxLength: 4 }), (products) => {
      model.apply(...products.map((data, at) => productUpserted({ id: at + 1, ...data })));
      model.store.refresh();
      const stored = [...model.store.entries(tables.products)];
      assert.ok(stored.length >= products.length);
      assert.equal(
        readSitemapEntries(model.store, view, undefined, 9),
        stored.map(([id, { url, shownAt }]) => ({
          kind: "product",
          id,
          url,
          lastmod: new Date(shownAt).toISOString(),
        })),
      );
    }),
    property(50),
  );
});

test.run();

/** Whatever happened to the shop, pages and answers joined from fragments equal those composed from all documents. */
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../../src/events/envelope.ts";
import { createLogger } from "../../../src/log.ts";
import { applyBatch } from "../../../src/projector/batch/batch.ts";
import { createHtmlRenderer } from "../../../src/projector/rendering/index.ts";
import { buildProductFragments } from "../../../src/read-model/fragments/product-fragments.ts";
import { splitFragments } from "../../../src/read-model/reader/product-json.ts";
import type { Reader, Snapshot } from "../../../src/read-model/reader/reader.ts";
import type { ProductDetail, ProductDocument } from "../../../src/read-model/schema/documents.ts";
import { tables } from "../../../src/read-model/schema/tables.ts";
import type { Store } from "../../../src/read-model/store/store.ts";
import { formatAvailability, formatPrice, joinLines } from "../../../src/surfaces/format.ts";
import { productPage } from "../../../src/surfaces/markdown/product.ts";
import { markdownUrl } from "../../../src/surfaces/markdown/url.ts";
import { createTools } from "../../../src/surfaces/mcp/tools/registry.ts";
import { shopTools } from "../../../src/surfaces/mcp/tools/tool-sets.ts";
import { autolink, escapeInline, link } from "../../../src/text/markdown/escape.ts";
import { embedMarkdown } from "../../../src/text/markdown/sanitize.ts";
import { property } from "../../helpers/effort.ts";
import {
  categoryUpserted,
  priceChanged,
  productDeleted,
  productPatched,
  productUpserted,
  recordOf,
  settingsUpdated,
  stockChanged,
} from "../../helpers/events.ts";
import { identity, openModel, type TestModel } from "../../helpers/model.ts";

const test = suite("fragments of products");
const baseUrl = "https://agents.shop.example";
const ids = [1, 2, 3];

const word = fc.constantFrom(
  ...'Mug|Ångström|5|5.|#1|a_b|_x_|<b>|[x](y)|\\|https://x.example/a|www.x|日本|😀|&amp;|&|"|","lines":"|{"path":|-|| \n '.split(
    "|",
  ),
);
const text = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => `x ${words.join(" ")}`);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const id = fc.constantFrom(...ids);
const price = maybe(fc.constantFrom("1.00", "2.50").map((amount) => ({ amount, currency: "EUR" })));
const html = maybe(
  fc.constantFrom(
    "<h1>A</h1><p>x <a href='/y'>y</a></p>",
    "<pre>a\n# b</pre>",
    "<ul><li>1</li></ul>",
    "plain",
    "<p></p>",
  ),
);
const categoryIds = fc.uniqueArray(fc.constantFrom(1, 2), { maxLength: 2 });
const url = fc.constantFrom("https://shop.example/p/1", "https://shop.example/ü (x)?a=b|c");

const event: fc.Arbitrary<CloudEvent> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .record({
        id,
        name: text,
        url,
        brand: maybe(text),
        gtin: maybe(fc.constantFrom("4006381333931", "_1_")),
        price,
        categoryIds,
        descriptionHtml: html,
        specifications: fc.array(fc.record({ name: text, value: text }), { maxLength: 2 }),
        images: fc.array(
          fc.record({ url: fc.constant("https://shop.example/1.jpg?a=(b)"), alt: maybe(text) }),
          { maxLength: 2 },
        ),
        active: fc.constantFrom(true, true, true, false),
      })
      .map((data) => productUpserted(data)),
  },
  {
    weight: 2,
    arbitrary: fc.record({ id, descriptionHtml: html }).map((data) => productPatched(data)),
  },
  { weight: 1, arbitrary: fc.record({ id, name: text }).map((data) => productPatched(data)) },
  {
    weight: 1,
    arbitrary: fc.record({ id, active: fc.boolean() }).map((data) => productPatched(data)),
  },
  { weight: 1, arbitrary: id.map((id) => productDeleted(id)) },
  {
    weight: 2,
    arbitrary: fc.record({ productId: id, price }).map((data) => priceChanged(data)),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ productId: id, quantity: fc.nat({ max: 1 }) })
      .map((data) => stockChanged(data)),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ id: fc.constantFrom(1, 2), name: text, parentId: fc.constant(null) })
      .map((data) => categoryUpserted(data)),
  },
  {
    weight: 1,
    arbitrary: fc.record({ pricesVisible: fc.boolean() }).map((data) => settingsUpdated(data)),
  },
);

/** A second makes each event newer than all before it. */
const later = (events: readonly CloudEvent[]): readonly CloudEvent[] =>
  events.map((event, at) => ({
    ...event,
    id: `event-${at}`,
    time: new Date(Date.UTC(2026, 9, 1, 8, 0, at)).toISOString(),
  }));

const history = fc.array(event, { minLength: 1, maxLength: 20 }).map(later);

/** The page as composed from the documents alone. */
const composePage = (
  snapshot: Snapshot,
  product: ProductDocument,
  { markdown, specifications, categoryIds, images }: ProductDetail,
): string => {
  const fact = (name: string, value: string | null) =>
    value ? [`- ${name}: ${escapeInline(value)}`] : [];
  const part = (heading: string, lines: readonly string[]) =>
    lines.length === 0 || lines.join("") === "" ? [] : [`## ${heading}\n\n${lines.join("\n")}`];
  return `${[
    `# ${escapeInline(product.name)}`,
    [
      `- Price: ${formatPrice(product.price, "not shown")}`,
      `- Availability: ${product.availability}`,
      ...fact("Brand", product.brand),
      ...fact("Reference", product.reference),
      ...fact("GTIN", product.gtin),
      `- Id: ${product.id}`,
      `- Updated: ${product.updatedAt}`,
      `- Page: ${autolink(product.url)}`,
    ].join("\n"),
    ...part("Description", markdown ? [embedMarkdown(markdown, product.url)] : []),
    ...part(
      "Specifications",
      specifications.length === 0
        ? []
        : [
            "| Name | Value |",
            "| --- | --- |",
            ...specifications.map(
              (row) => `| ${escapeInline(row.name)} | ${escapeInline(row.value)} |`,
            ),
          ],
    ),
    ...part(
      "Categories",
      namedCategories(snapshot, categoryIds).map(
        ({ name, url }) => `- ${link(name, markdownUrl(baseUrl, url))}`,
      ),
    ),
    ...part(
      "Images",
      images.map(({ url, alt }) => `- ${link(alt ?? "", url)}`),
    ),
  ].join("\n\n")}\n`;
};

const namedCategories = (snapshot: Snapshot, ids: readonly number[]) =>
  ids.flatMap((id) => snapshot.category(id) ?? []).map(({ id, name, url }) => ({ id, name, url }));

/** The result of `get_product` as composed from the documents alone. */
const composeResult = (
  snapshot: Snapshot,
  product: ProductDocument,
  { specifications, categoryIds, images }: ProductDetail,
) => {
  const categories = namedCategories(snapshot, categoryIds);
  const { id, name, description, url, reference, gtin, brand, price, availability } = product;
  const line = (label: string, value: string | null) => (value ? `${label}: ${value}` : undefined);
  const text = joinLines(
    `${name} (id ${id})`,
    `Price: ${formatPrice(price)}`,
    `Availability: ${formatAvailability(availability)}`,
    line("Brand", brand),
    line("Reference", reference),
    line("GTIN", gtin),
    line("Categories", categories.map(({ name, id }) => `${name} (id ${id})`).join(", ")),
    `Page: ${url}`,
    `As Markdown: ${markdownUrl(baseUrl, url)}`,
    `Updated: ${product.updatedAt}`,
    ...specifications.map((row) => `- ${row.name}: ${row.value}`),
    ...images.map(({ url, alt }) => `Image: ${url}${alt ? ` (${alt})` : ""}`),
    description
      ? `\nDescription (text of the merchant):\n${description.replace(/^/gm, "> ")}`
      : undefined,
  );
  const structured = {
    ...{ id, name, description, url, markdown_url: markdownUrl(baseUrl, url) },
    ...{ reference, gtin, brand, price, availability, updated_at: product.updatedAt },
    specifications: specifications.map(({ name, value }) => ({ name, value })),
    categories,
    images: images.map(({ url, alt }) => ({ url, alt: alt ?? null })),
  };
  return { content: [{ type: "text", text }], structuredContent: { product: structured } };
};

const tools = createTools({ baseUrl, log: createLogger("silent", "test") }, shopTools.register());

/** Reads one snapshot as the tools do. */
const readerOf = ({ read }: TestModel): Reader => ({
  snapshot: (use) => read((snapshot) => use(snapshot)),
  scanPages: () => Promise.reject(new Error("not used")),
});

const assertComposed = (model: TestModel): void => {
  for (const id of ids) {
    const [product, detail] = model.read((snapshot) => [
      snapshot.product(id),
      snapshot.productDetail(id),
    ]);
    const stored = model.store.get(tables.productFragments, id);
    if (!product || !detail) {
      assert.is(stored, undefined);
      continue;
    }
    assert.equal(stored, buildProductFragments(product, detail));
    assertServed(model, id, product, detail);
  }
};

/** Markdown of all pages by their version, of which ETags are made. */
const markdownByVersion = new Map<string, string>();

const assertServed = (
  model: TestModel,
  id: number,
  product: ProductDocument,
  detail: ProductDetail,
): void => {
  const [page, composed, result] = model.read((snapshot) => [
    productPage(snapshot, baseUrl, id),
    composePage(snapshot, product, detail),
    composeResult(snapshot, product, detail),
  ]);
  assert.is(page?.markdown(), composed);
  const version = JSON.stringify(page?.version);
  assert.is(markdownByVersion.get(version) ?? composed, composed, "one version, one Markdown");
  markdownByVersion.set(version, composed);
  assert.is(page?.canonical, product.url);
  assert.is(page?.address, markdownUrl(baseUrl, product.url));
  assert.is(page?.lastModified, product.lastmod);
  assert.is(tools.call(readerOf(model), "get_product", { product_id: id }), JSON.stringify(result));
};

test("pages and answers equal those composed from the documents, after any history", async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.integer({ min: 1, max: 5 }), async (events, size) => {
      const model = openModel();
      try {
        for (let at = 0; at < events.length; at += size) {
          model.apply(...events.slice(at, at + size));
          assertComposed(model);
        }
      } finally {
        await model.close();
      }
    }),
    property(100),
  );
});

/** Applies events to a store. @returns the ids of the products whose fragments were written */
const writesOf = (store: Store, sequence: number, ...events: readonly CloudEvent[]) => {
  const written: unknown[] = [];
  const recording: Store = {
    ...store,
    transaction: (write) =>
      store.transaction((stored) =>
        write({
          ...stored,
          put(table, key, value) {
            if (table.name === tables.productFragments.name) written.push(key);
            stored.put(table, key, value);
          },
        }),
      ),
  };
  const records = events.map((event, at) => recordOf(event, sequence + at));
  applyBatch(recording, records, { identity, rendering: createHtmlRenderer() });
  return written;
};

test("events of price, stock, categories and unchanged products write no fragments", async () => {
  const model = openModel();
  const minute = (at: number) => ({ time: new Date(Date.UTC(2026, 9, 1, 8, at)).toISOString() });
  const product = { id: 1, categoryIds: [1] };
  assert.equal(
    writesOf(model.store, 1, categoryUpserted({ id: 1 }), productUpserted(product, minute(1))),
    [1],
  );
  assert.equal(
    writesOf(
      model.store,
      3,
      priceChanged({ productId: 1, price: { amount: "3.00", currency: "EUR" } }, minute(2)),
      stockChanged({ productId: 1, quantity: 3 }, minute(2)),
      categoryUpserted({ id: 1, name: "Other" }, minute(2)),
      productUpserted(
        { ...product, price: { amount: "4.00", currency: "EUR" } },
        { ...minute(3), id: "again" },
      ),
    ),
    [],
  );
  assert.equal(writesOf(model.store, 7, productPatched({ id: 1, name: "Other" }, minute(4))), [1]);
  await model.close();
});

test("the stored form is the one that the reader splits", async () => {
  const model = openModel();
  model.apply(
    productUpserted({
      id: 1,
      specifications: [{ name: "a", value: '"},"images":[' }],
      images: [{ url: "https://shop.example/1.jpg", alt: ',"sections":"' }],
    }),
  );
  const fragments = model.store.get(tables.productFragments, 1);
  const json = model.store.json(tables.productFragments, 1);
  if (!fragments || json === undefined) throw new Error("there are no fragments");
  assert.equal(
    Object.entries(splitFragments(json) ?? {}).map(([name, value]) => [name, JSON.parse(value)]),
    Object.entries(fragments),
  );
  await model.close();
});

test.run();

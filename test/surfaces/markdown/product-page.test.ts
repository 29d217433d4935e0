/** Whatever happened to the shop, pages and answers equal those composed here from the members of a product. */
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { CloudEvent } from "../../../src/events/envelope.ts";
import { createLogger } from "../../../src/log.ts";
import type { Product } from "../../../src/read-model/reader/product.ts";
import type { Reader, Snapshot } from "../../../src/read-model/reader/reader.ts";
import { formatPrice, joinLines } from "../../../src/surfaces/format.ts";
import { productPage } from "../../../src/surfaces/markdown/product.ts";
import { markdownUrl } from "../../../src/surfaces/markdown/url.ts";
import { createTools } from "../../../src/surfaces/mcp/tools/registry.ts";
import { shopTools } from "../../../src/surfaces/mcp/tools/tool-sets.ts";
import { autolink, escapeInline, link } from "../../../src/text/markdown/escape.ts";
import { property } from "../../helpers/effort.ts";
import {
  categoryUpserted,
  priceChanged,
  productDeleted,
  productPatched,
  productUpserted,
  settingsUpdated,
  stockChanged,
} from "../../helpers/events.ts";
import { openModel, type TestModel } from "../../helpers/model.ts";

const test = suite("pages and answers of products");
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

/** The page as composed from the members alone. */
const composePage = (snapshot: Snapshot, { text, offer, markdown, updatedAt }: Product): string => {
  const { specifications, categoryIds, images } = text;
  const fact = (name: string, value: string | null) =>
    value ? [`- ${name}: ${escapeInline(value)}`] : [];
  const part = (heading: string, lines: readonly string[]) =>
    lines.length === 0 || lines.join("") === "" ? [] : [`## ${heading}\n\n${lines.join("\n")}`];
  return `${[
    `# ${escapeInline(text.name)}`,
    [
      `- Price: ${formatPrice(offer.price, "not shown")}`,
      `- Availability: ${offer.availability}`,
      ...fact("Brand", text.brand),
      ...fact("Reference", text.reference),
      ...fact("GTIN", text.gtin),
      `- Id: ${text.id}`,
      `- Updated: ${updatedAt}`,
      `- Page: ${autolink(text.url)}`,
    ].join("\n"),
    ...part("Description", markdown ? [markdown] : []),
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

/** The result of `get_product` as composed from the members alone. */
const composeResult = (
  snapshot: Snapshot,
  { text: members, offer, description, updatedAt }: Product,
) => {
  const { specifications, categoryIds, images } = members;
  const categories = namedCategories(snapshot, categoryIds);
  const { id, name, url, reference, gtin, brand } = members;
  const { price, availability } = offer;
  const line = (label: string, value: string | null) => (value ? `${label}: ${value}` : undefined);
  const text = joinLines(
    `${name} (id ${id})`,
    `Price: ${formatPrice(price)}`,
    `Availability: ${availability === "IN_STOCK" ? "in stock" : "out of stock"}`,
    line("Brand", brand),
    line("Reference", reference),
    line("GTIN", gtin),
    line("Categories", categories.map(({ name, id }) => `${name} (id ${id})`).join(", ")),
    `Page: ${url}`,
    `As Markdown: ${markdownUrl(baseUrl, url)}`,
    `Updated: ${updatedAt}`,
    ...specifications.map((row) => `- ${row.name}: ${row.value}`),
    ...images.map(({ url, alt }) => `Image: ${url}${alt ? ` (${alt})` : ""}`),
    description
      ? `\nDescription (text of the merchant):\n${description.replace(/^/gm, "> ")}`
      : undefined,
  );
  const structured = {
    ...{ id, name, description, url, markdown_url: markdownUrl(baseUrl, url) },
    ...{ reference, gtin, brand, price, availability, updated_at: updatedAt },
    specifications: specifications.map(({ name, value }) => ({ name, value })),
    categories,
    images: images.map(({ url, alt }) => ({ url, alt: alt ?? null })),
  };
  return { content: [{ type: "text", text }], structuredContent: { product: structured } };
};

const tools = createTools({ baseUrl, log: createLogger("silent", "test") }, shopTools.tools);

/** Reads one snapshot as the tools do. */
const readerOf = ({ read }: TestModel): Reader => ({
  position: () => undefined,
  snapshot: (use) => read((snapshot) => use(snapshot)),
  scanPages: () => Promise.reject(new Error("not used")),
});

/** Markdown of all pages by their version, of which ETags are made. */
const markdownByVersion = new Map<string, string>();

const assertComposed = (model: TestModel, id: number): void => {
  const product = model.read((snapshot) => snapshot.product(id));
  const [page, composed, result] = model.read((snapshot) => [
    productPage(snapshot, baseUrl, id),
    product && composePage(snapshot, product),
    product && composeResult(snapshot, product),
  ]);
  assert.is(page?.markdown(), composed);
  if (!product || !composed) return;
  const version = page?.version() ?? "";
  assert.is(markdownByVersion.get(version) ?? composed, composed, "one version, one Markdown");
  markdownByVersion.set(version, composed);
  assert.is(page?.canonical, product.text.url);
  assert.is(page?.address, markdownUrl(baseUrl, product.text.url));
  assert.is(page?.lastModified, product.lastmod);
  const called = tools.call(readerOf(model), "get_product", { product_id: id });
  assert.is("resultJson" in called && called.resultJson, JSON.stringify(result));
};

test("pages and answers equal those composed from the members, after any history", async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.integer({ min: 1, max: 5 }), async (events, size) => {
      const model = openModel();
      try {
        for (let at = 0; at < events.length; at += size) {
          model.apply(...events.slice(at, at + size));
          for (const id of ids) assertComposed(model, id);
        }
      } finally {
        await model.close();
      }
    }),
    property(100),
  );
});

/** The Markdown of the page of product 1. */
const pageOf = async (...events: readonly CloudEvent[]): Promise<string> => {
  const model = openModel();
  model.apply(...events);
  const markdown = model.read((snapshot) => productPage(snapshot, baseUrl, 1)?.markdown());
  await model.close();
  if (markdown === undefined) throw new Error("there is no page");
  return markdown;
};

const variants = [{ id: 5, sku: "A-1", options: [{ name: "Size", value: "M" }] }];
const specifications = [{ name: "Width|Height", value: "3 | *4*" }];

test("names, identities, specifications and images are escaped", async () => {
  const markdown = await pageOf(
    productUpserted({
      name: "A *bold* [name](https://evil.example)",
      brand: "_Acme_",
      reference: "a_b|c",
      gtin: "4006381333931",
      specifications,
      images: [
        { url: "https://shop.example/a(1).jpg", alt: "front]view" },
        { url: "https://shop.example/2.jpg" },
      ],
    }),
  );
  assert.is(
    markdown,
    `# A \\*bold\\* \\[name\\](https\\://evil.example)

- Price: 12.90 EUR
- Availability: OUT_OF_STOCK
- Brand: \\_Acme\\_
- Reference: a_b\\|c
- GTIN: 4006381333931
- Id: 1
- Updated: 2026-10-01T08:00:00.000Z
- Page: <https://shop.example/products/1>

## Description

What product 1 is.

## Specifications

| Name | Value |
| --- | --- |
| Width\\|Height | 3 \\| \\*4\\* |

## Images

- [front\\]view](https://shop.example/a%281%29.jpg)
- <https://shop.example/2.jpg>
`,
  );
});

test("variants stand between the description and the specifications", async () => {
  const descriptionHtml = "<p>Text</p><pre>\n## Specifications\n</pre>";
  const headings = async (data: object) =>
    (await pageOf(productUpserted({ descriptionHtml, ...data })))
      .split("\n")
      .filter((line) => line.startsWith("## "));
  assert.equal(await headings({ variants, specifications }), [
    ...["## Description", "## Specifications"],
    ...["## Variants", "## Specifications"],
  ]);
  assert.equal(await headings({ variants }), [
    "## Description",
    "## Specifications",
    "## Variants",
  ]);
});

test("the description has its headings below those of the page, and absolute links", async () => {
  const descriptionHtml =
    '<h1>Care</h1><p><a href="../care">How</a> <a href="javascript:1">x</a></p>';
  const url = "https://shop.example/a/b/1";
  const markdown = await pageOf(productUpserted({ url, descriptionHtml }));
  assert.match(markdown, "\n### Care\n");
  assert.match(markdown, "[How](https://shop.example/a/care)");
  assert.not.match(markdown, "javascript");
});

test.run();

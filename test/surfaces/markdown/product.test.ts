import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ProductData, SettingsData } from "../../../src/events/event.ts";
import type { VariantData } from "../../../src/events/product-facts.ts";
import {
  categoryUpserted,
  priceChanged,
  productUpserted,
  settingsUpdated,
  stockChanged,
  variantUpserted,
} from "../../helpers/events.ts";
import { baseUrl, openTestServer, type TestServer } from "../../helpers/test-server.ts";
import { headings, links, outline, parse, textOf, walk } from "./structure.ts";

interface Context {
  readonly service: TestServer;
  /** Clock of the service. */
  readonly clock: { now: number };
}

const test = suite<Context>("offers, variants and facts on Markdown pages");

const saleStart = Date.parse("2026-11-27T00:00:00+01:00");
const saleEnd = Date.parse("2026-11-30T00:00:00+01:00");

test.before.each(async (context) => {
  const clock = { now: saleStart };
  Object.assign(context, { clock, service: await openTestServer({ now: () => clock.now }) });
  context.service.apply(settings());
});
test.after.each(({ service }) => service.close());

let settingsCount = 0;
/** Later settings are of a later time, so that they count. */
const settings = (more: Partial<SettingsData> = {}) => {
  settingsCount += 1;
  const time = new Date(Date.parse("2026-10-01T08:00:00Z") + settingsCount * 1000).toISOString();
  return settingsUpdated({ timeZone: "Europe/Berlin", ...more }, { time });
};

const euros = (amount: string) => ({ amount, currency: "EUR" });
const later = { time: "2026-10-02T08:00:00Z" };
const sale = {
  price: euros("69.00"),
  from: "2026-11-27T00:00:00+01:00",
  to: "2026-11-30T00:00:00+01:00",
};

const pageOf = async (service: TestServer, id = 1): Promise<string> =>
  (await service.get(`/products/${id}.md`)).text();

/** The lines of facts below the title. */
const factsOf = async (service: TestServer, id = 1): Promise<readonly string[]> =>
  ((await pageOf(service, id)).split("\n\n")[1] ?? "").split("\n");

const fact = async (service: TestServer, name: string, id = 1): Promise<string | undefined> =>
  (await factsOf(service, id))
    .find((line) => line.startsWith(`- ${name}: `))
    ?.slice(`- ${name}: `.length);

/** The section below a heading. */
const sectionOf = (page: string, heading: string): string | undefined =>
  new RegExp(`\\n## ${heading}\\n\\n([^]*?)(?=\\n\\n## |\\n$)`).exec(page)?.[1];

const tableOf = async (service: TestServer, id = 1): Promise<readonly string[]> =>
  (sectionOf(await pageOf(service, id), "Variants") ?? "").split("\n");

const shirt = (variants: readonly VariantData[], more: Partial<ProductData> = {}) =>
  productUpserted({ price: euros("89.00"), variants, ...more });

const sized = (id: number, size: string, more: Partial<VariantData> = {}): VariantData => ({
  id,
  options: [{ name: "Size", value: size }],
  ...more,
});

test("a sale is worded with the price before, the percentage, and its end on the clocks of the shop", async ({
  service,
  clock,
}) => {
  service.apply(productUpserted({ price: euros("89.00"), sales: [sale] }));
  const price = () => fact(service, "Price");
  clock.now = saleStart - 1;
  assert.is(await price(), "89.00 EUR");
  clock.now = saleStart;
  const during = "69.00 EUR, was 89.00 EUR (−22 %), until 30 Nov 2026, 00:00 (Europe/Berlin)";
  assert.is(await price(), during);
  clock.now = saleEnd - 1;
  assert.is(await price(), during);
  clock.now = saleEnd;
  assert.is(await price(), "89.00 EUR");
});

test("the start and the end of a sale change ETag and Last-Modified without an event", async ({
  service,
  clock,
}) => {
  service.apply(productUpserted({ price: euros("89.00"), sales: [sale] }));
  const validators = async () => {
    const { headers } = await service.get("/products/1.md");
    return [headers.get("etag"), headers.get("last-modified")];
  };
  clock.now = saleStart - 1;
  const before = await validators();
  clock.now = saleStart;
  const during = await validators();
  clock.now = saleEnd;
  const after = await validators();
  assert.is(new Set([before[0], during[0], after[0]]).size, 3);
  assert.equal(
    [before[1], during[1], after[1]],
    [
      "Thu, 01 Oct 2026 08:00:00 GMT",
      new Date(saleStart).toUTCString(),
      new Date(saleEnd).toUTCString(),
    ],
  );
});

test("a sale without an end has none, and without a time zone an end is in UTC", async ({
  service,
}) => {
  const { to: _, ...endless } = sale;
  service.apply(
    productUpserted({ id: 1, price: euros("89.00"), sales: [endless] }),
    productUpserted({ id: 2, price: euros("89.00"), sales: [sale] }),
  );
  assert.is(await fact(service, "Price", 1), "69.00 EUR, was 89.00 EUR (−22 %)");
  service.apply(settings({ timeZone: null }));
  assert.match((await fact(service, "Price", 2)) ?? "", "until 29 Nov 2026, 23:00 (UTC)");
});

const listPrices: readonly (readonly [
  kind: "former" | "recommended" | null,
  prior: string | null,
  words: string,
])[] = [
  ["former", null, "was 89.00 EUR (−22 %)"],
  ["recommended", null, "RRP 89.00 EUR (−22 %)"],
  [null, null, "list price 89.00 EUR"],
  ["recommended", "71.00", "RRP 89.00 EUR, lowest price of the last 30 days: 71.00 EUR (−2 %)"],
  ["former", "69.00", "was 89.00 EUR, lowest price of the last 30 days: 69.00 EUR"],
];

for (const [kind, prior, words] of listPrices) {
  test(`a list price of kind ${kind} with the prior price ${prior} is worded: ${words}`, async ({
    service,
  }) => {
    service.apply(
      settings({ listPriceKind: kind }),
      productUpserted({
        price: euros("69.00"),
        listPrice: euros("89.00"),
        priorPrice: prior === null ? null : euros(prior),
      }),
    );
    assert.is(await fact(service, "Price"), `69.00 EUR, ${words}`);
  });
}

test("tax follows each price where the shop says so, also of a product with a price alone", async ({
  service,
}) => {
  service.apply(settings({ taxIncluded: true }), productUpserted({ categoryIds: [1] }));
  service.apply(categoryUpserted());
  assert.is(await fact(service, "Price"), "12.90 EUR incl. tax");
  assert.match(await (await service.get("/categories/1.md")).text(), "\n- Prices: incl. tax\n");
  service.apply(settings({ taxIncluded: false }));
  assert.is(await fact(service, "Price"), "12.90 EUR excl. tax");
});

test("a product with variants shows the range of what can be bought", async ({ service }) => {
  service.apply(
    shirt([sized(11, "S", { price: euros("79.00") }), sized(12, "M"), sized(13, "L")]),
    stockChanged({ variantId: 12 }),
    stockChanged({ variantId: 13 }),
  );
  assert.is(await fact(service, "Price"), "89.00 EUR");
  service.apply(stockChanged({ variantId: 11 }));
  assert.is(await fact(service, "Price"), "from 79.00 EUR to 89.00 EUR");
});

test("the lowest of several prices has a line of its own while it is reduced", async ({
  service,
}) => {
  service.apply(
    settings({ taxIncluded: true }),
    shirt([sized(11, "S", { price: euros("79.00"), sales: [sale] }), sized(12, "M")]),
    stockChanged(),
  );
  assert.equal((await factsOf(service)).slice(0, 2), [
    "- Price: from 69.00 EUR to 89.00 EUR incl. tax",
    "- Lowest price: 69.00 EUR incl. tax, was 79.00 EUR (−12 %), until 30 Nov 2026, 00:00 (Europe/Berlin)",
  ]);
});

test("the unit price of variants with one price is no lowest one", async ({ service }) => {
  const unitPricing = { measure: { value: "2", unit: "kg" }, base: { value: "1", unit: "kg" } };
  const variants = [sized(11, "S"), sized(12, "M")];
  service.apply(productUpserted({ price: euros("10.00"), unitPricing, variants }));
  assert.is(await fact(service, "Unit price"), "5.00 EUR per 1 kg");
  assert.is(await fact(service, "Unit price at the lowest price"), undefined);
});

test("goods that are not taken back have no fees of a return", async ({ service }) => {
  service.apply(productUpserted({ returns: { accepted: false, fees: "free" } }));
  assert.is(await fact(service, "Returns"), "not accepted");
});

test("a unit price names its base", async ({ service }) => {
  service.apply(
    productUpserted({
      price: euros("9.90"),
      unitPricing: { measure: { value: "750", unit: "ml" }, base: { value: "1", unit: "l" } },
    }),
  );
  assert.is(await fact(service, "Unit price"), "13.20 EUR per 1 l");
});

test("a sale to come is shown only where the shop shows it", async ({ service, clock }) => {
  clock.now = saleStart - 1;
  service.apply(productUpserted({ price: euros("89.00"), sales: [sale] }));
  assert.not.match(await pageOf(service), "69.00");
  service.apply(settings({ upcomingSales: "shown" }));
  assert.is(
    await fact(service, "Sale to come"),
    "69.00 EUR from 27 Nov 2026, 00:00 (Europe/Berlin) until 30 Nov 2026, 00:00 (Europe/Berlin)",
  );
});

test("the availability says more where the stock does", async ({ service, clock }) => {
  service.apply(
    settings({ quantityVisible: "low", lowStockThreshold: 3 }),
    ...[1, 2, 3, 4, 5, 6].map((id) => productUpserted({ id })),
    stockChanged({ productId: 1, quantity: 2 }),
    stockChanged({ productId: 2, quantity: 9 }),
    stockChanged({ productId: 3, availability: "preorder", availabilityDate: "2027-01-15" }),
    stockChanged({ productId: 4, availability: "discontinued", quantity: 1 }),
    stockChanged({ productId: 5, availability: "discontinued", quantity: 0 }),
    stockChanged({
      productId: 6,
      availability: "backorder",
      availabilityDate: "2026-12-24T18:00:00Z",
    }),
  );
  const availability = (id: number) => fact(service, "Availability", id);
  assert.equal(await Promise.all([1, 2, 3, 4, 5, 6].map(availability)), [
    "IN_STOCK, limited stock, 2 left",
    "IN_STOCK",
    "IN_STOCK, preorder, ships from 15 Jan 2027",
    "IN_STOCK, last pieces, discontinued",
    "OUT_OF_STOCK, discontinued",
    "IN_STOCK, backorder, ships from 24 Dec 2026, 19:00 (Europe/Berlin)",
  ]);
  clock.now = Date.parse("2027-01-16T00:00:00+01:00");
  assert.is(await availability(3), "IN_STOCK, preorder");
});

test("a status without a date is shown for a product with nothing else", async ({ service }) => {
  service.apply(productUpserted(), stockChanged({ availability: "backorder" }));
  assert.is(await fact(service, "Availability"), "IN_STOCK, backorder");
});

test("quantities are shown where the shop shows them all, the highest as a lower bound", async ({
  service,
}) => {
  service.apply(
    settings({ quantityVisible: "always" }),
    productUpserted({ id: 1 }),
    productUpserted({ id: 2 }),
    productUpserted({ id: 3 }),
    stockChanged({ productId: 1, quantity: 7 }),
    stockChanged({ productId: 2, quantity: 700 }),
    stockChanged({ productId: 3, quantity: 0 }),
  );
  assert.is(await fact(service, "Availability", 1), "IN_STOCK, 7 available");
  assert.is(await fact(service, "Availability", 2), "IN_STOCK, at least 100 available");
  assert.is(await fact(service, "Availability", 3), "OUT_OF_STOCK");
});

test("facts are lines, and a minimum age is the first of them", async ({ service }) => {
  service.apply(
    productUpserted({
      brand: "Potter",
      gtin: "4006381333931",
      minimumAge: 18,
      condition: "used",
      quantityRule: { min: 6, step: 6, max: 24 },
      delivery: "pickup",
      returns: { accepted: true, days: 30, fees: "customer", exchanges: true, countries: ["DE"] },
      mpn: "P-1",
      rating: { value: 8.6, best: 10, worst: 0, count: 37 },
      releaseDate: "2027-01-15",
      manufacturer: {
        name: "Potter Ltd",
        address: "1 Kiln Lane\nStoke",
        email: "info@potter.example",
        url: "https://potter.example/?a=1",
      },
      responsiblePerson: { name: "Potter EU" },
      energyLabel: {
        class: "B",
        scale: ["A", "G"],
        labelUrl: "https://shop.example/label.png",
        sheetUrl: "https://shop.example/sheet.pdf",
        eprelId: "123",
      },
    }),
  );
  assert.equal(await factsOf(service), [
    "- Minimum age: 18 years",
    "- Price: 12.90 EUR",
    "- Availability: OUT_OF_STOCK",
    "- Condition: used",
    "- Pieces per purchase: at least 6, in steps of 6, at most 24",
    "- Delivery: pickup",
    "- Returns: accepted within 30 days, at the cost of the buyer, exchange possible, in DE",
    "- Brand: Potter",
    "- Reference: SKU-1",
    "- GTIN: 4006381333931",
    "- Id: 1",
    "- MPN: P-1",
    "- Rating: 8.6 of 10 from 37 ratings",
    "- Release date: 15 Jan 2027",
    "- Manufacturer: Potter Ltd, 1 Kiln Lane Stoke, info@potter.example, <https://potter.example/?a=1>",
    "- Responsible person: Potter EU",
    "- Energy class: B, scale from A to G, [label](https://shop.example/label.png), [product information sheet](https://shop.example/sheet.pdf), EPREL 123",
    "- Updated: 2026-10-01T08:00:00.000Z",
    "- Page: <https://shop.example/products/1>",
  ]);
});

test("what goes without saying has no line", async ({ service }) => {
  service.apply(
    productUpserted({
      condition: "new",
      delivery: "physical",
      rating: { value: 1, count: 0 },
      quantityRule: { min: 1, step: 1 },
    }),
  );
  const names = (await factsOf(service)).map((line) => line.slice(2, line.indexOf(":")));
  assert.equal(names, ["Price", "Availability", "Reference", "Id", "Updated", "Page"]);
});

test("returns of the shop count where the product has none", async ({ service }) => {
  service.apply(
    settings({ returns: { accepted: true, days: 14, fees: "free" } }),
    productUpserted({ id: 1 }),
    productUpserted({ id: 2, returns: { accepted: false } }),
  );
  assert.is(await fact(service, "Returns", 1), "accepted within 14 days, free of charge");
  assert.is(await fact(service, "Returns", 2), "not accepted");
});

test("sections stand in the sequence in which they matter, and a warning has its complete text", async ({
  service,
}) => {
  const long = `Danger: ${"do not swallow ".repeat(130)}.`.trim();
  service.apply(
    categoryUpserted(),
    productUpserted({ id: 2, name: "Lid" }),
    productUpserted({ id: 3, name: "Hidden", active: false }),
    shirt([sized(11, "S")], {
      categoryIds: [1],
      warnings: [
        { text: long, code: "H302", url: "https://shop.example/h302" },
        { text: "Hot.", imageUrl: "https://shop.example/hot.png" },
      ],
      highlights: ["Light", "- Strong"],
      descriptionHtml: "<pre>## Specifications\n</pre>",
      specifications: [{ name: "Weight", value: "12.5", numericValue: "12.5", unit: "kg" }],
      related: [
        { productId: 2, relationship: "accessory" },
        { productId: 3, relationship: "substitute" },
      ],
      images: [{ url: "https://shop.example/1.jpg", alt: "Front" }],
      media: [
        {
          type: "video",
          url: "https://shop.example/1.mp4",
          alt: "Film",
          previewUrl: "https://shop.example/1.png",
        },
        { type: "model_3d", url: "https://shop.example/1.glb" },
      ],
      tags: ["summer", "a|b"],
    }),
  );
  const page = await pageOf(service);
  assert.equal(
    headings(page).map(([, text]) => text),
    [
      ...["Product 1", "Warnings", "Highlights", "Description", "Variants", "Specifications"],
      ...["Related products", "Categories", "Images", "Media", "Tags"],
    ],
  );
  assert.is(
    sectionOf(page, "Warnings"),
    `- ${long} (H302) [details](https://shop.example/h302)\n- Hot. [picture](https://shop.example/hot.png)`,
  );
  assert.is(sectionOf(page, "Highlights"), "- Light\n- \\- Strong");
  assert.match(page, "```\n## Specifications\n```\n\n## Variants\n");
  assert.is(sectionOf(page, "Related products"), `- [Lid](${baseUrl}/products/2.md): accessory`);
  assert.is(
    sectionOf(page, "Media"),
    "- [Film](https://shop.example/1.mp4): video, [preview](https://shop.example/1.png)\n- <https://shop.example/1.glb>: 3D model",
  );
  assert.is(sectionOf(page, "Tags"), "summer, a\\|b");
});

test("an attribute shows its unit once, and groups have headings", async ({ service }) => {
  const group = "Climate";
  service.apply(
    productUpserted({
      specifications: [
        { name: "Weight", value: "12.5", numericValue: "12.5", unit: "kg" },
        { name: "Storage", value: "5-10", numericValue: 5, max: 10, unit: "°C", group },
        { name: "Capacity", value: "0.3 l", numericValue: "0.3", unit: "l" },
        { name: "Length", value: "maximum", numericValue: "2", unit: "m" },
        { name: "Depth", value: "3", unit: "cm" },
        { name: "Material", value: "Wool", code: "material" },
      ],
    }),
  );
  assert.is(
    sectionOf(await pageOf(service), "Specifications"),
    `| Name | Value |
| --- | --- |
| Weight | 12.5 kg |
| Capacity | 0.3 l |
| Length | maximum (2 m) |
| Depth | 3 cm |
| Material | Wool |

### Climate

| Name | Value |
| --- | --- |
| Storage | 5–10 °C |`,
  );
});

test("variants are a table with a column for each option", async ({ service }) => {
  service.apply(
    settings({ taxIncluded: true, quantityVisible: "low", lowStockThreshold: 3 }),
    shirt(
      [
        {
          id: 11,
          sku: "RED|S",
          gtin: "4006381333931",
          options: [
            { name: "Size", value: "S" },
            { name: "Color", value: "Red" },
          ],
          sales: [sale],
          price: euros("89.00"),
        },
        { id: 12, sku: "M", options: [{ name: "Size", value: "M" }] },
        sized(13, "L", { active: false }),
      ],
      {
        options: [
          { name: "Color", values: ["Red"] },
          { name: "Size", values: ["S", "M"] },
        ],
      },
    ),
    stockChanged({ variantId: 11, quantity: 2 }),
    stockChanged({ variantId: 12, quantity: 0 }),
  );
  assert.equal(await tableOf(service), [
    "| Color | Size | Price incl. tax | Stock | SKU | GTIN | Id |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    "| Red | S | 69.00 EUR, was 89.00 EUR (−22 %), until 30 Nov 2026, 00:00 (Europe/Berlin) | limited stock, 2 left | RED\\|S | 4006381333931 | 1.11 |",
    "| any | M | 89.00 EUR | out of stock | M |  | 1.12 |",
  ]);
});

test("columns of names, unit prices and facts appear where a variant has one", async ({
  service,
}) => {
  service.apply(
    shirt([
      {
        id: 11,
        name: "Small pack",
        url: "?v=11",
        mpn: "P-11",
        condition: "used",
        quantityRule: { min: 2 },
        unitPricing: { measure: { value: "500", unit: "g" }, base: { value: "1", unit: "kg" } },
        specifications: [{ name: "Weight", value: "0.5", numericValue: "0.5", unit: "kg" }],
      },
    ]),
    variantUpserted({ id: 12 }, later),
  );
  assert.equal(await tableOf(service), [
    "| Variant | Price | Unit price | Stock | MPN | Condition | Pieces per purchase | Specifications | Id |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    "| [Small pack](https://shop.example/products/1?v=11) | 89.00 EUR | 178.00 EUR per 1 kg | out of stock | P-11 | used | at least 2 | Weight: 0.5 kg | 1.11 |",
    "| Product 1 | 89.00 EUR |  | out of stock |  |  |  |  | 1.12 |",
  ]);
});

test("a product whose variants are all inactive has no table, and is out of stock", async ({
  service,
}) => {
  service.apply(shirt([sized(11, "S", { active: false })]), stockChanged({ variantId: 11 }));
  assert.not.match(await pageOf(service), "## Variants");
  assert.is(await fact(service, "Availability"), "OUT_OF_STOCK");
});

test("a price or stock of a variant changes the ETag", async ({ service }) => {
  service.apply(shirt([sized(11, "S"), sized(12, "M")]), stockChanged());
  const etag = async () => (await service.get("/products/1.md")).headers.get("etag");
  const first = await etag();
  service.apply(priceChanged({ variantId: 12, price: euros("95.00") }));
  const second = await etag();
  assert.is.not(second, first);
  service.apply(stockChanged({ variantId: 12, quantity: 0 }));
  assert.is.not(await etag(), second);
});

test("hidden prices are in no line and no column", async ({ service, clock }) => {
  const unitPricing = { measure: { value: "750", unit: "ml" }, base: { value: "1", unit: "l" } };
  clock.now = saleStart;
  service.apply(
    categoryUpserted(),
    settings({ pricesVisible: false, taxIncluded: true, upcomingSales: "shown" }),
    productUpserted({ id: 2, price: euros("89.00"), sales: [sale], unitPricing, categoryIds: [1] }),
    shirt([sized(11, "S", { price: euros("79.00") }), sized(12, "M", { sales: [sale] })], {
      priorPrice: euros("71.00"),
      listPrice: euros("99.00"),
      unitPricing,
      categoryIds: [1],
    }),
    stockChanged(),
  );
  for (const path of ["/products/1.md", "/products/2.md", "/categories/1.md"]) {
    const page = await (await service.get(path)).text();
    assert.not.match(page, /EUR|%|tax|until|from/, `${path}\n${page}`);
    assert.match(page, "not shown", path);
  }
  assert.is((await tableOf(service))[2], "| S | not shown | in stock | 1.11 |");
});

test("hidden prices hide no delivery date", async ({ service }) => {
  service.apply(settings({ pricesVisible: false }), productUpserted());
  service.apply(stockChanged({ availabilityDate: "2027-01-15" }));
  assert.equal((await factsOf(service)).slice(0, 2), [
    "- Price: not shown",
    "- Availability: IN_STOCK, ships from 15 Jan 2027",
  ]);
});

test("a category shows the lowest of several prices as `from`", async ({ service, clock }) => {
  clock.now = saleStart - 1;
  const categoryIds = [1];
  service.apply(
    categoryUpserted(),
    productUpserted({ id: 2, categoryIds }),
    shirt([sized(11, "S", { sales: [sale], price: euros("89.00") }), sized(12, "M")], {
      categoryIds,
    }),
    stockChanged(),
  );
  const read = async () => {
    const response = await service.get("/categories/1.md");
    const products = sectionOf(await response.text(), "Products")?.split("\n");
    return { etag: response.headers.get("etag"), products };
  };
  const shirtAt = (price: string) => `- [Product 1](${baseUrl}/products/1.md): ${price}, IN_STOCK`;
  const mug = `- [Product 2](${baseUrl}/products/2.md): 12.90 EUR, OUT_OF_STOCK`;
  const before = await read();
  assert.equal(before.products, [shirtAt("89.00 EUR"), mug]);
  clock.now = saleStart;
  const during = await read();
  assert.equal(during.products, [shirtAt("from 69.00 EUR"), mug]);
  assert.is.not(during.etag, before.etag);
});

const hostile = [
  "x|y\n| a | b |\n| --- | --- |",
  "x\\",
  "x\\|y",
  "<script>x</script>",
  "[x](javascript:alert(1)) ![y](z)",
  "`x` **y** <!-- z",
  "x\n\n# Fake\n\n- Price: 0.01 EUR",
];

/** A product with one text in every field of a merchant. */
const everywhere = (text: string, at: number) => {
  const url = "https://shop.example/x";
  const specification = { name: text, value: text, unit: text.slice(0, 20), group: text };
  const variant = { name: text, sku: text, gtin: text, mpn: text, specifications: [specification] };
  const time = new Date(Date.parse(later.time) + at * 1000).toISOString();
  return productUpserted(
    {
      mpn: text,
      manufacturer: { name: text, address: text, url },
      energyLabel: { class: text.slice(0, 10), scale: [text.slice(0, 10), "G"], eprelId: text },
      warnings: [{ text, code: text, url }],
      highlights: [text],
      tags: [text],
      specifications: [specification],
      media: [{ type: "video", url, alt: text }],
      unitPricing: {
        measure: { value: "1", unit: text.slice(0, 20) },
        base: { value: "1", unit: text.slice(0, 20) },
      },
      options: [{ name: text, values: [text] }],
      variants: [
        { ...variant, id: 11, options: [{ name: text, value: text }], url: "?v=1" },
        { ...variant, id: 12, options: [{ name: text, value: `${text}2` }] },
      ],
    },
    { time },
  );
};

test("no text of a merchant changes the structure of the page", async ({ service }) => {
  service.apply(everywhere("plain", 0));
  const plain = outline(await pageOf(service));
  for (const [at, text] of hostile.entries()) {
    assert.equal(service.apply(everywhere(text, at + 1)).deadLetters, [], text);
    const page = await pageOf(service);
    assert.is(outline(page), plain, page);
    for (const each of links(page)) assert.match(each, /^https?:/, page);
  }
});

test("every one of 2,048 variants is in the table", async ({ service }) => {
  const variants = Array.from({ length: 2_048 }, (_, at) => sized(100 + at, `Size ${at}`));
  service.apply(shirt(variants));
  const page = await pageOf(service);
  const [table] = [...walk(parse(sectionOf(page, "Variants") ?? ""))].filter(
    ({ type }) => type === "table",
  );
  assert.is(table && "children" in table && table.children.length, 2_049);
  assert.match(table ? textOf(table) : "", "Size 2047");
});

test("a product with neither goods nor settings of goods has the page of before", async ({
  service,
}) => {
  service.apply(productUpserted(), stockChanged({ availability: "in_stock" }));
  assert.equal(await factsOf(service), [
    "- Price: 12.90 EUR",
    "- Availability: IN_STOCK",
    "- Reference: SKU-1",
    "- Id: 1",
    "- Updated: 2026-10-01T08:00:00.000Z",
    "- Page: <https://shop.example/products/1>",
  ]);
});

test.run();

import {
  type Arbitrary,
  array,
  asyncProperty,
  assert as check,
  constantFrom,
  integer,
  record,
  string,
} from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { UnusableFileError } from "../../../src/connectors/files/items.ts";
import { readShopifyCsv } from "../../../src/connectors/files/shopify-csv.ts";
import { readAll } from "./read.ts";

const test = suite("connectors/files/shopify-csv");

/** Three spellings of one product with two variants and three pictures. */
const spellings = {
  "the classic export": [
    "Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Price,Variant Compare At Price,Variant Barcode,Image Src,Image Position,Image Alt Text,Variant Image,Status",
    'tee,Tee,<p>Soft</p>,Acme,Shirts,"a, b",TRUE,Size,S,T-S,shopify,3,deny,9.90,12,4006381333931,https://i.example/2.jpg,2,Back,https://i.example/3.jpg,active',
    "tee,,,,,,,,M,T-M,shopify,0,continue,10.90,,,https://i.example/1.jpg,1,Front,,",
  ],
  "the newer template": [
    "Title,URL handle,Description,Vendor,Type,Tags,Published on online store,Status,SKU,Barcode,Option1 name,Option1 value,Price,Compare-at price,Inventory tracker,Inventory quantity,Continue selling when out of stock,Product image URL,Image position,Image alt text,Variant image URL",
    'Tee,tee,<p>Soft</p>,Acme,Shirts,"a, b",TRUE,Active,T-S,4006381333931,Size,S,9.90,12,shopify,3,deny,https://i.example/2.jpg,2,Back,https://i.example/3.jpg',
    ",tee,,,,,,,T-M,,,M,10.90,,shopify,0,continue,https://i.example/1.jpg,1,Front,",
  ],
  "the spelling of tools": [
    "Handle,Title,Body,Vendor,Type,Tags,Published,Option1 name,Option1 value,Variant sku,Variant inventory tracker,Variant inventory quantity,Variant inventory policy,Variant price,Variant compare at price,Variant barcode,Image src,Image position,Image alt text,Variant image,Status",
    'tee,Tee,<p>Soft</p>,Acme,Shirts,"a, b",true,Size,S,T-S,shopify,3,deny,9.90,12,4006381333931,https://i.example/2.jpg ,2,Back,https://i.example/3.jpg,active',
    "tee,,,,,,,Size,M,T-M,shopify,0,continue,10.90,,,https://i.example/1.jpg,1,Front,,",
  ],
};

for (const [name, lines] of Object.entries(spellings)) {
  test(`${name} gives a body of products/update`, async () => {
    const [item, ...others] = await readAll(readShopifyCsv, `\ufeff${lines.join("\r\n")}`);
    assert.equal(others, []);
    assert.ok(item && "body" in item, JSON.stringify(item));
    assert.equal([item.line, item.topic], [2, "products/update"]);
    const image = (at: number, alt: string | undefined, position: string) => {
      const src = `https://i.example/${at}.jpg`;
      return { id: src, src, alt, position };
    };
    const variant = { option2: undefined, option3: undefined, inventory_management: "shopify" };
    assert.equal(item.body, {
      ...{ id: "handle/tee", handle: "tee", title: "Tee", body_html: "<p>Soft</p>" },
      ...{ vendor: "Acme", tags: "a, b", product_type: "Shirts", status: "active" },
      published_at: "2026-11-01T12:00:00.000Z",
      updated_at: "2026-11-01T12:00:00.000Z",
      options: [{ name: "Size", values: ["S", "M"] }],
      images: [image(2, "Back", "2"), image(1, "Front", "1"), image(3, undefined, "1000000")],
      variants: [
        {
          ...{ ...variant, id: "handle/tee/S", option1: "S", sku: "T-S", barcode: "4006381333931" },
          ...{ price: "9.90", compare_at_price: "12", inventory_quantity: "3" },
          ...{ inventory_policy: "deny", image_id: "https://i.example/3.jpg" },
        },
        {
          ...{ ...variant, id: "handle/tee/M", option1: "M", sku: "T-M", barcode: undefined },
          ...{ price: "10.90", compare_at_price: undefined, inventory_quantity: "0" },
          ...{ inventory_policy: "continue", image_id: undefined },
        },
      ],
    });
  });
}

const header = "Handle,Title,Option1 Name,Option1 Value,Variant Price,Image Src";

test("a row with a picture alone is no variant", async () => {
  const rows =
    "mug,Mug,Title,Default Title,5,https://i.example/1.jpg\nmug,,,,,https://i.example/2.jpg\n";
  const [item] = await readAll(readShopifyCsv, `${header}\n${rows}`);
  assert.ok(item && "body" in item);
  const { variants, images } = item.body as { variants: unknown[]; images: unknown[] };
  assert.equal([variants.length, images.length], [1, 2]);
});

test("rows that cannot be used are named with their line; blank lines count", async () => {
  const rows =
    'mug,Mug,,,5,\n\nbowl,"Bowl\r\nwide",,,5 EUR,\n,No handle,,,1,\ncup,Cup,,,1,,7\npot,Pot,,,1,\n';
  const items = await readAll(readShopifyCsv, `${header}\n${rows}`);
  const shown = items.map((item) =>
    "reason" in item ? [item.line, item.column, item.reason] : [item.line],
  );
  assert.equal(shown, [
    [2],
    [4, "Variant Price", "must be a decimal with a point such as 19.90, not 5 EUR"],
    [6, "Handle", "must be the handle of the product"],
    [7, null, "has 7 cells, and the header has 6"],
    [8, "Handle", "names a product with a row that cannot be used"],
  ]);
});

const word: Arbitrary<string> = string({ maxLength: 12 }).map((text) => text.replaceAll("\0", ""));
const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;

test("any texts come back as they were written, however the bytes are divided", async () => {
  const row = record({ title: word, value: word, cents: integer({ min: 0, max: 99_999 }) });
  await check(
    asyncProperty(
      array(row, { minLength: 1, maxLength: 5 }),
      integer({ min: 1, max: 64 }),
      async (rows, size) => {
        const lines = rows.map(({ title, value, cents }, at) =>
          [`h-${at}`, cell(title), "Size", cell(value), (cents / 100).toFixed(2), ""].join(","),
        );
        const items = await readAll(readShopifyCsv, [header, ...lines].join("\n"), { size });
        assert.is(items.length, rows.length);
        for (const [at, { title, value, cents }] of rows.entries()) {
          const item = items[at];
          assert.ok(item && "body" in item);
          const body = item.body as { title?: string; variants: readonly Record<string, string>[] };
          const [variant] = body.variants;
          assert.is(body.title ?? "", title.trim().toWellFormed());
          assert.is(variant?.["option1"] ?? "", value.trim().toWellFormed());
          assert.is(variant?.["price"], (cents / 100).toFixed(2));
        }
      },
    ),
  );
});

test("hostile bytes end with a plain error, or with items", async () => {
  const part = constantFrom(
    '"',
    ",",
    "\n",
    "\r",
    "Handle",
    "\u0000",
    "\ufeff",
    "9",
    "a".repeat(9_000),
  );
  await check(
    asyncProperty(array(part, { maxLength: 60 }), async (parts) => {
      try {
        await readAll(readShopifyCsv, `${header}\n${parts.join("")}`, { size: 4_096 });
      } catch (error) {
        assert.instance(error, UnusableFileError);
      }
    }),
  );
});

test.run();

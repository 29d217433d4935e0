import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { readGoogle } from "../../../src/connectors/files/google/reader.ts";
import {
  type FileContext,
  type FileItem,
  UnusableFileError,
} from "../../../src/connectors/files/items.ts";
import { property } from "../../helpers/effort.ts";
import { atom, feed, itemOf } from "./google-feeds.ts";

const test = suite("product data for Google");

const context: FileContext = { taken: "2026-11-01T12:00:00.000Z", columns: new Map() };

/** Reads a file in chunks that end before the given bytes. */
const read = async (
  file: string | Uint8Array,
  ends: readonly number[] = [],
  members: Partial<FileContext> = {},
): Promise<FileItem[]> => {
  const bytes = typeof file === "string" ? Buffer.from(file) : file;
  const borders = [0, ...ends, bytes.length];
  const chunks = async function* () {
    for (const [at, border] of borders.entries())
      if (at > 0) yield bytes.subarray(borders[at - 1], border);
  };
  const items: FileItem[] = [];
  for await (const item of readGoogle(chunks(), { ...context, ...members })) items.push(item);
  return items;
};

/** @returns line and message of the refusal of a file */
const refusalOf = async (file: string | Uint8Array): Promise<[number | undefined, string]> => {
  try {
    await read(file);
  } catch (error) {
    if (error instanceof UnusableFileError) return [error.line, error.message];
    throw error;
  }
  throw new Error("the file was read");
};

const itemsOf = (item: FileItem | undefined): readonly Record<string, unknown>[] =>
  item && "body" in item ? (item.body as { items: Record<string, unknown>[] }).items : [];

const mug = {
  id: ["M1"],
  title: ["Mug"],
  link: ["https://shop.example/mug"],
  price: ["15.00 EUR"],
};

test("an item of RSS is a body with its line and its attributes", async () => {
  const file = feed(
    itemOf({ id: "M1", title: "Mug & <cup>", unknown_attribute: "x" }),
    `<item
      ><title>Plain</title><link>https://shop.example/p</link><description><![CDATA[<b>A</b>]]> &#228;</description>
      <g:id>P1</g:id><g:price>1 EUR</g:price>
      <g:additional_image_link>https://cdn.example/1.jpg</g:additional_image_link>
      <g:additional_image_link>https://cdn.example/2.jpg</g:additional_image_link>
      <g:product_detail><g:section_name>Size</g:section_name><g:attribute_name>Width</g:attribute_name><g:attribute_value>3 cm</g:attribute_value></g:product_detail>
    </item>`,
  );
  const [first, second, ...others] = await read(file);
  assert.equal(others, []);
  assert.equal(first, {
    line: 3,
    topic: "google/item",
    body: { items: [{ ...mug, title: ["Mug & <cup>"] }] },
  });
  assert.is(second?.line, 4);
  assert.equal(itemsOf(second), [
    {
      id: ["P1"],
      title: ["Plain"],
      link: ["https://shop.example/p"],
      price: ["1 EUR"],
      additional_image_link: ["https://cdn.example/1.jpg", "https://cdn.example/2.jpg"],
      product_detail: [{ section_name: "Size", attribute_name: "Width", attribute_value: "3 cm" }],
      description: ["<b>A</b> ä"],
    },
  ]);
});

test("an entry of Atom is read with any prefix and its own link", async () => {
  const entry = `<entry><link rel="enclosure" href="https://shop.example/a.jpg"/>
    <link href="https://shop.example/mug"/><title>Mug</title><summary>Blue <i>mug</i>.</summary>
    <x:id>M1</x:id><x:price>15.00 EUR</x:price><g:price xmlns:g="https://else.example/">9 EUR</g:price></entry>`;
  const [item] = await read(atom("x", entry));
  assert.equal(itemsOf(item), [
    { ...mug, link: ["", "https://shop.example/mug"], description: ["Blue mug."] },
  ]);
});

test("an element of Google counts before a plain one", async () => {
  const [item] = await read(
    feed(itemOf({}, "<title>Plain</title><link>https://x.example/</link>")),
  );
  assert.equal(itemsOf(item), [mug]);
});

test("text with tabs has the same attributes, with lists in a cell", async () => {
  const file = [
    "ID\tg:title\tLink\tprice\tadditional image link\tproduct_highlight\tproduct detail\tvariant_option",
    'M1\tMug\thttps://shop.example/mug\t15.00 EUR\thttps://a.example/1,2.jpg, https://a.example/3.jpg\t"Blue, and warm","Big"\tA:B:C, D,:E:F: 1\tWidth:Narrow,Size:8',
    "",
  ].join("\n");
  const [item] = await read(`\ufeff${file}`);
  assert.equal(item?.line, 2);
  assert.equal(itemsOf(item), [
    {
      ...mug,
      additional_image_link: ["https://a.example/1,2.jpg", "https://a.example/3.jpg"],
      product_highlight: ["Blue, and warm", "Big"],
      product_detail: ["A:B:C, D", ":E:F: 1"],
      variant_option: ["Width:Narrow", "Size:8"],
    },
  ]);
  assert.equal(itemsOf((await read(file.replace("ID", "g:id")))[0]), itemsOf(item));
});

test("a header without a needed attribute is refused, unless the user names the column", async () => {
  const file = "id\ttitle\tlink\tPreis\nM1\tMug\thttps://shop.example/mug\t15.00 EUR\n";
  assert.match((await refusalOf(file))[1], "price");
  assert.equal(itemsOf((await read(file, [], { columns: new Map([["Preis", "price"]]) }))[0]), [
    mug,
  ]);
});

test("adjacent items of a group are one body, and others are not", async () => {
  const grouped = (id: string, group?: string) =>
    itemOf({ id, ...(group ? { item_group_id: group } : {}) });
  const file = feed(
    ...[grouped("1", "A"), grouped("2", "A"), grouped("3"), grouped("4")],
    ...[grouped("5", "B"), grouped("6", "A")],
  );
  const ids = (await read(file)).map((item) => itemsOf(item).flatMap(({ id }) => id));
  assert.equal(ids, [["1", "2"], ["3"], ["4"], ["5"], ["6"]]);
});

test("a body has 2,048 items and about 2 MiB at most", async () => {
  const many = Array.from({ length: 2_050 }, (_, at) =>
    itemOf({ id: String(at + 1), item_group_id: "A" }),
  );
  assert.equal(
    (await read(feed(...many))).map((item) => itemsOf(item).length),
    [2_048, 2],
  );
  const large = [1, 2, 3].map((id) =>
    itemOf({ id: String(id), item_group_id: "A", description: "x".repeat(900_000) }),
  );
  assert.equal(
    (await read(feed(...large))).map((item) => itemsOf(item).length),
    [2, 1],
  );
});

const faults: readonly [members: Record<string, string | undefined>, column: string][] = [
  [{ id: undefined }, "id"],
  [{ title: " " }, "title"],
  [{ link: undefined }, "link"],
  [{ price: undefined }, "price"],
  [{ price: "1,234 EUR" }, "price"],
  [{ sale_price: "cheap" }, "sale_price"],
  [{ sale_price: "9 USD" }, "sale_price"],
  [{ sale_price: "9 EUR", sale_price_effective_date: "soon" }, "sale_price_effective_date"],
  [{ availability: "maybe" }, "availability"],
  [{ expiration_date: "2026-02-30" }, "expiration_date"],
];

test("an item that cannot be used is named by line and attribute, and the others are read", async () => {
  for (const [members, column] of faults) {
    const good = itemOf({ id: "2", item_group_id: "A" });
    const file = feed(
      good,
      itemOf({ item_group_id: "A", ...members }),
      itemOf({ id: "3", item_group_id: "A" }),
    );
    const [bad, item] = await read(file);
    assert.ok(bad && "reason" in bad, column);
    assert.equal([bad.line, bad.column], [4, column]);
    assert.is(itemsOf(item).length, 2);
  }
});

test("a price without a currency has that of the connection, and is a bad cell without one", async () => {
  const file = feed(itemOf({ price: "15", sale_price: "9 EUR" }), itemOf({ price: "15 USD" }));
  const [other, item] = await read(file, [], { currency: "EUR" });
  assert.equal(itemsOf(item), [{ ...mug, price: ["15"], sale_price: ["9 EUR"] }]);
  assert.match(other && "reason" in other ? other.reason : "", "must be in EUR, not in USD");
  const [bad] = await read(file);
  assert.match(bad && "reason" in bad ? bad.reason : "", "lacks a currency");
});

test("a bad cell of a text is named by the word of the header", async () => {
  const file = "id\ttitle\tlink\tg:price\nM1\tMug\thttps://shop.example/mug\t1,234 EUR\n";
  const [bad] = await read(file);
  assert.equal(bad && "reason" in bad && [bad.line, bad.column], [2, "g:price"]);
});

const complete = feed(itemOf({ id: "1" }), itemOf({ id: "2" }));

const unusable: Readonly<Record<string, readonly [string | Uint8Array, number]>> = {
  "cut behind an item": [complete.slice(0, complete.indexOf("</item>") + 7), 3],
  "cut within a tag": [complete.slice(0, complete.indexOf("<g:price") + 4), 3],
  "cut within a comment": [`${complete}<!-- `, 7],
  "a wrong end tag": [complete.replace("</g:id>", "</g:ix>"), 3],
  "a second root": [`${complete}${atom("g", "")}`, 7],
  "a page of HTML": ["<html><body><p>Busy</p></body></html>", 1],
  "a prefix without a namespace": ["<rss><channel><item><g:id>1</g:id></item></channel></rss>", 1],
  "no element": ["<?xml version='1.0'?>\n<!-- none -->\n", 3],
  nothing: [" \n", 1],
  "an entity of HTML": [feed(itemOf({ title: "RAW&nbsp;" }).replace("RAW&amp;", "&")), 3],
  "an entity that a DOCTYPE declares": [
    `<!DOCTYPE rss [<!ENTITY a "b"><!ENTITY c "&a;&a;&a;">]>\n${feed("<item><g:id>&c;</g:id></item>")}`,
    4,
  ],
  "an external entity": [
    `<!DOCTYPE rss [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n${feed("<item><g:id>&a;</g:id></item>")}`,
    4,
  ],
  "an entity with the name of a method": [feed("<item><g:id>&constructor;</g:id></item>"), 3],
  "100,000 nested elements": [feed(`<item>${"<g:id>".repeat(100_000)}`), 3],
  "nested namespaces": [feed(`<item>${'<a xmlns="b">'.repeat(100_000)}`), 3],
  "an item above 8 MiB": [feed(itemOf({ description: "x".repeat(9_000_000) })), 3],
  "a comment above 8 MiB": [feed(`<!--${"x".repeat(9_000_000)}-->`), 3],
  "a name above 64 KiB": [feed(`<item><${"x".repeat(100_000)}/></item>`), 3],
  "many attributes": [
    feed(`<item ${Array.from({ length: 500_000 }, (_, at) => `a${at}=""`).join(" ")}/>`),
    3,
  ],
  "text that is not UTF-8": [
    Buffer.concat([Buffer.from(complete.slice(0, 200)), Buffer.from([0xc3, 0x28])]),
    3,
  ],
  "a title that is not UTF-8": [
    Buffer.from(feed(itemOf({}), itemOf({ title: "Gr\u00fcn" })), "latin1"),
    4,
  ],
  "UTF-16": [Buffer.from(complete, "utf16le"), 1],
  "a letter that is cut": [Buffer.from(`${complete}<!-- ä`).subarray(0, -1), 7],
};

for (const [name, [file, line]] of Object.entries(unusable)) {
  test(`a file with ${name} is refused`, async () => {
    const start = performance.now();
    assert.is((await refusalOf(file))[0], line);
    assert.ok(performance.now() - start < 5_000);
  });
}

test("a DOCTYPE, comments and instructions are skipped", async () => {
  const file = `<!DOCTYPE rss SYSTEM "x.dtd">\n<?style a?>${feed(`<!-- <item/> -->${itemOf({})}`).replace(/^<\?.*\?>/, "")}`;
  assert.equal(itemsOf((await read(file))[0]), [mug]);
});

test("a comment of 200 KB is skipped in any chunks", async () => {
  const file = feed(`<!--${"x".repeat(200_000)}-->${itemOf({})}`);
  const ends = Array.from({ length: 199 }, (_, at) => (at + 1) * 1_000);
  assert.equal(itemsOf((await read(file, ends))[0]), [mug]);
});

test("names of methods of objects are no attributes", async () => {
  const names = ["__proto__", "constructor", "hasOwnProperty", "toString"];
  const extra = names.map((name) => `<${name}>x</${name}><g:${name}>x</g:${name}>`).join("");
  const part = "<g:product_detail><g:__proto__>x</g:__proto__></g:product_detail>";
  const [item] = await read(feed(itemOf({}, `${extra}${part}`)));
  assert.equal(
    Object.keys(itemsOf(item)[0] ?? {}).sort(),
    [...Object.keys(mug), "product_detail"].sort(),
  );
});

const files = [
  feed(
    itemOf({ title: "Größe 😀 & “x”" }),
    itemOf({ price: undefined }),
    `<item\n><g:id>1</g:id></item>`,
  ),
  atom(
    "ä",
    `<entry><link href="https://shop.example/ß"/><title>€<![CDATA[😀]]></title><ä:id>1</ä:id><ä:price>1 EUR</ä:price></entry>`,
  ),
  "\ufeffid\ttitle\tlink\tprice\nM1\tTasse 😀\thttps://shop.example/ß\t15,00 EUR\nM2\t\t\t\n",
];

test("the chunks of a file do not change its items", async () => {
  for (const file of files) {
    const bytes = Buffer.from(file);
    const expected = await read(bytes);
    assert.ok(expected.length > 0);
    const every = Array.from({ length: bytes.length }, (_, at) => at);
    assert.equal(await read(bytes, every), expected);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length)), async (ends) => {
        assert.equal(
          await read(
            bytes,
            ends.sort((one, other) => one - other),
          ),
          expected,
        );
      }),
      property(200),
    );
  }
});

test.run();

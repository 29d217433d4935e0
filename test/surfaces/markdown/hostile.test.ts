import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cpuTime } from "../../helpers/cpu-time.ts";
import { property } from "../../helpers/effort.ts";
import {
  categoryUpserted,
  pageUpserted,
  productUpserted,
  settingsUpdated,
} from "../../helpers/events.ts";
import { openTestServer, type TestServer } from "../../helpers/test-server.ts";
import { headings, links, outline, parse, textOf, walk } from "./structure.ts";

const test = suite<{ service: TestServer }>("hostile text of a merchant on Markdown pages");

test.before(async (context) => {
  context.service = await openTestServer();
});
test.after(({ service }) => service.close());

let shopCount = 0;
const later = () => {
  shopCount += 1;
  return { time: new Date(Date.parse("2026-10-01T08:00:00Z") + shopCount * 1000).toISOString() };
};

/** A shop with one text in every field of a merchant except HTML. */
const shopOf = (text: string) => [
  settingsUpdated({ name: text, description: text }, later()),
  categoryUpserted({ id: 1, name: text }, later()),
  categoryUpserted({ id: 2, name: text, parentId: 1 }, later()),
  productUpserted(
    {
      id: 1,
      name: text,
      brand: text,
      reference: text.slice(0, 100),
      gtin: text.slice(0, 100),
      categoryIds: [1, 2],
      specifications: [
        { name: text, value: text },
        { name: text, value: "x" },
      ],
      images: [{ url: "https://shop.example/1.jpg", alt: text }],
    },
    later(),
  ),
  pageUpserted({ id: 1, title: text, policy: "returns" }, later()),
];

const paths = [
  "/products/1.md",
  "/categories/1.md",
  "/categories/2.md",
  "/pages/1.md",
  "/index.md",
  "/llms.txt",
];

const shown = async (service: TestServer, text: string) => {
  assert.equal(service.apply(...shopOf(text)).deadLetters, []);
  return Promise.all(paths.map(async (path) => (await service.get(path)).text()));
};

const piece = fc.constantFrom(
  ..."# ## - + * > 1. 2) ``` ` ~~~ ~~ --- === | || [ ] ( ) ](x) [a](javascript:x) ![ <b> <!-- <script> </td> \\ \\\\ _ __ & &amp; &#35; [^1]: [x]: : :--- ! {} $ @ % word Ü 日本 😀 http://e.example www.e.example <http://x> https:// a@b.example &lt;b&gt; - [ ] [x] \n \n\n \t \u2028 \u00a0 \u0085 \u202e \u200b \ufeff \u0007".split(
    " ",
  ),
  "\n",
  " ",
  "\n# Fake\n\n- Price: 0.01 EUR\n",
);

const names = fc
  .array(piece, { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join(""))
  // The contract of the events requires visible text in a name; a blank brand would count as none.
  .map((text) => `x${text}y`.slice(0, 90))
  .chain((text) => fc.constantFrom(text, text.slice(1)))
  .map((text) => text.toWellFormed())
  .filter((text) => /[\p{L}\p{N}\p{P}]/u.test(text));

test("no name, brand, title or specification changes the structure of a page", async ({
  service,
}) => {
  const plain = (await shown(service, "plain")).map(outline);
  await fc.assert(
    fc.asyncProperty(names, async (text) => {
      const pages = await shown(service, text);
      for (const [at, page] of pages.entries()) {
        assert.is(outline(page), plain[at], `${JSON.stringify(text)}\n${page}`);
      }
    }),
    property(60),
  );
});

test("a name is shown unchanged", async ({ service }) => {
  for (const name of [
    "Mug \\ <b>0.3 l</b> & co | *new* _x_ `y` #1 [a](b)",
    "# 1. not a heading",
    "1. first",
    "- 5 °C",
    "C# and F#",
    "&copy; &#35; &amp;",
    "SKU_A_1 ~5 kg~ a__b__c",
    "=== 10 > 5",
    "A & B; C",
  ]) {
    const [product = ""] = await shown(service, name);
    assert.equal(headings(product)[0], [1, name], product);
  }
});

test("no page has invisible characters, HTML or URLs other than http(s)", async ({ service }) => {
  const text =
    "a\u202eb\u200bc\u0007d\u2066e\u{e0041}\u034f\u3164f\u061cg [x](javascript:alert(1)) <script>alert(1)</script>";
  for (const page of await shown(service, text)) {
    assert.not.match(page, /[\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}]|(?!\n)\p{Cc}/u);
    assert.not.ok(
      [...walk(parse(page))].some(({ type }) => type === "html"),
      page,
    );
    for (const url of links(page)) assert.match(url, /^https?:/);
  }
});

const html = `<h1>Fake</h1><script>alert(1)</script><style>p{}</style>
<p onclick="x()">Shown <a href="javascript:alert(1)">a</a> <a href="//evil.example">b</a> <a href="/in">c</a></p>
<img src="/a.png" alt="](javascript:alert(1)) <script>&#10;# Alt&#10;">
<pre>
# Pre
- Price: 0.01 EUR
===
&lt;script&gt;
</pre>
<pre><code>x
  \`\`\`
# Broken out
</code></pre>
<table><tr><td>a<p>b</p></td><td><ul><li># c</li></ul></td></tr></table>
<h6>Six</h6>a\u202eb\u200bc`;

test("a description of hostile HTML stays in its section on every page", async ({ service }) => {
  service.apply(
    ...shopOf("Name"),
    productUpserted(
      { id: 1, descriptionHtml: html, specifications: [{ name: "n", value: "v" }] },
      later(),
    ),
    categoryUpserted({ id: 1, descriptionHtml: html }, later()),
    pageUpserted({ id: 1, contentHtml: html }, later()),
  );
  for (const [path, expected] of [
    ["/products/1.md", ["Product 1", "Description", "Specifications"]],
    ["/categories/1.md", ["Category 1", "Description", "Subcategories"]],
    ["/pages/1.md", ["Page 1", "Content"]],
  ] as const) {
    const page = await (await service.get(path)).text();
    const ours = headings(page).filter(([depth]) => depth < 3);
    assert.equal(
      ours.map(([, text]) => text),
      expected,
      page,
    );
    assert.not.match(page, /alert\(1\)<|onclick|p\{\}|[\u202e\u200b]/);
    assert.match(page, "Shown");
    for (const url of links(page)) assert.match(url, /^$|^(https?|mailto|tel):/, page);
    const tree = [...walk(parse(page))];
    assert.not.ok(
      tree.some(({ type }) => type === "html"),
      page,
    );
    assert.ok(textOf(parse(page)).includes("Price: 0.01 EUR"), "shown, but in its own section");
  }
});

test("a description of a megabyte or of deep nesting gives a page of bounded size", async ({
  service,
}) => {
  for (const descriptionHtml of [
    `<p>${"word ".repeat(180_000)}</p>`,
    "<ul><li>".repeat(1_000),
    "<a href='/x'>y</a>".repeat(10_000),
  ]) {
    service.apply(productUpserted({ id: 1, descriptionHtml }, later()));
    const worked = cpuTime();
    const response = await service.get("/products/1.md");
    const text = await response.text();
    assert.is(response.status, 200);
    assert.ok(text.length < 2_000_000, `${text.length} characters`);
    assert.ok(worked() < 1_000, `${worked()} ms`);
  }
});

test.run();

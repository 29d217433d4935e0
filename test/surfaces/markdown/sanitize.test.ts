import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createHtmlRenderer } from "../../../src/projector/rendering/index.ts";
import { embedMarkdown } from "../../../src/surfaces/markdown/sanitize.ts";
import { cpuTime } from "../../helpers/cpu-time.ts";
import { property } from "../../torture/effort.ts";
import { headings, links, mustStayInside, outline, pageAround } from "./structure.ts";

const test = suite("a merchant's Markdown inside a page");
const base = "https://shop.example/p/42?v=1";
const { markdown } = createHtmlRenderer();

const page = (description: string): string => pageAround(embedMarkdown(description, base));

test("headings go two levels down, wherever they stand", () => {
  const html = "<h1>A</h1><p>x</p><h2>B</h2><h6>C</h6><blockquote><h1>D</h1></blockquote>";
  assert.equal(headings(page(markdown(html))), [
    [1, "Name"],
    [2, "Description"],
    [3, "A"],
    [4, "B"],
    [6, "C"],
    [3, "D"],
    [2, "Specifications"],
  ]);
});

test("relative links become absolute, against the page's own address", () => {
  const html = `<a href="/x">a</a> <a href="y.html">b</a> <a href="?v=2">c</a> <a href="#d">d</a>
    <a href="mailto:a@b.example">e</a> <a href="tel:+49">f</a> <img src="/a b.png" alt="g">`;
  assert.equal(links(page(markdown(html))), [
    "https://shop.example/x",
    "https://shop.example/p/y.html",
    "https://shop.example/p/42?v=2",
    "https://shop.example/p/42?v=1#d",
    "mailto:a@b.example",
    "tel:+49",
    "https://shop.example/a%20b.png",
  ]);
});

const hostile: readonly (readonly [what: string, markdown: string])[] = [
  ["a script address", "[a](javascript:alert(1)) ![b](data:text/html,x) [c](vbscript:x)"],
  ["one in angle brackets", "[a](<javascript:alert(1)>) [b]( \n javascript:x)"],
  [
    "one behind brackets that stay open",
    "[a](<    javascript:x) [b](<vbscript:x data:x) ![](<    #)",
  ],
  [
    "one behind a bracket of a link's text",
    "[\\](\\](javascript:alert(4))](https://shop.example/y)",
  ],
  ["one behind a bracket of an address", "[x](/](javascript:alert(4)) [y](/[z](javascript:(5))"],
  ["one written with entities", "[a](javascript&colon;alert(1)) [b](&#106;avascript:x)"],
  ["one by reference", "[a]\n\n[a]: javascript:alert(1)\n\n[^1]: javascript:x"],
  ["one that links itself", "<javascript:alert(1)>"],
  ["HTML", "<script>alert(1)</script>\n\n<div>\n\n# H\n\n</div> \\\\<b onclick=x>"],
  ["a comment that never ends", "<!-- x\n\n<![CDATA[ <?php"],
  ["headings", "# A\n\n- # B\n> 1. ## C\n\nD\n===\n\nE\n---\n\n- F\n  ---\n\n   # G\n\n\u00a0# H"],
  ["a fence that stays open", "```\ncode"],
  ["a fence that stays open, of tildes", "~~~~ x ` y\ncode\n~~~"],
  ["a fence that is closed early", "```\nx\n  ```\n# Price\n```"],
  ["a fence in a list", "- ```\n  x\n  ```\n# Price\n"],
  ["a fence that looks like one only here", " ```\nx\n```\n# Price\n```\n# More\n"],
  ["a fence in a quote", "> ```\n```\n# Price"],
  ["indented code and a table", "    # code\n\n| a |\n| - |\n| # b |"],
];

for (const [what, written] of hostile) {
  test(`${what} stays inside, and leads nowhere`, () => {
    mustStayInside(page(written));
  });
}

test("no Markdown whatever gets out of its place", () => {
  const pieces = fc.constantFrom(
    ..."# ## \n \n\n ` ``` ~~~ - > 1. [ ]( ]: ) < <b> <!-- --> === --- | \\ a javascript: \t     ![ * _ &colon; !".split(
      " ",
    ),
    " ",
    "\n",
    "    ",
    "](javascript:alert(4))",
    "\\](",
    "](/[",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      mustStayInside(page(parts.join("")));
    }),
    property(500),
  );
});

test("a bracket that is text leads nowhere, and one of an address does not end what stands around it", () => {
  const written = "a\\](b) [c\\](d](/e)";
  assert.is(embedMarkdown(written, base), "a\\](b) [c\\](d](https://shop.example/e)");
  assert.is(embedMarkdown("[a](?b[]=1)", base), "[a](https://shop.example/p/42?b%5B%5D=1)");
  assert.equal(links(page("[a](//[::1]:8/[)")), ["https://[::1]:8/%5B"]);
});

test("code stays as it was", () => {
  const code = "```\n# not a heading <b>\n[a](/x)\n```";
  assert.is(embedMarkdown(code, base), code);
});

test("a long description takes time in proportion to its length", () => {
  const worked = cpuTime();
  for (const piece of [
    "](",
    "[a](",
    "\\",
    "> ",
    "- ",
    "#",
    "`",
    "<",
    "((",
    "1. ",
    "\t",
    "=",
    "_",
  ]) {
    embedMarkdown(piece.repeat(100_000), base);
    embedMarkdown(`${piece}\n`.repeat(20_000), base);
  }
  assert.ok(worked() < 4_000, `${worked()} ms`);
});

test("thousands of links lead where they say, and what they are relative to is read a bounded number of times", () => {
  const told = Array.from({ length: 4_000 }, (_, at) => `[x](a${at})`).join(" ");
  const near = links(pageAround(embedMarkdown(told, "https://shop.example/p/1")));
  assert.is(near.filter((url) => url.startsWith("https://shop.example/p/a")).length, 4_000);

  for (const path of [`${"a".repeat(2_000)}/p`, `p/${"a".repeat(2_000)}`]) {
    const shown = embedMarkdown(told, `https://shop.example/${path}`);
    const led = shown.match(/\]\(https:/g)?.length ?? 0;
    assert.ok(led >= 240 && led <= 500, `${led} of them, beside /${path.slice(0, 3)}`);
    assert.is(shown.match(/\]\(<>\)/g)?.length, 4_000 - led);
  }
});

test("what is well written is left alone", () => {
  const written = "Wash **cold**.\n\n- one\n- two\n\n| S | cm |\n| --- | --- |\n| M | 90 |";
  assert.is(embedMarkdown(written, base), written);
  assert.is(outline(embedMarkdown(written, base)), outline(written));
});

test.run();

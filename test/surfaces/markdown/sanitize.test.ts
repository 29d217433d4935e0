import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createHtmlRenderer } from "../../../src/projector/rendering/index.ts";
import { embedMarkdown } from "../../../src/text/markdown/sanitize.ts";
import { cpuTime } from "../../helpers/cpu-time.ts";
import { property } from "../../helpers/effort.ts";
import { headings, links, mustStayInside, outline, pageAround } from "./structure.ts";

const test = suite("a merchant's Markdown inside a page");
const base = "https://shop.example/p/42?v=1";
const { markdown } = createHtmlRenderer();

const page = (description: string): string => pageAround(embedMarkdown(description, base));

test("headings are lowered by two levels, also in nested blocks", () => {
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

test("relative links become absolute, by the URL of the page", () => {
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
  ["a script URL in angle brackets", "[a](<javascript:alert(1)>) [b]( \n javascript:x)"],
  [
    "a script URL after brackets that stay open",
    "[a](<    javascript:x) [b](<vbscript:x data:x) ![](<    #)",
  ],
  [
    "a script URL after a bracket in a link text",
    "[\\](\\](javascript:alert(4))](https://shop.example/y)",
  ],
  ["a script URL after a bracket in a URL", "[x](/](javascript:alert(4)) [y](/[z](javascript:(5))"],
  ["a script URL written with entities", "[a](javascript&colon;alert(1)) [b](&#106;avascript:x)"],
  ["one by reference", "[a]\n\n[a]: javascript:alert(1)\n\n[^1]: javascript:x"],
  ["a script URL as an autolink", "<javascript:alert(1)>"],
  ["HTML", "<script>alert(1)</script>\n\n<div>\n\n# H\n\n</div> \\\\<b onclick=x>"],
  ["a comment without an end", "<!-- x\n\n<![CDATA[ <?php"],
  ["headings", "# A\n\n- # B\n> 1. ## C\n\nD\n===\n\nE\n---\n\n- F\n  ---\n\n   # G\n\n\u00a0# H"],
  ["an unclosed fence", "```\ncode"],
  ["an unclosed fence of tildes", "~~~~ x ` y\ncode\n~~~"],
  ["a fence that is closed early", "```\nx\n  ```\n# Price\n```"],
  ["a fence in a list", "- ```\n  x\n  ```\n# Price\n"],
  ["a fence only in this context", " ```\nx\n```\n# Price\n```\n# More\n"],
  ["a fence in a quote", "> ```\n```\n# Price"],
  ["indented code and a table", "    # code\n\n| a |\n| - |\n| # b |"],
];

for (const [what, written] of hostile) {
  test(`${what} stays in its section and has no dangerous link`, () => {
    mustStayInside(page(written));
  });
}

test("no Markdown leaves its section", () => {
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

test("a bracket in a text makes no link, and a bracket in a URL ends no outer link", () => {
  const written = "a\\](b) [c\\](d](/e)";
  assert.is(embedMarkdown(written, base), "a\\](b) [c\\](d](https://shop.example/e)");
  assert.is(embedMarkdown("[a](?b[]=1)", base), "[a](https://shop.example/p/42?b%5B%5D=1)");
  assert.equal(links(page("[a](//[::1]:8/[)")), ["https://[::1]:8/%5B"]);
});

test("a web address in angle brackets stays a link, and anything else in them is text", () => {
  const address = "<https://a.example/b_c?d=@e>";
  assert.is(embedMarkdown(`${address} \\<${address}`, base), `${address} \\<${address}`);
  for (const text of [
    "<https://a@b.example>",
    "<https://a b>",
    "<httpx://a>",
    "<a href=https://b>",
  ])
    assert.is(embedMarkdown(text, base), text.replace("<", "&lt;"), text);
});

test("code is unchanged", () => {
  const code = "```\n# not a heading <b>\n[a](/x)\n```";
  assert.is(embedMarkdown(code, base), code);
});

test("the time for a long description is proportional to its length", () => {
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

test("thousands of links resolve correctly, and a long base URL is used a bounded number of times", () => {
  const written = Array.from({ length: 4_000 }, (_, at) => `[x](a${at})`).join(" ");
  const near = links(pageAround(embedMarkdown(written, "https://shop.example/p/1")));
  assert.is(near.filter((url) => url.startsWith("https://shop.example/p/a")).length, 4_000);

  for (const path of [`${"a".repeat(2_000)}/p`, `p/${"a".repeat(2_000)}`]) {
    const shown = embedMarkdown(written, `https://shop.example/${path}`);
    const led = shown.match(/\]\(https:/g)?.length ?? 0;
    assert.ok(led >= 240 && led <= 500, `${led} of them, relative to /${path.slice(0, 3)}`);
    assert.is(shown.match(/\]\(<>\)/g)?.length, 4_000 - led);
  }
});

test("well-formed Markdown is unchanged", () => {
  const written = "Wash **cold**.\n\n- one\n- two\n\n| S | cm |\n| --- | --- |\n| M | 90 |";
  assert.is(embedMarkdown(written, base), written);
  assert.is(outline(embedMarkdown(written, base)), outline(written));
});

test.run();

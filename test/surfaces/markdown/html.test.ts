/** HTML as merchants, editors and imports write it, from the event to a reader of the page. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../src/package-info.ts";
import { createHtmlRenderer } from "../../../src/projector/rendering/index.ts";
import { embedMarkdown } from "../../../src/text/markdown/sanitize.ts";
import { cpuTime } from "../../helpers/cpu-time.ts";
import { property } from "../../helpers/effort.ts";
import { mustStayInside, pageAround } from "./structure.ts";

const test = suite("a merchant's HTML inside a page");
const { markdown, toPlainText, summary } = createHtmlRenderer();

/**
 * Maximum CPU time of one text in ms; the best of a few tries counts. The first runs take ten times as long
 * as later ones, because the work of V8's compiler threads counts as well.
 */
const longest = 50;
const tries = 10;

const descriptions = readFileSync(join(packageRoot, "deploy", "demo", "shop.ndjson"), "utf8")
  .split("\n")
  .filter((line) => line.includes('"descriptionHtml":"') || line.includes('"html":"'))
  .map((line) => JSON.parse(line).data)
  .map(({ descriptionHtml, html }): string => descriptionHtml ?? html ?? "")
  .filter((html) => html.length < 4_000)
  .slice(0, 300);

const tags = [
  ..."p div span b em a img h1 h2 ul ol li table tr td th pre code blockquote br hr".split(" "),
  ..."sup sub del s strike ins span thead tbody tfoot caption".split(" "),
  ..."script style iframe svg math object template noscript title textarea select form xmp plaintext".split(
    " ",
  ),
];

const pieces = [
  ...tags.flatMap((tag) => [`<${tag}>`, `</${tag}>`, `<${tag}`, `<${tag.toUpperCase()}/ >`]),
  ..."\" ' > < & = / ` * _ # - + ~ | \\ [ ] ( ) ! : ; <!-- --> --!> <![CDATA[ ]]> <? ?> <!DOCTYPE".split(
    " ",
  ),
  ...[
    "\0",
    "\u0008",
    "\u001b",
    "\u202e",
    "\u200b",
    ...["\u034f", "\u3164", "\u180b", "\ufe00", "\ufe0f", "\u{1d173}"],
    "\u{e0041}",
    "\ud800",
    "\n",
    "\r",
    "\t",
    "    ",
  ],
  ...[
    "javascript:alert(1)",
    "java\tscript:x",
    "&#106;avascript&colon;x",
    "data:text/html,x",
    "vbscript:x",
    "java&shy;script:x",
    '<a href="java&#8203;script:x">',
  ],
  ...[
    '<a href="javascript:x">y</a>',
    "<a href=' \u0001javascript:x'>y</a>",
    '<img src=x onerror="x" alt="](x)">',
  ],
  ...[
    '<a href="/x">y',
    "<svg/onload=x>",
    "<math><mi//xlink:href='data:x'>",
    '<a href="x)y(z">',
    '<a href="/]">](](javascript:alert(4))</a>',
    "](javascript:alert(4))",
    "<base href=//evil>",
    ...['<a href="//evil.example/x">y</a>', '<a href="//u:p@evil.example">y</a>'],
    ...['<a href="/\\evil.example">y</a>', '<img src="//evil.example/x.png">'],
  ],
  ...[
    "<td rowspan=65535>",
    "<td colspan=1000>",
    "<th rowspan=0 colspan=3>",
    "<tr><td rowspan=3>x</td><td>y</td></tr>",
    '<b style="text-decoration:line-through">',
    "<p hidden>",
    "<sup>1,2</sup>",
    "<sub>2</sub>",
  ],
  ...[
    "&lt;script&gt;",
    "&amp;lt;b&amp;gt;",
    "&#0;",
    "&#x110000;",
    "&nbsp;",
    "&copy",
    "&",
    "&#xd800;",
    ...["&shy;", "&#8238;", "&#xE0041;", "&#7;", "&lrm;"],
  ],
  ...[
    "```",
    "~~~",
    "# H",
    "- x",
    "1. x",
    "> x",
    "| a | b |",
    "[x]: javascript:y",
    "<https://x.example>",
  ],
];

const spliced = (base: string, at: number, cut: number, piece: string): string => {
  const from = at % (base.length + 1);
  return base.slice(0, from) + piece + base.slice(from + cut);
};

const soup = fc.array(fc.constantFrom(...pieces, ..."a b word 1 é 中".split(" ")), {
  maxLength: 40,
});
/** A real description with a few damaged places. */
const damaged = fc
  .tuple(
    fc.constantFrom(...descriptions),
    fc.array(fc.tuple(fc.nat(), fc.nat({ max: 20 }), fc.constantFrom(...pieces)), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([base, changes]) => changes.reduce((html, change) => spliced(html, ...change), base));
const repeated = fc
  .tuple(fc.constantFrom(...pieces), fc.integer({ min: 2, max: 400 }), fc.constantFrom(...pieces))
  .map(([piece, times, last]) => piece.repeat(times) + last);

const html = fc.oneof(
  { weight: 5, arbitrary: soup.map((parts) => parts.join("")) },
  { weight: 4, arbitrary: damaged },
  { weight: 1, arbitrary: repeated },
);

/** Control characters except white space, and characters without a glyph except emoji selectors. */
// biome-ignore lint/suspicious/noMisleadingCharacterClass: the selector stands alone, it is a character to find
const unseen = /(?![\t\n\r\ufe0f])[\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

const render = (written: string): readonly [markdown: string, text: string, summary: string] => [
  markdown(written),
  toPlainText(written) ?? "",
  summary(written) ?? "",
];

const leastTime = (written: string): number => {
  let least = Number.POSITIVE_INFINITY;
  for (let left = tries; left > 0 && least > longest; left -= 1) {
    const worked = cpuTime();
    // A different text each time, because the last rendering is cached.
    render(`${written}${" ".repeat(left)}`);
    least = Math.min(least, worked());
  }
  return least;
};

test("any HTML stays in its section, without script URLs or invisible characters, in bounded time", () => {
  fc.assert(
    fc.property(html, (written) => {
      const shown = render(written);
      const [described] = shown;
      for (const each of shown) assert.not.match(each, unseen, JSON.stringify(each));
      mustStayInside(pageAround(embedMarkdown(described, "https://shop.example/p")));
      const least = leastTime(written);
      assert.ok(least <= longest, `${least} ms for ${JSON.stringify(written)}`);
    }),
    property(700),
  );
});

test.run();

import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createHtmlRenderer } from "../../src/projector/rendering/index.ts";

const test = suite("rendering");
const { toPlainText, markdown, summary, cleanText, hashHtml } = createHtmlRenderer();

test("paragraphs, lists, tables and links become Markdown", () => {
  assert.is(
    markdown(
      '<h2>Care</h2><p>Wash <b>cold</b>.</p><ul><li>one</li><li>two</li></ul><p><a href="https://shop.example/x">more</a></p>',
    ),
    "## Care\n\nWash **cold**.\n\n-   one\n-   two\n\n[more](https://shop.example/x)",
  );
  assert.is(
    markdown("<table><tr><th>Size</th><th>cm</th></tr><tr><td>S</td><td>90</td></tr></table>"),
    "| Size | cm  |\n| --- | --- |\n| S   | 90  |",
  );
});

test("plain text separates paragraphs and decodes entities", () => {
  assert.is(
    toPlainText("<p>Salt &amp; pepper</p><p>2 &lt; 3<br>next</p>"),
    "Salt & pepper\n2 < 3\nnext",
  );
  assert.is(toPlainText(" <p> </p>"), null);
});

test("the summary is the first paragraph, not the heading before it", () => {
  assert.is(summary("<h1>Returns</h1><p>Within <i>30</i> days.</p><p>More</p>"), "Within 30 days.");
  assert.is(summary("Only text"), "Only text");
  assert.is(summary("<h1></h1>"), null);
  assert.is(summary(`<p>${"word ".repeat(200)}</p>`)?.endsWith("word…"), true);
});

test("scripts and hidden elements are removed with their text", () => {
  const hostile = `<p onclick="x()">Shown</p><script>alert(1)</script><style>p{}</style><noscript>no</noscript>
    <iframe src="https://evil.example">frame</iframe><svg><text>svg</text></svg><template>tpl</template>
    <div style="display: none">hidden</div><span hidden>too</span><p aria-hidden="true">aria</p>
    <a href="/x" hidden>too</a><img src="/hidden.png" alt="hidden" hidden>
    <ol style="visibility:hidden"><li>hidden</li></ol><td hidden>too</td>
    <a href="javascript:alert(1)">a</a><a href="data:text/html,x">b</a><!-- comment -->`;
  for (const shown of [toPlainText(hostile) ?? "", markdown(hostile)]) {
    assert.not.match(
      shown,
      /alert|p\{\}|\bno\b|frame|svg|tpl|hidden|too|aria|javascript|data:|comment/,
    );
    assert.match(shown, "Shown");
  }
});

const tables: readonly (readonly [what: string, html: string, rows: readonly string[]])[] = [
  [
    "blocks in a cell become one line",
    "<table><tr><th>Size</th><th>Care</th></tr><tr><td>a <b>b</b> c<p>d</p></td><td><ul><li>Cold.</li><li><a href='/x'>dry</a></li><li>flat</li></ul></td></tr></table>",
    ["| Size | Care |", "| --- | --- |", "| a **b** c; d | Cold. [dry](/x); flat |"],
  ],
  [
    "headings, code, quotes and line breaks in a cell become one line",
    "<table><tr><td>Width:<br>2 cm<hr>3</td><td><h2>h</h2><pre>x\ny</pre><blockquote># q</blockquote></td></tr></table>",
    ["|     |     |", "| --- | --- |", "| Width: 2 cm; 3 | h; x y; # q |"],
  ],
  [
    "a layout table is not a table",
    "<table><tr><td>In<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table></td><td>out</td></tr></table>",
    ["In", "", "| A   | B   |", "| --- | --- |", "| 1   | 2   |", "", "out"],
  ],
  [
    "a table of a single cell becomes its content",
    "<table><tr><td><h2>Title</h2><ul><li>one</li></ul></td></tr></table>",
    ["## Title", "", "-   one"],
  ],
];

for (const [what, html, rows] of tables) {
  test(what, () => assert.is(markdown(html), rows.join("\n")));
}

test("no tag of a table stays in the text, however it is written", () => {
  const cells = ["<td>a<div><td>b", "</td>c", "<th><table>", "<caption><ul><li>d", "<tr><br>"];
  for (let at = 0; at < cells.length ** 4; at += 1) {
    const html = [0, 1, 2, 3].map(
      (digit) => cells[Math.floor(at / cells.length ** digit) % cells.length],
    );
    assert.not.match(markdown(`<table>${html.join("")}needle`), "<");
    assert.match(markdown(`<table>${html.join("")}needle`), "needle");
  }
});

test("code keeps its lines, and none of them ends the block", () => {
  assert.is(markdown("<pre># no heading\n* no list</pre>"), "```\n# no heading\n* no list\n```");
  assert.is(markdown("<pre><code>  ```\nstill code</code></pre>"), "````\n  ```\nstill code\n````");
});

test("the alternative text of an image is text, not Markdown", () => {
  assert.is(
    markdown('<img src="https://shop.example/a b.png" alt="a](x) *b*">'),
    "![a\\](x) \\*b\\*](https://shop.example/a%20b.png)",
  );
});

test("text that looks like a tag stays text", () => {
  assert.is(
    markdown("<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
    "\\<script>alert(1)\\</script>",
  );
});

test("invisible characters are removed from names and descriptions", () => {
  const unseen = "a\u202eb\u200bc\u0007d\u{e0041}\u034f\u3164e\ufeff\ufe00";
  assert.is(cleanText(` ${unseen}\n f `), "abcde f");
  assert.is(toPlainText(`<p>${unseen}</p>`), "abcde");
  assert.is(markdown(`<p>${unseen}</p>`), "abcde");
  const entities = "a&#8238;b&shy;c&#7;d&#xE0041;e&zwnj;&#xfeff;";
  for (const render of [toPlainText, markdown, summary])
    assert.is(render(`<p>${entities}</p>`), "abcde");
  const parted = '<p><a href="java&shy;script:alert(1)">x</a> &l&shy;t;script> &lt;&#8203;b></p>';
  assert.is(markdown(parted), "x &lt;script> \\<b>");
});

test("HTML that would overflow the stack or take very long is shown without its structure", () => {
  const hostile = [
    "<ul><li>".repeat(1_000),
    "<div>".repeat(20_000),
    "<table><tr><td>".repeat(1_000),
    "<b>".repeat(5_000),
    "<div>".repeat(10_000).concat("</div>".repeat(10_000)),
  ];
  for (const html of hostile) {
    assert.match(markdown(`${html}needle`), "needle");
    assert.is(toPlainText(`${html}needle`), "needle");
  }
});

test("endless white space costs little time: turndown alone would take minutes", () => {
  const runs = ["\n", " ", "\u00a0", "\t\n "].map((run) => run.repeat(250_000 / run.length));
  for (const run of runs) {
    for (const html of [
      `${run}needle`,
      `<pre><code>${run}needle</code></pre>`,
      `<pre>${run}needle</pre>`,
    ]) {
      assert.match(markdown(html.slice(-250_000)), "needle");
    }
    assert.match(
      markdown(`<a href="http://a.example/${run.slice(0, 200_000)}b">needle</a>`),
      "needle",
    );
  }
  assert.match(markdown(`<table><tr>${"<td>x</td>".repeat(3_000)}</tr></table>`), "x");
});

test("a megabyte of text is cut, with an ellipsis", () => {
  const shown = toPlainText("word ".repeat(200_000));
  assert.ok((shown?.length ?? 0) > 19_900 && (shown?.length ?? 0) <= 20_000);
  assert.ok(shown?.endsWith("word…"));
});

test("equal HTML has equal fingerprints, different HTML different ones", () => {
  assert.is(hashHtml("<p>a</p>"), hashHtml("<p>a</p>"));
  assert.is.not(hashHtml("<p>a</p>"), hashHtml("<p>b</p>"));
});

test("simple HTML is rendered as by turndown", () => {
  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(..."p h2 ul li b em strong i h5".split(" ")) },
    { weight: 3, arbitrary: fc.constantFrom(..."/p /h2 /ul /li /b /em /strong /i /h5".split(" ")) },
  );
  const texts = [
    "a",
    " ",
    "  b \n",
    "- c",
    "1. d",
    "*",
    "_e_",
    "&amp;",
    "&lt;f&gt;",
    "&nbsp;",
    "# g",
    "&quot;&#39;",
  ];
  const more = [
    "é\u00a0",
    "&",
    "<br>",
    "~~~",
    "+ ",
    "=",
    "x\ty ",
    "\\",
    "[z]",
    "`",
    "&amp;lt;",
    "&copy;",
    "5 < 6",
    ...["<sup>2</sup>", "<del>h</del>", "<![CDATA[", "]]>", "^(1)", "~~k~~"],
  ];
  const word = fc.constantFrom(...texts, ...more);
  const inline = fc.oneof(
    word,
    fc.tuple(fc.constantFrom("b", "em"), word).map(([tag, held]) => `<${tag}>${held}</${tag}>`),
  );
  const prose = fc.array(inline, { maxLength: 4 }).map((parts) => parts.join(""));
  const block = fc.oneof(
    prose,
    fc
      .tuple(fc.constantFrom("p", "h1", "h3"), prose)
      .map(([tag, held]) => `<${tag}>${held}</${tag}>`),
    fc
      .array(prose, { maxLength: 3 })
      .map((items) => `<ul>${items.map((item) => `<li>${item}</li>`).join(" ")} </ul>`),
    piece.map((tag) => `<${tag}>`),
  );
  const html = fc.array(block, { maxLength: 6 }).map((blocks) => blocks.join(""));
  fc.assert(
    fc.property(html, (simple) => {
      // A comment is not simple HTML, and is dropped.
      const long = `${simple}<!---->`;
      assert.is(markdown(simple), markdown(long));
      assert.is(toPlainText(simple), toPlainText(long));
    }),
    { numRuns: 2_000 },
  );
});

test.run();

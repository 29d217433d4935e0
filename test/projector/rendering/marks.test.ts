import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createHtmlRenderer } from "../../../src/projector/rendering/index.ts";
import { cpuTime } from "../../helpers/cpu-time.ts";
import { property } from "../../helpers/effort.ts";
import { links, textOf as nodeText, parse, walk } from "../../surfaces/markdown/structure.ts";

const test = suite("marks of text in HTML");
const { toPlainText, markdown } = createHtmlRenderer();

const check = (cases: readonly (readonly [html: string, markdown: string])[]): void => {
  for (const [html, expected] of cases) assert.is(markdown(html), expected, html);
};

test("neighbouring pieces of one kind are one, also with other elements between or around", () => {
  check([
    ["<p><em>un</em><i>do</i>ing</p>", "*undo*ing"],
    ["<p><b>a</b><span><b> b</b></span><u><b>c</b></u></p>", "**a bc**"],
    ["<p><b>a<strong>b</strong></b></p>", "**ab**"],
    ["<p><b>a</b> <b>b</b></p>", "**a** **b**"],
    ['<p><a href="/x">a</a><a href="/x">b</a></p>', "[a](/x)[b](/x)"],
    ["<p><code>a</code><code>b</code></p>", "`ab`"],
  ]);
});

test("blanks and line breaks at an edge stand outside, and none is lost", () => {
  check([
    ["<p><i><br>a</i>b</p>", "  \n*a*b"],
    ["<p>a<b> b </b>c</p>", "a **b** c"],
    ["<p>a<em><b> </b></em>b<b>\u00a0</b>c</p>", "a b\u00a0c"],
    ["<p>a<a href='/x'><br></a>b<u><br></u>c</p>", "a  \nb  \nc"],
    ["<p><b>a<br>b</b></p>", "**a  \nb**"],
    ["<p><b>a<br><br>b</b></p>", "**a**  \n  \n**b**"],
  ]);
});

test("marks around blocks move into them", () => {
  check([
    ["<i><div>a</div>b</i>", "*a*\n\n*b*"],
    ["<strong>a<ul><li>b</li></ul></strong>", "**a**\n\n-   **b**"],
    [
      "<em><table><tr><td>a</td><td>b</td></tr></table></em>",
      "|     |     |\n| --- | --- |\n| *a* | *b* |",
    ],
  ]);
});

test("emphasis that Markdown would not read is left out, and a strike gets a blank", () => {
  check([
    ["<p>a<b>(b)</b>c</p>", "a(b)c"],
    ["<p>新<i>「品」</i>的</p>", "新「品」的"],
    ["<p>Now<s>(9)</s>8</p>", "Now ~~(9)~~ 8"],
    ["<p>a<b>b</b><i>c</i></p>", "a**b**c"],
    ["<p>a <b>(b)</b> c</p>", "a **(b)** c"],
    ["<p>a<b><code>b</code></b>c</p>", "a`b`c"],
  ]);
});

test("an element is one link at its first words, and no link when empty", () => {
  check([
    ['<a href="/x"><p>a</p><p>b</p></a>', "[a](/x)\n\nb"],
    ['<a href="/x"><ul><li>a</li><li>b</li></ul></a>', "-   [a](/x)\n-   b"],
    ['<a href="/x"><p><img src="/i"></p><p>a</p></a>', "![](/i)\n\n[a](/x)"],
    ['<a href="/x"><div><img src="/i" alt="b"></div></a>', "[![b](/i)](/x)"],
    ['<p>a<a href="/x"><img alt="b"><b></b> </a>c</p>', "a c"],
    ['<p>a <a href="/x">b <b>c</b><br>d</a></p>', "a [b **c**  \nd](/x)"],
    [
      '<p>Hurry!<a href="/x">a</a> wow!<b><a href="/y">b</a></b>c</p>',
      "Hurry\\![a](/x) wow\\![b](/y)c",
    ],
    ['<p><a href="/x">a<a href="/y">b</a></p>', "[a](/x)[b](/y)"],
  ]);
});

test("an address is whole and linked once, whatever is around it", () => {
  check([
    ["<p>https://a.example/b_c_d.</p>", "<https://a.example/b_c_d>."],
    ["<p>網址：https://a.example/b_c，謝謝</p>", "網址：<https://a.example/b_c>，謝謝"],
    [
      "<p>see <b>http://a.example/_b_(c)?d=*e*f</b></p>",
      "see **<http://a.example/_b_(c)?d=*e*f>**",
    ],
    ['<p><a href="/x">https://a.example/b_c</a></p>', "[https://a.example/b_c](/x)"],
    ["<p>www.a.example/_b_, and www.a.example/c~d</p>", "www.a.example/_b_, and www.a.example/c~d"],
    ["<p>b_c@a.example a.example/b_c _d_</p>", "b_c@a.example a.example/b_c \\_d\\_"],
    ["<p>https://user@a.example/_b_</p>", "https://user@a.example/\\_b\\_"],
    ["<p><code>https://a.example/b_c</code></p>", "`https://a.example/b_c`"],
    [
      "<table><tr><td>https://a.example/b_c</td><td>x</td></tr></table>",
      "|     |     |\n| --- | --- |\n| <https://a.example/b_c> | x   |",
    ],
  ]);
  assert.equal(links(markdown("<p>網址：https://a.example/b_c，謝謝</p>")), [
    "https://a.example/b_c",
  ]);
});

const texts = [
  ..."a b1 word : . ( ) 「 」 € * _ ~ é 中 😀 ! ` [ ] … “ ~~".split(" "),
  ...[" ", " x", "y ", "\n", "\u00a0", "19 €", "5~6", "&amp;", "&lt;"],
];
const inlineNames = [..."b strong i em s span u".split(" "), "code", 'a href="/x"'];
const { inline } = fc.letrec<{ inline: string }>((tie) => ({
  inline: fc.oneof(
    { maxDepth: 4 },
    { weight: 4, arbitrary: fc.constantFrom(...texts, "<br>") },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.constantFrom(...inlineNames),
          fc.array(tie("inline"), { minLength: 1, maxLength: 3 }),
        )
        .map(([name, parts]) => `<${name}>${parts.join("")}</${name.split(" ")[0]}>`),
    },
  ),
}));
const lines = fc.array(inline, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
const html = fc
  .tuple(
    fc.constantFrom("p", "b", "em", "div", 'a href="/y"'),
    lines,
    fc.constantFrom("p", "h3", "summary"),
    lines,
  )
  .map(
    ([outer, one, block, other]) =>
      `<${outer}>${one}<${block}>${other}</${block}></${outer.split(" ")[0]}>`,
  );

/** Joined code spans, tables and definitions are not what this property is about. */
const isUnusual = (written: string, marked: string): boolean =>
  /:-|\]:|``|~~~~/.test(marked) || /<a [^>]*>(?:(?!<\/a>).)*<a/s.test(written);

const words = (text: string): string => text.replace(/\s+/g, "");

test("a parser of GitHub's Markdown reads the text of the HTML, without a mark too many", () => {
  fc.assert(
    fc.property(html, (written) => {
      const marked = markdown(written);
      if (isUnusual(written, marked)) return;
      const text = toPlainText(written.replace(/<(\/?)s>/g, "<$1u>")) ?? "";
      assert.is(words(nodeText(parse(marked))), words(text), JSON.stringify([written, marked]));
    }),
    property(1_000),
  );
});

test("struck-out text is what the HTML strikes out", () => {
  const struck = (written: string): readonly string[] =>
    [...walk(parse(markdown(written)))].filter(({ type }) => type === "delete").map(nodeText);
  assert.equal(struck("<p>40~50 and <s>€5</s>4 ~~x~~ <del>a<br>b</del></p>"), ["€5", "a", "b"]);
  // Markdown of a table with too many spans is that of its text.
  const spans = "<td rowspan=1000 colspan=1000>~a~</td>".repeat(50);
  assert.equal(struck(`<table><tr>${spans}</tr></table><p><s>b</s></p>`), ["b"]);
});

test("the time for marks is proportional to their number", () => {
  for (const piece of [
    "<b>a</b><i>",
    "<b>a<br>",
    "<a href='/x'><p>",
    "www.a_",
    "https://",
    "!<a href='/x'>",
    "<b> </b>",
  ]) {
    const written = piece.repeat(900);
    const worked = cpuTime();
    markdown(written);
    assert.ok(worked() < 1_000, piece);
  }
});

test.run();

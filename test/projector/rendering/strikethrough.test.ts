import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createHtmlRenderer } from "../../../src/projector/rendering/index.ts";

const test = suite("struck-out text");
const { toPlainText, markdown, summary } = createHtmlRenderer();

/** HTML and its plain text; its Markdown where it differs. */
type Case = readonly [html: string, text: string, markdown?: string];

const check = (cases: readonly Case[]): void => {
  for (const [html, plain, marked = plain] of cases) {
    assert.is(toPlainText(html), plain, html);
    assert.is(summary(html), plain.split("\n")[0], html);
    assert.is(markdown(html), marked, html);
  }
};

test("del, s and strike are marked in text, summary and Markdown; ins is not", () => {
  check([
    ["<p>Was <del>20.00</del> <ins>15.00</ins></p>", "Was ~~20.00~~ 15.00"],
    ["<p>Was <s>20.00</s> 15.00</p>", "Was ~~20.00~~ 15.00"],
    ["<p>Was <strike>20.00</strike> 15.00</p>", "Was ~~20.00~~ 15.00"],
    ["<p><del>All of it</del></p>", "~~All of it~~"],
  ]);
});

test("text that a style strikes through is marked, whatever its element", () => {
  check([
    ['<p>Was <span style="text-decoration: line-through">20.00</span></p>', "Was ~~20.00~~"],
    [
      '<p>Was <font style="color:red;text-decoration-line:line-through">20</font></p>',
      "Was ~~20~~",
    ],
    [
      '<p>Was <b style="TEXT-DECORATION: red LINE-THROUGH">20</b></p>',
      "Was ~~20~~",
      "Was ~~**20**~~",
    ],
    ['<p style="text-decoration:line-through">20</p><p>15</p>', "~~20~~\n15", "~~20~~\n\n15"],
    [
      '<p>Now <span style="text-decoration:line-through;text-decoration:none">20</span></p>',
      "Now 20",
    ],
    ['<p>Now <span style="color: line-through">20</span></p>', "Now 20"],
  ]);
  const hidden = '<p>a</p><script style="text-decoration:line-through">alert(1)</script>';
  assert.is(toPlainText(hidden), "a");
});

test("nested and adjacent strikes are merged", () => {
  check([
    ["<p><del>20<s>.00</s></del></p>", "~~20.00~~"],
    ["<p><del>20</del><del>.00</del> a</p>", "~~20.00~~ a"],
    ['<p><span style="text-decoration:line-through">20</span><s>.00</s> a</p>', "~~20.00~~ a"],
    ["<p><del><b>20</b>.00</del></p>", "~~20.00~~", "~~**20**.00~~"],
  ]);
});

test("white space moves out of the marks, and no mark is without text", () => {
  check([
    ["<p>Was<del> 20.00 </del>now</p>", "Was ~~20.00~~ now"],
    ["<p>a<del></del> <del> </del>b</p>", "a b"],
  ]);
  assert.is(toPlainText('<p>a <del><img src="/x.png"></del></p>'), "a");
});

test("each struck paragraph, list item, line and cell has marks of its own", () => {
  check([
    [
      "<del><p>a</p><p>b <b>c</b></p></del><p>d</p>",
      "~~a~~\n~~b c~~\nd",
      "~~a~~\n\n~~b **c**~~\n\nd",
    ],
    ["<del><ul><li>a</li><li>b</li></ul></del>", "~~a~~\n~~b~~", "-   ~~a~~\n-   ~~b~~"],
    ["<p><del>a<br>b</del></p>", "~~a~~\n~~b~~", "~~a~~  \n~~b~~"],
  ]);
  assert.is(
    markdown(
      '<table><tr><th>Old</th><th>New</th></tr><tr style="text-decoration:line-through"><td>20</td><td>15</td></tr></table>',
    ),
    "| Old | New |\n| --- | --- |\n| ~~20~~ | ~~15~~ |",
  );
});

test("links and code keep their marks inside or around", () => {
  check([
    ['<p><a href="/x"><del>20</del></a></p>', "~~20~~", "[~~20~~](/x)"],
    ['<p><del><a href="/x">20</a></del></p>', "~~20~~", "~~[20](/x)~~"],
    ["<p><del><code>20</code></del></p>", "~~20~~", "~~`20`~~"],
  ]);
  assert.is(markdown("<pre><del>20</del> 15</pre>"), "```\n~~20~~ 15\n```");
});

test.run();

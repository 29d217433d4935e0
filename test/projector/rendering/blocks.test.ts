import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createHtmlRenderer } from "../../../src/projector/rendering/index.ts";

const test = suite("blocks of HTML");
const { toPlainText, markdown } = createHtmlRenderer();

/** Elements with the default style `display: block` of browsers, and boxes of forms. */
const blocks = [
  ..."address article aside blockquote center details dialog div dl fieldset figure footer form".split(
    " ",
  ),
  ..."h1 h2 h3 h4 h5 h6 header hgroup main nav p search section summary figcaption legend".split(
    " ",
  ),
  ..."dt dd ul ol dir menu button marquee optgroup listing pre xmp".split(" "),
];

test("each block ends the line before it, and its own", () => {
  for (const name of blocks) {
    const html = `Left<${name}>Inner</${name}>Right`;
    assert.is(toPlainText(html), "Left\nInner\nRight", name);
    assert.match(markdown(html), /^Left\n\n[\s\S]*Inner[\s\S]*\n\nRight$/, name);
  }
  assert.is(toPlainText("Left<plaintext>Inner"), "Left\nInner");
  assert.is(toPlainText("Left<select><option>x</select>Right"), "Left\nRight");
});

test("an image that its style shows as a block stays, with the link around it", () => {
  const image =
    '<img src="https://shop.example/a.jpg" alt="A" style="display: block; margin: 0 auto">';
  const shown = "![A](https://shop.example/a.jpg)";
  assert.is(markdown(`<p>${image}</p>`), shown);
  assert.is(markdown(`<p>One ${image} two</p>`), `One\n\n${shown}\n\ntwo`);
  const link = `<a href="https://shop.example/p">${image}</a>`;
  assert.is(markdown(`<p>${link}</p>`), `[${shown}](https://shop.example/p)`);
});

test("elements that are shown in a line end none", () => {
  for (const name of "label output abbr mark data time ruby kbd product-card".split(" "))
    assert.is(toPlainText(`Left<${name}>Inner</${name}>Right`), "LeftInnerRight", name);
});

test("the display of a style makes a block, and keeps emphasis and links", () => {
  for (const display of ["block", "flex", " Grid", "list-item", "table", "block !important"]) {
    const style = `color:red;display:${display}`;
    const html = `<font style="${style}">One</font><b style="${style}">Two</b>three`;
    assert.is(markdown(html), "One\n\n**Two**\n\nthree", display);
  }
  for (const display of ["inline", "inline-block", "inline-flex", "table-cell", "contents"])
    assert.is(toPlainText(`One<span style="display:${display}">two</span>`), "Onetwo", display);
});

test("the lines of a code block end at line breaks and blocks", () => {
  assert.is(markdown("<pre>a<br>b<div>c</div><p>d</p>e</pre>"), "```\na\nb\nc\nd\ne\n```");
  assert.is(markdown("<pre><code>\na\n\nb\n</code></pre>"), "```\n\na\n\nb\n```");
});

test("a menu is a list", () => {
  assert.is(markdown("Tools<menu><li>Saw</li><li>File</li></menu>"), "Tools\n\n-   Saw\n-   File");
});

test("a heading is one line, except when it contains lists or long text", () => {
  assert.is(markdown("<h2>Two<br><br>lines</h2><p>x</p>"), "## Two lines\n\nx");
  assert.is(markdown("<h3><div>Two</div><i>li<br>nes</i></h3>"), "### Two *li nes*");
  assert.is(markdown("<h3>Title<ul><li>Item</li></ul></h3>"), "### Title\n\n-   Item\n\n".trim());
  const text = "word ".repeat(100).trim();
  assert.is(markdown(`<h3>Title<p>${text}</p></h3>`), `### Title\n\n${text}`);
});

test.run();

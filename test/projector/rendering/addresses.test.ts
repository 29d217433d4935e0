import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createHtmlRenderer } from "../../../src/projector/rendering/index.ts";
import { embedMarkdown } from "../../../src/surfaces/markdown/sanitize.ts";

const test = suite("addresses without a scheme in HTML");
const { markdown } = createHtmlRenderer();

const shownAt = (page: string, html: string): string => embedMarkdown(markdown(html), page);

test("get the scheme of the page they stand on, in links and images", () => {
  const html =
    '<a href="//cdn.example/a.pdf">Manual</a> <img src="//cdn.example/a b.png" alt="Photo">';
  for (const scheme of ["https", "http"]) {
    assert.is(
      shownAt(`${scheme}://shop.example/p/1`, html),
      `[Manual](${scheme}://cdn.example/a.pdf) ![Photo](${scheme}://cdn.example/a%20b.png)`,
    );
  }
});

test("are read as browsers read them: tabs, line breaks and spaces around are none", () => {
  for (const href of [
    "/\t/cdn.example/a",
    "//cdn.exa\nmple/a",
    " //cdn.example/a ",
    "\n//cdn.example/a",
  ]) {
    assert.is(
      shownAt("https://shop.example/p", `<a href="${href}">x</a>`),
      "[x](https://cdn.example/a)",
    );
  }
});

test("lead nowhere with credentials, with a backslash for a slash, or without a host", () => {
  for (const href of [
    "//user:secret@evil.example/",
    "//shop.example@evil.example/",
    "/\\evil.example/",
    "\\\\evil.example\\share",
    "\\/evil.example",
    "/\t\\evil.example/",
    "//",
    "///evil.example/",
    "//[/",
  ]) {
    assert.match(
      shownAt("https://shop.example/p", `<a href="${href}">x</a>`),
      /^(x|\[x\]\(<>\))$/,
      href,
    );
  }
});

test("that have a scheme of scripts still lead nowhere", () => {
  for (const href of [
    "javascript://shop.example/%0aalert(1)",
    "java\nscript:x",
    "\tjavascript:x",
    "data://x",
  ]) {
    assert.is(shownAt("https://shop.example/p", `<a href="${href}">x</a>`), "x", href);
  }
});

test.run();

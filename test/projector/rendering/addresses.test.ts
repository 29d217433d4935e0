import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createHtmlRenderer } from "../../../src/projector/rendering/index.ts";
import { embedMarkdown } from "../../../src/text/markdown/sanitize.ts";

const test = suite("scheme-relative URLs in HTML");
const { markdown } = createHtmlRenderer();

const shownAt = (page: string, html: string): string => embedMarkdown(markdown(html), page);

test("scheme-relative URLs get the scheme of their page, in links and images", () => {
  const html =
    '<a href="//cdn.example/a.pdf">Manual</a> <img src="//cdn.example/a b.png" alt="Photo">';
  for (const scheme of ["https", "http"]) {
    assert.is(
      shownAt(`${scheme}://shop.example/p/1`, html),
      `[Manual](${scheme}://cdn.example/a.pdf) ![Photo](${scheme}://cdn.example/a%20b.png)`,
    );
  }
});

test("tabs, line breaks and outer spaces in a URL are ignored, as by browsers", () => {
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

test("URLs with credentials, backslashes or no host are removed", () => {
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

test("URLs with a script scheme are removed", () => {
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

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createHtmlRenderer } from "../../../src/projector/rendering/index.ts";
import { cpuTime } from "../../helpers/cpu-time.ts";

const test = suite("CDATA sections in HTML");
const { toPlainText, markdown, summary } = createHtmlRenderer();

test("the markup within a CDATA section is read as HTML, and the wrapping dropped", () => {
  const html = "<![CDATA[<p>In<b>side</b></p>]]> after";
  assert.is(toPlainText(html), "Inside\nafter");
  assert.is(markdown(html), "In**side**\n\nafter");
  assert.is(summary(html), "Inside");
  assert.is(markdown("<p>a <![CDATA[b]]> c</p><![cdata[<ul><li>d</li></ul>]]>"), "a b c\n\n-   d");
});

test("a split, nested or unclosed CDATA section loses no text", () => {
  assert.is(toPlainText("<![CDATA[a]]]]><![CDATA[>b]]>"), "a]]>b");
  assert.is(toPlainText("<![CDATA[<p>a</p><![CDATA[<p>b</p>]]><p>c</p>]]>"), "a\nb\nc");
  assert.is(toPlainText("<p>a</p><![CDATA[<p>b</p>"), "a\nb");
  assert.is(toPlainText('<p><img src="/x.png" alt="<![CDATA[a]]>">b</p>'), "b");
});

test("a closing mark without a section, and an escaped section, are text", () => {
  assert.is(toPlainText("<p>a[b[0]]>c</p>"), "a[b[0]]>c");
  assert.is(toPlainText("<p>&lt;![CDATA[a]]&gt;</p>"), "<![CDATA[a]]>");
});

test("the content of a CDATA section is sanitised", () => {
  const hostile = [
    "<![CDATA[<script>alert(1)</script>]]>",
    "<scr<![CDATA[ipt>alert(1)</scr]]>ipt>",
    "<![CDATA[<a href='javascript:alert(1)'>",
    "<script>//<![CDATA[\nalert(1)\n//]]></script>",
    "<![CDATA[<style>alert(1)]]></style>",
    "<![CD<![CDATA[]]>ATA[<script>alert(1)</script>]]>",
  ];
  for (const html of hostile) {
    for (const shown of [toPlainText(`${html}<p>b</p>`) ?? "", markdown(`${html}<p>b</p>`)]) {
      assert.not.match(shown, /alert|javascript/, html);
    }
  }
});

test("the time for thousands of sections is proportional to their number", () => {
  for (const html of [
    "<![CDATA[".repeat(25_000),
    "]]>".repeat(80_000),
    "<![CDATA[a]]>".repeat(18_000),
    `${"<![CDATA[".repeat(12_000)}${"]]>".repeat(12_000)}`,
    "<![".repeat(80_000),
  ]) {
    const worked = cpuTime();
    markdown(`${html}needle`);
    toPlainText(`${html}needle`);
    assert.ok(worked() < 1_000, `${worked()} ms for ${html.slice(0, 20)}`);
  }
});

test.run();

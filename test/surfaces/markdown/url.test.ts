import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { markdownPath } from "../../../src/surfaces/markdown/url.ts";
import { parseUrl } from "../../../src/text/parse-url.ts";
import { property } from "../../helpers/effort.ts";

const test = suite("path of a page's Markdown");

const piece = fc.constantFrom(
  ..."/ // . .. /./ /../ a B 1 - _ ~ % %2e %2E ? ?? # = & ü : @ ; \\ .html xn-- ( ' | {".split(" "),
  "",
  " ",
  "\t",
);
const host = fc.constantFrom(
  ..."shop.example SHOP.example 1.2.3.4 1.2 0x1.a a.1 shop.example:80 user@shop.example a..b xn--a.b localhost -a.b".split(
    " ",
  ),
);

test("is that of the parsed URL, for any URL", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("https://", "http://", "HTTP://", "https:/", "ftp://", ""),
      host,
      fc.array(piece, { maxLength: 10 }),
      (scheme, host, pieces) => {
        const url = scheme + host + pieces.join("");
        const page = parseUrl(url);
        assert.is(markdownPath(url), page ? `${page.pathname}.md${page.search}` : "/", url);
      },
    ),
    property(20_000),
  );
});

test.run();

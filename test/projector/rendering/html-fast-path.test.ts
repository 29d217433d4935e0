import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parseSimpleHtml } from "../../../src/projector/rendering/html-fast-path.ts";
import { createHtmlRenderer } from "../../../src/projector/rendering/index.ts";
import { property } from "../../helpers/effort.ts";

const test = suite("simple HTML");
const { toPlainText, markdown } = createHtmlRenderer();

const pieces = [
  ..."p h1 h3 ul li strong b em i".split(" ").flatMap((tag) => [`<${tag}>`, `</${tag}>`]),
  ...[
    "a",
    "b c",
    " ",
    "\n",
    "  x",
    "- y",
    "&amp;",
    "&lt;",
    "1. ",
    "# ",
    "(",
    "https://a.example/x_y",
  ],
  ...["<p>x</p>", "<ul><li>a</li><li>b <b>c</b></li></ul>", "<em> z</em>", "<b></b>", "<p> </p>"],
  ...["<p>a <b>b</b><i>c</i></p>", "<h2>t</h2>", "<ul> </ul>", "<ul> <li>x</li> <li> </li></ul>"],
];

test("the fast path yields the text and Markdown of the slow path", () => {
  const runs = property(1_500);
  let simple = 0;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 8 }), (parts) => {
      const written = parts.join("");
      if (parseSimpleHtml(written)) simple += 1;
      // An unusual element sends the same HTML over the slow path.
      const slow = `${written}<wbr>`;
      assert.is(markdown(written), markdown(slow), written);
      assert.is(toPlainText(written), toPlainText(slow), written);
    }),
    runs,
  );
  assert.ok(simple > runs.numRuns / 15, `${simple}`);
});

test.run();

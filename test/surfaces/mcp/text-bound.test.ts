import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { markStoredLines } from "../../../src/surfaces/mcp/text-bound.ts";

const test = suite("lines of the merchant in the texts of tools");

test("each line of a stored text is marked, and nothing else of it changes", () => {
  const signs = ["\n", "\r", "\\", "n", '"', "\u2028", "\u2029", "\u0001", "a", "> ", "ü"];
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...signs) }), (text) => {
      const marked = JSON.parse(`"${markStoredLines(JSON.stringify(text))}"`);
      assert.is(marked, text.replace(/^/gm, "> "));
    }),
  );
});

test.run();

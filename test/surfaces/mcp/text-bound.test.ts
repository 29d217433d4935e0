import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { markLines } from "../../../src/surfaces/mcp/text-bound.ts";

const test = suite("lines of the merchant in the texts of tools");

test("each line of a text is marked, and nothing else of it changes", () => {
  const signs = ["\n", "\r", "\\", "n", '"', "\u2028", "\u2029", "\u0001", "a", "> ", "ü"];
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...signs) }), (text) => {
      const lines = markLines(text).split(/([\n\r\u2028\u2029])/);
      assert.ok(lines.every((line, at) => at % 2 === 1 || line.startsWith("> ")));
      assert.is(lines.map((line, at) => (at % 2 === 1 ? line : line.slice(2))).join(""), text);
    }),
  );
});

test.run();

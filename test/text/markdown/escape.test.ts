import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { escapeAnyInline, escapeLabel, isPlain } from "../../../src/text/markdown/escape.ts";
import { cpuTime } from "../../helpers/cpu-time.ts";
import { property } from "../../helpers/effort.ts";

const test = suite("escapes of inline Markdown");

const piece = fc.oneof(
  fc.constantFrom(
    ..."a|B|7|é|Ö|ǅ|×| |  |.|:|: |://|/|-|+|=|>|#|1.|12)|www.|WWW.|_|&|;|\"|'|(|)|!|?|%|@|\u00ad|\u0130|\u212a".split(
      "|",
    ),
  ),
  fc.string({ unit: "binary", maxLength: 2 }),
);

test("a text that counts as plain is one that the escapes leave as it is", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
      const text = pieces.join("");
      if (!isPlain(text)) return;
      assert.is(escapeAnyInline(text), text);
      assert.is(escapeLabel(`${text}\\`).slice(0, -2), text);
    }),
    property(20_000),
  );
});

test("usual names count as plain", () => {
  for (const name of ["Blue mug", "Größe: M", "Lampe & Co", "18 x 24 cm (DIN)", 'Tube 3/4"'])
    assert.ok(isPlain(name), name);
  for (const name of ["", " a", "a ", "a  b", "1. a", "a_b", "see http://x.example", "www.x"])
    assert.not(isPlain(name), name);
});

test("the check takes time in proportion to the text", () => {
  const elapsed = cpuTime();
  assert.not(isPlain(`${"a b:".repeat(200_000)}_`));
  assert.ok(elapsed() < 500);
});

test.run();

import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { stripInvisible } from "../../src/text/invisible-characters.ts";
import { cpuTime } from "../helpers/cpu-time.ts";

const test = suite("invisible characters");

/** Characters by their kind. */
const unseen: Readonly<Record<string, readonly string[]>> = {
  "controls but white space": ["\0", "\u0007", "\u001b", "\u000b", "\u007f", "\u0085"],
  "what turns the direction": ["\u200e", "\u202e", "\u2066", "\u061c"],
  "joiners and breaks": ["\u200b", "\u200c", "\u200d", "\u00ad", "\u034f", "\u2060", "\ufeff"],
  fillers: ["\u115f", "\u1160", "\u3164", "\uffa0"],
  "vowels of Khmer and marks of Mongolian without a form": ["\u17b4", "\u180b", "\u180e", "\u180f"],
  selectors: ["\ufe00", "\ufe0d", "\ufe0f", "\u{e0100}"],
  "notes, shorthand and music": ["\ufff9", "\u{1bca0}", "\u{1d173}"],
  tags: ["\u{e0041}", "\u{e0fff}"],
};

for (const [what, characters] of Object.entries(unseen)) {
  test(`${what} are removed`, () => {
    for (const one of characters) {
      assert.is(stripInvisible(`a${one}b${one}${one}`), "ab", one.codePointAt(0)?.toString(16));
    }
  });
}

test("visible characters and white space stay", () => {
  for (const text of [
    "a\tb\r\nc",
    "é e\u0301 ß",
    "雨 の 日",
    "نص 12\u06dd",
    "नमस्ते",
    "👟 1️⃣ ❤️ ❤\ufe0e",
    "\u00a0",
  ]) {
    assert.is(stripInvisible(text), text);
  }
});

test("an emoji or text selector stays once after a sign that has it, and nowhere else", () => {
  assert.is(stripInvisible("❤\ufe0f\ufe0e\ufe0fx\ufe0f \ufe0f"), "❤\ufe0fx ");
});

test("halves of a surrogate pair that are separated do not become one character", () => {
  assert.is(stripInvisible("\udb40\u200b\udc41"), "\ufffd\ufffd");
});

test("a second pass changes nothing", () => {
  const pieces = fc.constantFrom(
    ...Object.values(unseen).flat(),
    ..."a ❤ 1 \udb40 \udc41 é".split(" "),
    " ",
  );
  fc.assert(
    fc.property(fc.array(pieces), (parts) => {
      const once = stripInvisible(parts.join(""));
      assert.is(stripInvisible(once), once);
    }),
  );
});

test("the time for a long text is proportional to its length", () => {
  const worked = cpuTime();
  for (const piece of ["雨の日", "a\u200b", "\ufe0f", "❤️", "\u{e0041}"])
    stripInvisible(piece.repeat(100_000));
  assert.ok(worked() < 500, `${worked()} ms`);
});

test.run();

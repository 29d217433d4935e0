import { suite } from "uvu";
import * as assert from "uvu/assert";
import { expandRules, parseSynonyms, readSynonyms } from "../../src/cli/synonyms-file.ts";
import { VitrineError } from "../../src/errors.ts";

const test = suite("synonyms");

const refusal = (text: string): string => {
  try {
    parseSynonyms(text, "words.txt");
  } catch (error) {
    if (error instanceof VitrineError && error.code === "usage") return error.message;
    throw error;
  }
  return "accepted";
};

test("a list means each by any other, an arrow one way only", () => {
  assert.equal(
    expandRules(parseSynonyms("# ours\n\nsofa, couch\r\nnotebook, lap top => laptop", "x")),
    [
      { phrase: "sofa", meanings: ["couch"] },
      { phrase: "couch", meanings: ["sofa"] },
      { phrase: "notebook", meanings: ["laptop"] },
      { phrase: "lap top", meanings: ["laptop"] },
    ],
  );
});

test("every bad line is named, with what is wrong with it", () => {
  assert.is(
    refusal("a, b\nsofa\na => b => c\na,,b\n! => b"),
    [
      "words.txt:2: names one thing only: write a, b or a => b",
      "words.txt:3: has more than one =>: write one rule a line",
      "words.txt:4: has an empty alternative",
      'words.txt:5: "!" holds no word',
    ].join("\n"),
  );
  assert.match(refusal(`a, ${"b".repeat(3000)}`), /longer than 2000/);
  assert.match(refusal(Array.from({ length: 51 }, (_, at) => `w${at}`).join(",")), /more than 50/);
});

test("a comment begins at the beginning of a word, not inside one", () => {
  assert.equal(expandRules(parseSynonyms("c#, csharp # a language\n  # nothing", "x")), [
    { phrase: "c#", meanings: ["csharp"] },
    { phrase: "csharp", meanings: ["c#"] },
  ]);
});

test("of many bad lines the first are named, and how many there are", () => {
  const lines = refusal("sofa\n".repeat(400_000)).split("\n");
  assert.is(lines.length, 21);
  assert.is(lines[20], "and 399980 more lines like these");
});

test("a file that is not there, or is no text, is refused before anything starts", () => {
  assert.throws(() => readSynonyms("/nowhere/words.txt"), /cannot be read/);
  assert.equal(readSynonyms(undefined), []);
});

test.run();

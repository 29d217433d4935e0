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

test("a list maps each word to every other, an arrow only one way", () => {
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

test("every invalid line is named with its error", () => {
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

test("a comment begins at the start of a word, not within one", () => {
  assert.equal(expandRules(parseSynonyms("c#, csharp # a language\n  # nothing", "x")), [
    { phrase: "c#", meanings: ["csharp"] },
    { phrase: "csharp", meanings: ["c#"] },
  ]);
});

test("of many invalid lines the first are named, with the number of all", () => {
  const lines = refusal("sofa\n".repeat(400_000)).split("\n");
  assert.is(lines.length, 21);
  assert.is(lines[20], "and 399980 more lines like these");
});

test("a missing file, or one that is not text, is rejected before anything starts", () => {
  assert.throws(() => readSynonyms("/nowhere/words.txt"), /cannot be read/);
  assert.equal(readSynonyms(undefined), []);
});

test.run();

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { getStemmer } from "../../../../src/read-model/search/text/stemmer.ts";

const test = suite("stemmers");

test("all languages without a stemmer share one function, so that the word cache survives a query", () => {
  const identity = getStemmer("pl");
  for (const language of ["pl", "cs", "ja", "zh", "ko", "th"]) {
    assert.is(getStemmer(language), identity, language);
  }
  assert.is(identity("zażółcić"), "zażółcić");
});

test.run();

import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { getLanguage } from "../../../../src/read-model/search/text/language.ts";
import { getStemmer } from "../../../../src/read-model/search/text/stemmer.ts";
import {
  foldDiacritics,
  normalise,
} from "../../../../src/read-model/search/text/text-normalisation.ts";
import { getTokenFactory } from "../../../../src/read-model/search/text/token.ts";
import { tokenize } from "../../../../src/read-model/search/text/tokenizer.ts";
import { wordForms } from "./word-forms.ts";

const test = suite("forms of words");

/** Stems a word as one token, apostrophes included. */
const stemOf = (word: string, language: string): string =>
  getTokenFactory(getLanguage(language))(normalise(word)).stem;

const splitList = (list: string): readonly (readonly string[])[] =>
  list
    .trim()
    .split(/\s+/)
    .map((group) => group.split("/"));

for (const [code, { language, same, different }] of Object.entries(wordForms)) {
  test(`singular and plural of ${language} nouns have one stem`, () => {
    for (const forms of splitList(same)) {
      const stems = forms.map((form) => stemOf(form, code));
      assert.is(new Set(stems).size, 1, `${forms} have the stems ${stems}`);
    }
  });

  test(`different ${language} words have different stems`, () => {
    for (const words of splitList(different)) {
      const stems = words.map((word) => stemOf(word, code));
      assert.is(new Set(stems).size, words.length, `${words} have the stems ${stems}`);
    }
  });

  test(`a stem of any word in ${language} is not empty, and stays the same`, () => {
    const words = splitList(`${same} ${different}`).flat().map(normalise);
    const letters = [...new Set(words.join(""))];
    const anyWord = fc
      .tuple(
        fc.array(fc.constantFrom(...letters), { maxLength: 4 }),
        fc.constantFrom(...words),
        fc.nat(),
      )
      .map(([start, word, from]) => normalise(start.join("") + word.slice(from % word.length)));
    const stemmer = getStemmer(code);
    fc.assert(
      fc.property(anyWord, (word) => {
        // Words for "and" share the stem of one of them.
        fc.pre(!getLanguage(code).conjunctions.includes(word));
        const stem = stemmer(word);
        assert.is.not(stem, "", word);
        assert.is(stemmer(word), stem);
        assert.is(stemOf(word, code), foldDiacritics(stem) || foldDiacritics(word));
      }),
      { numRuns: 300 },
    );
  });
}

test("a katakana word has one stem with and without a long vowel at its end, in any language", () => {
  for (const language of ["ja", "zh", "en", "de", "tr", "pl"]) {
    assert.is(stemOf("コンピューター", language), stemOf("コンピュータ", language), language);
    assert.is(stemOf("サーバー", language), stemOf("サーバ", language), language);
    assert.is(tokenize("サーバー", getLanguage(language))[0]?.surface, "サーバー");
    for (const short of ["カー", "バー", "コピー"]) assert.is(stemOf(short, language), short);
  }
});

test("a Norwegian shop has one stemmer by both of its codes", () => {
  assert.is(getStemmer("nb"), getStemmer("no"));
});

test.run();

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { describeTextDataChange, textData } from "../../src/text/text-data.ts";

const test = suite("text data");

test("text data names ICU, CLDR, Unicode, time zones, the stemmers, the stop words and a digest, and is constant", () => {
  const { icu, cldr, unicode, tz } = process.versions;
  const start = `icu.${icu} cldr.${cldr} unicode.${unicode} tz.${tz} stemmers.`;
  assert.ok(textData().startsWith(start), textData());
  assert.match(
    textData(),
    /stemmers\.\d+\.\d+\.\d+ stopwords\.\d+\.\d+\.\d+ locales\.[0-9a-f]{8}$/,
  );
  assert.is(textData(), textData());
});

test("a change of text data is described by the parts that differ", () => {
  const one = "icu.77.1 cldr.47.0 unicode.16.0 stemmers.3.1.18 locales.00000000";
  const other = "icu.78.2 cldr.47.0 unicode.17.0 stemmers.3.1.18 locales.00000000";
  assert.is(describeTextDataChange(one, other), "icu 77.1 → 78.2, unicode 16.0 → 17.0");
  assert.is(describeTextDataChange(undefined, "icu.78.2 a.1"), "icu unknown → 78.2, a unknown → 1");
});

test.run();

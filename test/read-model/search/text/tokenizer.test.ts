import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { anyLanguage } from "../../../../src/read-model/search/text/language.ts";
import { prepareText, tokenize } from "../../../../src/read-model/search/text/tokenizer.ts";

const test = suite("tokens");

const segmenter = new Intl.Segmenter("und", { granularity: "word" });

const samples = {
  Thai: "ผลิตภัณฑ์นี้ทำจากวัสดุคุณภาพสูงเหมาะสำหรับการใช้งานทุกวันและมีความทนทาน",
  Khmer: "ផលិតផលនេះធ្វើពីសម្ភារៈដែលមានគុណភាពខ្ពស់",
  Chinese: "这款产品采用优质材料制作工艺精湛适合日常使用",
  Japanese: "高品質な素材を使用したバッグで毎日の通勤に最適です",
  "Han beyond two bytes": "𠀋𠀌𠀍𠀎𠀏",
};

for (const [script, sample] of Object.entries(samples)) {
  test(`${script}: a run of any length is split into words of the dictionary`, () => {
    const letters = [...sample];
    const piece = fc.oneof(
      fc.constant(sample),
      fc
        .tuple(fc.nat(letters.length - 1), fc.integer({ min: 1, max: 9 }))
        .map(([from, count]) => letters.slice(from, from + count).join("")),
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 120 }), (pieces) => {
        // A cut between a letter and its marks may leave a sequence that no text has: normalising reorders it.
        const run = prepareText(pieces.join(""));
        const words = tokenize(run, anyLanguage).length;
        const segments = Array.from(segmenter.segment(run), ({ isWordLike }) => isWordLike);
        assert.is(words, segments.length);
      }),
      { numRuns: 60 },
    );
  });
}

test("a text of 250,000 digits takes no longer than one of words", () => {
  const begun = process.cpuUsage();
  tokenize("9".repeat(250_000), anyLanguage);
  // CPU time, with a wide margin: a pattern that looks back over all digits takes 20 s.
  assert.ok(process.cpuUsage(begun).user < 2_000_000);
});

test.run();

import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { popcount } from "../../../../src/read-model/search/bits.ts";
import {
  createEditDistance,
  letterMask,
} from "../../../../src/read-model/search/text/edit-distance.ts";

const test = suite("edit distance");

/** Calculates the edit distance with the textbook table, cell by cell. */
const edits = (one: string, other: string): number => {
  const rows: number[][] = [];
  for (let i = 0; i <= one.length; i += 1) {
    const row: number[] = [];
    rows.push(row);
    for (let j = 0; j <= other.length; j += 1) {
      const cell = (up: number, left: number): number => rows[i - up]?.[j - left] ?? 0;
      if (i === 0 || j === 0) {
        row.push(i + j);
        continue;
      }
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const taken = cell(1, 1) + Number(one[i - 1] !== other[j - 1]);
      row.push(Math.min(taken, cell(1, 0) + 1, cell(0, 1) + 1, isSwap ? cell(2, 2) + 1 : 99));
    }
  }
  return rows[one.length]?.[other.length] ?? 0;
};

const word = (most: number) =>
  fc
    .array(fc.constantFrom("a", "b", "c", "é", "ж"), { maxLength: most })
    .map((all) => all.join(""));

test("the edit distance equals that of the textbook table, up to the given maximum", () => {
  const seen = new Set<number>();
  fc.assert(
    fc.property(word(32), word(40), fc.nat({ max: 40 }), (one, other, most) => {
      const distance = createEditDistance(one)(other, most);
      assert.is(distance, Math.min(edits(one, other), most + 1), `${one} ${other} ${most}`);
      seen.add(distance);
    }),
    { numRuns: 3_000 },
  );
  assert.ok(seen.size > 10);
});

test("a lost, added, replaced or swapped letter counts one", () => {
  fc.assert(
    fc.property(
      word(30),
      fc.nat(),
      fc.constantFrom("lost", "in", "other", "swapped"),
      (one, nat, how) => {
        const at = nat % (one.length + 1);
        const [before, behind] = [one.slice(0, at), one.slice(at)];
        const other = {
          lost: before + behind.slice(1),
          in: `${before}z${behind}`,
          other: `${before}z${behind.slice(1)}`,
          swapped: before + (behind[1] ?? "") + (behind[0] ?? "") + behind.slice(2),
        }[how];
        assert.ok(createEditDistance(one)(other, 2) <= 1, `${one} ${other}`);
        assert.ok(popcount(letterMask(one) ^ letterMask(other)) <= 2);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("a word longer than any of the dictionary is similar to none", () => {
  const long = "a".repeat(33);
  assert.is(createEditDistance(long)(long, 2), 3);
  assert.is(createEditDistance(long.slice(1))(long, 2), 1);
});

test.run();

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { lastMoveTime, updateMoves } from "../../projections/moves.ts";
import type { ListingTimes } from "../../src/read-model/schema/rows.ts";

const test = suite("moves between lists");

const time = { joinedAt: 5, leftAt: 7 };
const rows: readonly (readonly [
  title: string,
  moves: ListingTimes,
  before: readonly number[],
  after: readonly number[],
  expected: ListingTimes,
])[] = [
  ["a new list is joined", [], [], [3], [[3, 5]]],
  ["a list that is gone is left", [[3, 1]], [3], [], [[3, 7]]],
  ["a list that stays is not touched", [[3, 1]], [3], [3], [[3, 1]]],
  ["a time does not go back", [[3, 9]], [], [3], [[3, 9]]],
  [
    "lists are sorted by id",
    [[8, 1]],
    [8],
    [8, 2],
    [
      [2, 5],
      [8, 1],
    ],
  ],
];
for (const [title, moves, before, after, expected] of rows) {
  test(title, () => assert.equal(updateMoves(moves, before, after, time), expected));
}

test("the 32 latest lists that were left are remembered, and every list that still contains it", () => {
  const past = Array.from({ length: 40 }, (_, id) => [id + 1, id + 1] as const);
  const moves = updateMoves(past, [1], [1, 99], { joinedAt: 100, leftAt: 100 });
  assert.is(moves.length, 34);
  assert.equal(
    [moves[0], moves[1], moves.at(-1)],
    [
      [1, 1],
      [9, 9],
      [99, 100],
    ],
  );
});

test("the latest move is that of any list", () => {
  assert.is(
    lastMoveTime([
      [1, 4],
      [2, 9],
      [3, 6],
    ]),
    9,
  );
  assert.is(lastMoveTime([]), 0);
});

test.run();

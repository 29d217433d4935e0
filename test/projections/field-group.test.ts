import { suite } from "uvu";
import * as assert from "uvu/assert";
import { isSameEvent, isStale } from "../../projections/field-group.ts";
import { deepEqual } from "../../src/platform/deep-equal.ts";

const test = suite("versions of field groups");

type Version = Parameters<typeof isStale>[0];
const version = (more: Partial<Version>): Version => ({ id: "e1", time: 1000, ...more });

const comparisons: readonly (readonly [
  title: string,
  current: Partial<Version>,
  incoming: Partial<Version>,
  expected: "wins" | "stale",
])[] = [
  ["a later time wins", { time: 1 }, { time: 2 }, "wins"],
  ["an earlier time is stale", { time: 2 }, { time: 1 }, "stale"],
  ["of the same time, the later in the log wins", {}, {}, "wins"],
  ["more digits of a time are later", {}, { subMillis: "1" }, "wins"],
  ["fewer digits of a time are earlier", { subMillis: "1" }, {}, "stale"],
  ["digits compare as a fraction", { subMillis: "2" }, { subMillis: "15" }, "stale"],
  ["zeros at the end of a fraction count nothing", { subMillis: "5" }, { subMillis: "50" }, "wins"],
  ["sequences compare as numbers", { sequence: "9" }, { sequence: "10" }, "wins"],
  [
    "sequences of any length compare",
    { sequence: "9".repeat(30) },
    { sequence: "8".repeat(30) },
    "stale",
  ],
  ["zeros before a sequence count nothing", { sequence: "10" }, { sequence: "0009" }, "stale"],
  ["sequences that are no numbers compare as text", { sequence: "b" }, { sequence: "a9" }, "stale"],
  ["of the same sequence, the later in the log wins", { sequence: "7" }, { sequence: "7" }, "wins"],
  ["a sequence of one event only leaves it to the time", { sequence: "7" }, { time: 1 }, "stale"],
];
for (const [title, current, incoming, expected] of comparisons) {
  test(title, () => assert.is(isStale(version(incoming), version(current)), expected === "stale"));
}

test("an event is the same by id, sequence and time", () => {
  assert.ok(isSameEvent(version({}), version({})));
  for (const other of [{ id: "e2" }, { time: 1 }, { sequence: "1" }, { subMillis: "1" }]) {
    assert.not(isSameEvent(version({}), version(other)), JSON.stringify(other));
  }
});

const equal: readonly (readonly [one: unknown, other: unknown, expected: boolean])[] = [
  [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: undefined }, { b: undefined }, false],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  [null, {}, false],
  [null, null, true],
  ["1", 1, false],
];
for (const [one, other, expected] of equal) {
  test(`${JSON.stringify(one)} ${expected ? "equals" : "differs from"} ${JSON.stringify(other)}`, () =>
    assert.is(deepEqual(one, other), expected));
}

test.run();

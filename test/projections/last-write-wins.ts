import type { uvu } from "uvu";
import * as assert from "uvu/assert";
import type { EvolveResult } from "../../projections/projection.ts";
import type { Attributes } from "../helpers/events.ts";
import { at, early, fold, late, ms } from "./events.ts";

/** A field group with its events, of which the newest wins. */
export interface FieldGroupCase<R, E> {
  readonly evolve: (row: R | undefined, event: E) => EvolveResult<R>;
  /** Two events with different contents. */
  readonly one: (attributes: Attributes) => E;
  readonly other: (attributes: Attributes) => E;
  /** Event that writes a tombstone. */
  readonly deleted?: (attributes: Attributes) => E;
  readonly contentOf: (row: R | undefined) => unknown;
  readonly changedAt: (row: R | undefined) => number | undefined;
}

type Step = "one" | "other" | "deleted";
type Timed = readonly [step: Step, attributes: Attributes];
type Expected = "applied" | "stale" | "repeated";

/** Earlier events, the event under test, its outcome, and the event whose content stays. */
type Row = readonly [
  title: string,
  earlier: readonly Timed[],
  event: Timed,
  outcome: Expected,
  content: Step,
];

const rows: readonly Row[] = [
  ["the first event is applied", [], ["one", at(1)], "applied", "one"],
  ["a newer event is applied", [["one", at(1)]], ["other", at(2)], "applied", "other"],
  ["an older event is stale", [["one", at(2)]], ["other", at(1)], "stale", "one"],
  [
    "of the same time, the later in the log wins",
    [["one", at(1)]],
    ["other", at(1)],
    "applied",
    "other",
  ],
  [
    "the same event is a duplicate",
    [["one", { ...at(1), id: "e1" }]],
    ["one", { ...at(1), id: "e1" }],
    "repeated",
    "one",
  ],
  [
    "the same id with another content is no duplicate",
    [["one", { ...at(1), id: "e1" }]],
    ["other", { ...at(1), id: "e1" }],
    "applied",
    "other",
  ],
  [
    "a greater sequence wins over an earlier time",
    [["one", { ...at(5), sequence: 9 }]],
    ["other", { ...at(1), sequence: 10 }],
    "applied",
    "other",
  ],
  [
    "a lower sequence is stale, with a later time too",
    [["one", { ...at(1), sequence: 10 }]],
    ["other", { ...at(5), sequence: 9 }],
    "stale",
    "one",
  ],
  [
    "the time decides when one event has no sequence",
    [["one", { ...at(1), sequence: 10 }]],
    ["other", at(2)],
    "applied",
    "other",
  ],
  [
    "an older event of the same millisecond is stale",
    [["one", late]],
    ["other", early],
    "stale",
    "one",
  ],
  [
    "a newer event of the same millisecond is applied",
    [["one", early]],
    ["other", late],
    "applied",
    "other",
  ],
];

const deletions: readonly Row[] = [
  ["a deletion leaves a tombstone", [["one", at(1)]], ["deleted", at(2)], "applied", "deleted"],
  [
    "a deletion of an entity without events leaves a tombstone",
    [],
    ["deleted", at(2)],
    "applied",
    "deleted",
  ],
  ["an older deletion is stale", [["one", at(2)]], ["deleted", at(1)], "stale", "one"],
  [
    "an event older than the tombstone is stale",
    [
      ["one", at(1)],
      ["deleted", at(3)],
    ],
    ["other", at(2)],
    "stale",
    "deleted",
  ],
  [
    "an event newer than the tombstone is applied",
    [["deleted", at(1)]],
    ["one", at(2)],
    "applied",
    "one",
  ],
  [
    "the same deletion is a duplicate",
    [["deleted", { ...at(1), id: "e1" }]],
    ["deleted", { ...at(1), id: "e1" }],
    "repeated",
    "deleted",
  ],
];

/** Adds the cases that hold for every field group to a suite. */
export const addFieldGroupCases = <R, E>(
  test: uvu.Test<unknown>,
  { evolve, one, other, deleted, contentOf, changedAt }: FieldGroupCase<R, E>,
): void => {
  const builders = { one, other, deleted: deleted ?? one };
  const build = ([step, attributes]: Timed): E => builders[step](attributes);
  for (const [title, earlier, event, outcome, content] of deleted
    ? [...rows, ...deletions]
    : rows) {
    test(title, () => {
      const before = fold(evolve, earlier.map(build));
      const result = evolve(before, build(event));
      assert.is(result.outcome, outcome);
      const after = result.outcome === "applied" ? result.row : before;
      assert.equal(contentOf(after), contentOf(fold(evolve, [build([content, at(0)])])));
    });
  }
  test("the time of the last change stays when the content is the same", () => {
    const row = fold(evolve, [other(at(0)), one(at(1)), one(at(2))]);
    assert.is(changedAt(row), ms(1));
  });
  test("the time of the last change does not go back when a sequence wins", () => {
    const row = fold(evolve, [one({ ...at(5), sequence: 1 }), other({ ...at(1), sequence: 2 })]);
    assert.is(changedAt(row), ms(5));
  });
};

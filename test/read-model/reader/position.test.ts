import { suite } from "uvu";
import * as assert from "uvu/assert";
import { projectionVersions } from "../../../projections/index.ts";
import {
  formatPosition,
  parsePosition,
  toPosition,
} from "../../../src/read-model/reader/feed/position.ts";
import { type Checkpoint, noEvents } from "../../../src/read-model/schema/checkpoint.ts";

const test = suite("read-model/reader/feed/position");

const record = {
  sequence: 1,
  subject: "shop.settings.1",
  time: 1_767_222_000_020,
  id: "a",
  sha256: "b",
};
const checkpoint: Checkpoint = {
  sequence: 4711,
  logTime: 1_767_222_000_020,
  lastEventTime: 5,
  identity: { name: "SHOP", created: "2026-01-01T00:00:00Z" },
  fingerprints: [],
  first: record,
  tally: noEvents,
  projections: projectionVersions,
};
const epochOf = (changes: Partial<Checkpoint>): string | undefined =>
  toPosition({ ...checkpoint, ...changes })?.epoch;

test("a position has an epoch of 12 characters, a sequence of 16 digits and the time of the log", () => {
  const position = toPosition(checkpoint);
  assert.match(position?.text ?? "", /^[0-9a-z]{12}-0000000000004711$/);
  assert.is(position?.asOf, "2025-12-31T23:00:00.020Z");
});

test("the epoch depends on log, first event, history and the versions of what lines show", () => {
  const epochs = [
    epochOf({}),
    epochOf({ identity: { name: "OTHER", created: "2026-01-01T00:00:00Z" } }),
    epochOf({ first: { ...record, time: 1 } }),
    epochOf({ history: "x" }),
    epochOf({ projections: projectionVersions.replace(/price\.\d+/, "price.999") }),
    epochOf({ projections: projectionVersions.replace(/feed\.\d+/, "feed.999") }),
  ];
  assert.is(new Set(epochs).size, epochs.length);
});

test("the epoch does not depend on progress, the creation time of the log, or other projections", () => {
  assert.is(epochOf({ sequence: 9, logTime: 9, tally: { ...noEvents, applied: 9 } }), epochOf({}));
  assert.is(epochOf({ identity: { name: "SHOP", created: "2027-01-01T00:00:00Z" } }), epochOf({}));
  assert.is(
    epochOf({ projections: projectionVersions.replace(/search\.\d+/, "search.999") }),
    epochOf({}),
  );
});

test("a checkpoint of a version without lines has no position", () => {
  assert.is(epochOf({ projections: projectionVersions.replace(/ feed\.\d+/, "") }), undefined);
  const { first: _, ...older } = checkpoint;
  assert.is(toPosition(older), undefined);
});

test("positions are parsed with and without an instant, and nothing else is", () => {
  const text = formatPosition("k3v9x2m4q7ab", 4711);
  assert.equal(parsePosition(text), { epoch: "k3v9x2m4q7ab", sequence: 4711, instant: 0 });
  assert.equal(parsePosition(`${text}.1767222000123`)?.instant, 1_767_222_000_123);
  for (const other of [
    ...["", "start", `${text}.`, `${text}.123`, `-${text}`, `${text} `, text.toUpperCase()],
    ...[text.slice(1), `${text}0`, "k3v9x2m4q7ab-9999999999999999"],
  ])
    assert.is(parsePosition(other), undefined, other);
});

test.run();

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Divergence, nextHistory } from "../../../src/projector/continuity/continuity.ts";
import { type Checkpoint, noEvents } from "../../../src/read-model/schema/checkpoint.ts";

const test = suite("projector/continuity/history");

const checkpoint: Checkpoint = {
  ...{ sequence: 1, logTime: 1, lastEventTime: 1, fingerprints: [], tally: noEvents },
  ...{ identity: { name: "SHOP", created: "" }, history: "before", projections: "" },
};
const divergence = (kind: Divergence["kind"]): Divergence => ({
  ...{ kind, reason: "a test", isLogComplete: true },
});

test("a candidate takes over the history of a log that goes on", () => {
  assert.is(nextHistory(checkpoint, undefined), "before");
  assert.is(nextHistory(checkpoint, divergence("outdated")), "before");
  assert.is(nextHistory(undefined, undefined), undefined);
});

test("a log that became shorter, was rewritten or was trimmed has another history", () => {
  const histories = (["shorter", "rewritten", "trimmed"] as const).map((kind) =>
    nextHistory(checkpoint, divergence(kind)),
  );
  assert.is(new Set([...histories, "before", undefined]).size, 5);
});

test("another log under the same name begins without a history", () => {
  assert.is(nextHistory(checkpoint, divergence("recreated")), undefined);
});

test.run();

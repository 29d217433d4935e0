import { suite } from "uvu";
import * as assert from "uvu/assert";
import { evolveAgent } from "../../projections/agent.ts";
import type { Attributes } from "../helpers/events.ts";
import { tokenRegenerated, tokenRevoked } from "../helpers/events.ts";
import { at, early, eventOf, fold, late } from "./events.ts";

const test = suite("the tokens of an agent");

type Event = Parameters<typeof evolveAgent>[1];
const regenerated = (generation: number, attributes: Attributes): Event =>
  eventOf("agent.token.regenerated", tokenRegenerated("my agent", generation, attributes));
const revoked = (generation: number, attributes: Attributes): Event =>
  eventOf("agent.token.revoked", tokenRevoked("my agent", generation, attributes));

type Row = readonly [title: string, events: readonly Event[], generation: number, revoked: boolean];

const rows: readonly Row[] = [
  ["a first regeneration sets the generation", [regenerated(2, at(1))], 2, false],
  ["a first revocation revokes", [revoked(2, at(1))], 2, true],
  [
    "a revocation revokes the tokens of its generation",
    [regenerated(2, at(1)), revoked(2, at(2))],
    2,
    true,
  ],
  ["a later generation restores access", [revoked(2, at(1)), regenerated(3, at(2))], 3, false],
  [
    "the same generation does not restore access",
    [revoked(2, at(1)), regenerated(2, at(2))],
    2,
    true,
  ],
  [
    "a lower generation does not lower it",
    [regenerated(5, at(1)), regenerated(4, at(2))],
    5,
    false,
  ],
  [
    "a lower generation does not restore access",
    [revoked(5, at(1)), regenerated(4, at(2))],
    5,
    true,
  ],
  [
    "a revocation of a lower generation revokes and does not lower it",
    [regenerated(5, at(1)), revoked(4, at(2))],
    5,
    true,
  ],
  ["an older event is stale", [revoked(2, at(2)), regenerated(3, at(1))], 2, true],
  [
    "an older event of the same millisecond is stale",
    [revoked(2, late), regenerated(3, early)],
    2,
    true,
  ],
];
for (const [title, events, generation, isRevoked] of rows) {
  test(title, () => {
    assert.equal(fold(evolveAgent, events)?.content, { generation, revoked: isRevoked });
  });
}

test("the same event is a duplicate", () => {
  const event = revoked(2, at(1));
  assert.equal(evolveAgent(fold(evolveAgent, [event]), event), { outcome: "repeated" });
});

test.run();

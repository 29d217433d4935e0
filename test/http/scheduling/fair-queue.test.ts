import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFairQueue } from "../../../src/http/scheduling/work-queue.ts";

const test = suite("fair queue");

test("the queue alternates between clients, and keeps the sequence of each client", () => {
  const turns = createFairQueue<string>();
  for (const thing of ["a1", "a2", "a3", "b1", "c1", "b2"]) turns.add(thing[0] as string, thing);
  assert.is(turns.count(), 6);
  const taken = Array.from({ length: 6 }, () => turns.take());
  assert.equal(taken, ["a1", "b1", "c1", "a2", "b2", "a3"]);
  assert.is(turns.count(), 0);
  assert.is(turns.take(), undefined);
});

test.run();

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createDoorkeeper } from "../../../src/http/cache/response-cache.ts";

const test = suite("cache doorkeeper");

test("a repeated key is recognised while the keys in between fit into the cache", () => {
  const isAgain = createDoorkeeper(100);
  assert.not(isAgain("a", 10));
  assert.ok(isAgain("a", 10));
  for (let one = 0; one < 9; one += 1) assert.not(isAgain(`b${one}`, 10));
  assert.ok(isAgain("a", 10));
  for (let one = 0; one < 10; one += 1) assert.not(isAgain(`c${one}`, 10));
  assert.not(isAgain("a", 10));
});

test("keys are never recognised in a cycle that is larger than the cache", () => {
  const isAgain = createDoorkeeper(1_000);
  for (let round = 0; round < 3; round += 1) {
    for (let one = 0; one < 101; one += 1) assert.not(isAgain(`page ${one}`, 10));
  }
});

test.run();

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { temporaryDirectory } from "../helpers/directory.ts";
import { doneWith } from "./done.ts";
import { type Part, partsOf } from "./plan.ts";

const test = suite<{ root: string; remove(): void }>("passed parts");
const seed = 7;
const [first, second] = partsOf({ seed, only: ["faults"], count: 80, shard: [1, 1] }) as [
  Part,
  Part,
];

const write = (root: string, file: string, text: string): void =>
  writeFileSync(join(root, file), text);

test.before.each((context) => {
  const home = temporaryDirectory();
  for (const name of ["dist", "test"]) mkdirSync(join(home.path, name));
  write(home.path, "dist/program.js", "1");
  write(home.path, "test/part.test.ts", "1");
  Object.assign(context, { root: home.path, remove: home.remove });
});
test.after.each(({ remove }) => remove());

test("a part that passed is known to the next run with its seed, and to no other", ({ root }) => {
  doneWith(seed, root).record(first, true);
  assert.is(doneWith(seed, root).has(first), true);
  assert.is(doneWith(seed, root).has(second), false);
  assert.is(doneWith(seed + 1, root).has(first), false);
});

test("a part that failed later counts as not passed", ({ root }) => {
  doneWith(seed, root).record(first, true);
  doneWith(seed, root).record(first, false);
  assert.is(doneWith(seed, root).has(first), false);
});

for (const [what, file] of [
  ["the program", "dist/program.js"],
  ["a test", "test/part.test.ts"],
  ["what is there besides", "test/helper.ts"],
] as const) {
  test(`after a change of ${what} no part counts as passed`, ({ root }) => {
    doneWith(seed, root).record(first, true);
    write(root, file, "2");
    assert.is(doneWith(seed, root).has(first), false);
  });
}

test("a part that ran while the code changed is not recorded", ({ root }) => {
  const done = doneWith(seed, root);
  write(root, "dist/program.js", "2");
  done.record(first, true);
  assert.is(doneWith(seed, root).has(first), false);
  write(root, "dist/program.js", "1");
  assert.is(doneWith(seed, root).has(first), false);
});

test.run();

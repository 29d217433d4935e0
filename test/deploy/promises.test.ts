import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../src/root.ts";

const test = suite("deploy/promises.md");
const page = readFileSync(join(packageRoot, "deploy", "promises.md"), "utf8");

interface Proof {
  readonly file: string;
  /** The name of a test, or the part of it that is the same in every run. */
  readonly name: string;
}

/** Each promise with the tests named below it. */
const promises = page
  .split("\n## What is not promised")[0]
  ?.split(/^(?=\d+\. )/m)
  .slice(1)
  .map((text) => ({
    promise: text.split(".**")[0] ?? "",
    proofs: [...text.matchAll(/^\s*- `([^`]+)`: (.+)$/gm)].map(
      ([, file = "", name = ""]): Proof => ({ file, name }),
    ),
  }));

test("every promise names a test", () => {
  assert.ok(promises && promises.length > 20);
  assert.equal(
    promises.filter(({ proofs }) => proofs.length === 0),
    [],
  );
});

test("every test that is named is there", () => {
  const named = promises?.flatMap(({ proofs }) => proofs) ?? [];
  const missing = named.filter(({ file, name }) => {
    const path = join(packageRoot, file);
    return !existsSync(path) || !readFileSync(path, "utf8").includes(name);
  });
  assert.equal(missing, []);
});

test.run();

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../src/package-info.ts";
import { jobs } from "../torture/plan.ts";

const test = suite("deploy/promises.md");
const page = readFileSync(join(packageRoot, "deploy", "promises.md"), "utf8");

interface Proof {
  readonly file: string;
  /** The name of a test, or the part of it that is the same in every run. */
  readonly name: string;
}

/** Each promise with the tests named below it. */
const promises = page
  .split("\n## The long form")[0]
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
    return !existsSync(path) || !withoutComments(readFileSync(path, "utf8")).includes(name);
  });
  assert.equal(missing, []);
});

/** A test that is commented out proves nothing. */
const withoutComments = (text: string): string =>
  text.replaceAll(/^\s*\/\/.*$|^\s*\/\*[^]*?\*\/$/gm, "");

test("every job of the long form is told, with how much there is of it", () => {
  const untold = jobs.filter(
    ({ name, total, unit }) =>
      !page.includes(`| \`${name}\` |`) ||
      !page.includes(`| ${total.toLocaleString("en")} ${unit} |`),
  );
  assert.equal(untold, []);
  assert.equal(
    jobs.filter(({ file }) => !existsSync(join(packageRoot, file))),
    [],
  );
});

test.run();

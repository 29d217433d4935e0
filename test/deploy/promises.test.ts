import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../src/package-info.ts";
import { promises } from "../promises.ts";

const test = suite("deploy/promises.md");
const page = readFileSync(join(packageRoot, "deploy", "promises.md"), "utf8");

/** Numbers of the promises on the page. */
const numbers = [...page.matchAll(/^(\d+)\. \*\*/gm)].map(([, number]) => Number(number));

test("every promise is proved by a test, and every proof belongs to a promise", () => {
  assert.ok(numbers.length > 30);
  assert.equal(Object.keys(promises).map(Number), numbers);
  assert.equal(
    numbers.filter((number) => promises[number]?.length === 0),
    [],
  );
});

test("every test that a promise names exists", () => {
  const missing = Object.values(promises)
    .flat()
    .filter(({ file, title }) => {
      const path = join(packageRoot, file);
      return !existsSync(path) || !withoutComments(readFileSync(path, "utf8")).includes(title);
    });
  assert.equal(missing, []);
});

/** A test that is commented out proves nothing. */
const withoutComments = (text: string): string =>
  text.replaceAll(/^\s*\/\/.*$|^\s*\/\*[\s\S]*?\*\/$/gm, "");

test.run();

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../src/package-info.ts";
import { jobs } from "./plan.ts";

const test = suite("jobs of npm run torture");

test("every job is listed in deploy/promises.md with its amount", () => {
  const page = readFileSync(join(packageRoot, "deploy", "promises.md"), "utf8");
  const unlisted = jobs.filter(
    ({ name, total, unit }) =>
      !page.includes(`| \`${name}\` |`) ||
      !page.includes(`| ${total.toLocaleString("en")} ${unit} |`),
  );
  assert.equal(unlisted, []);
  assert.equal(
    jobs.filter(({ file }) => !existsSync(join(packageRoot, file))),
    [],
  );
});

test.run();

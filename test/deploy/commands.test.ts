import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { renderCommands } from "../../deploy/write-commands.ts";
import { commandTable } from "../../src/cli/command-table.ts";
import { packageRoot } from "../../src/package-info.ts";

const test = suite("deploy/commands.md");
const read = (...path: readonly string[]): string =>
  readFileSync(join(packageRoot, ...path), "utf8");

test("the page is what npm run docs writes from the definitions", async () => {
  assert.is(read("deploy", "commands.md"), await renderCommands());
});

test("the README lists every command and links the page", () => {
  const operate = /^## Operate\n[\s\S]*?(?=^## )/m.exec(read("README.md"))?.[0] ?? "";
  const missing = commandTable.filter(
    ({ name }) => !new RegExp(`^\\| .*\`(vitrine )?${name}\\b`, "m").test(operate),
  );
  assert.equal(missing, []);
  assert.match(operate, "(deploy/commands.md)");
  assert.match(operate, "(deploy/commands.md#exit-codes)");
});

test.run();

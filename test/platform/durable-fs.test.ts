import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { mkdirDurable } from "../../src/platform/durable-fs.ts";
import { temporaryDirectory } from "../helpers/directory.ts";

const test = suite("directories");

test("a directory that appears during its creation counts as created", () => {
  const home = temporaryDirectory();
  // `new/..` does not exist at first, and exists when `new` is created, as with two processes.
  mkdirDurable(`${home.path}/new/../other`);
  assert.ok(existsSync(join(home.path, "other")));
  home.remove();
});

test("a file in place of a directory is an error", () => {
  const home = temporaryDirectory();
  writeFileSync(join(home.path, "file"), "");
  assert.throws(() => mkdirDurable(join(home.path, "file", "inside")), /ENOTDIR|EEXIST/);
  home.remove();
});

test.run();

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { mkdirDurable } from "../../src/platform/durable-fs.ts";
import { temporaryDirectory } from "../helpers/directory.ts";

const test = suite("directories");

test("a directory that comes to be while it is made is taken as made", () => {
  const home = temporaryDirectory();
  // `new/..` is not there when it is looked for, and is there as soon as `new` was made: so it is with two processes.
  mkdirDurable(`${home.path}/new/../other`);
  assert.ok(existsSync(join(home.path, "other")));
  home.remove();
});

test("a file in place of a directory is refused", () => {
  const home = temporaryDirectory();
  writeFileSync(join(home.path, "file"), "");
  assert.throws(() => mkdirDurable(join(home.path, "file", "inside")), /ENOTDIR|EEXIST/);
  home.remove();
});

test.run();

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { hasMembers, readJson, writeFileAtomic } from "../../src/platform/json-file.ts";
import { currentProcess, isProcessIdentity } from "../../src/platform/process-identity.ts";
import { temporaryDirectory } from "../helpers/directory.ts";

const test = suite("JSON files");

const isNamed = (value: unknown) => hasMembers(value, { name: "string" });

test("a JSON file that the guard accepts is read, and any other reads as undefined", () => {
  const home = temporaryDirectory();
  const path = join(home.path, "a.json");
  assert.is(readJson(path, isNamed), undefined);
  for (const text of ["", '{"name":', "null", "[]", '{"name":null}', '{"name":1}']) {
    writeFileSync(path, text);
    assert.is(readJson(path, isNamed), undefined, text);
  }
  writeFileSync(path, '{"name":"a","more":1}');
  assert.is(readJson(path, isNamed)?.name, "a");
  home.remove();
});

test("null is no object member", () => {
  assert.not(hasMembers({ by: null }, { by: "object" }));
  assert.ok(hasMembers({ by: {} }, { by: "object" }));
});

test("a file is replaced by a rename, and a failed write leaves no temporary file", () => {
  const home = temporaryDirectory();
  const path = join(home.path, "a.json");
  writeFileAtomic(path, "1");
  writeFileAtomic(path, "2", { durable: true });
  assert.is(readFileSync(path, "utf8"), "2");
  mkdirSync(join(home.path, "directory"));
  writeFileSync(join(home.path, "directory", "file"), "");
  assert.throws(() => writeFileAtomic(join(home.path, "directory"), "3"));
  assert.equal(readdirSync(home.path).sort(), ["a.json", "directory"]);
  home.remove();
});

test("a process identity of a file has a pid of one process", () => {
  assert.ok(isProcessIdentity(currentProcess()));
  for (const pid of [0, -1, 1.5, "1", null])
    assert.not(isProcessIdentity({ ...currentProcess(), pid }), String(pid));
  assert.not(isProcessIdentity({ ...currentProcess(), started: 1 }));
});

test.run();

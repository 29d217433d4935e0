import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { clearFlag, flagForCheck, readFlag } from "../../../src/read-model/store/damage-flag.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";

const test = suite("damage flags");

test("of several flags the most severe is retained, and the first of two equal ones", () => {
  const { path, remove } = temporaryDirectory();
  assert.is(readFlag(path), undefined);
  flagForCheck(path, "a record is damaged");
  flagForCheck(path, "another record is damaged");
  assert.equal(readFlag(path), { kind: "unexpected", reason: "a record is damaged" });
  flagForCheck(path, "projector was killed by SIGBUS", "writer-crash");
  flagForCheck(path, "http-1 was killed by SIGBUS", "reader-crash");
  assert.is(readFlag(path)?.kind, "writer-crash");
  flagForCheck(path, "it cannot be written", "corrupt");
  assert.is(readFlag(path)?.reason, "it cannot be written");
  clearFlag(path);
  assert.is(readFlag(path), undefined);
  remove();
});

test("a flag with other text leads to a full read", () => {
  const { path, remove } = temporaryDirectory();
  writeFileSync(join(path, "suspect"), "projector was killed by SIGSEGV\n");
  assert.equal(readFlag(path), {
    kind: "reader-crash",
    reason: "projector was killed by SIGSEGV",
  });
  remove();
});

test.run();

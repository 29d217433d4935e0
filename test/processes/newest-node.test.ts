import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../src/package-info.ts";
import { testProgram } from "../helpers/test-program.ts";

const test = suite("newer Node");
const newer = join(packageRoot, "node_modules", "node", "bin", "node");

/** Runs a test file, a path without extension, with the newer Node of the development dependencies. */
const runByNewer = async (file: string): Promise<{ code: unknown; output: string }> => {
  const child = spawn(newer, testProgram(file), { cwd: packageRoot });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text) => {
      output += text;
    });
  }
  const [code] = await once(child, "close");
  return { code, output };
};

for (const file of [
  "test/projector/batch/batch.test",
  "test/read-model/store/store.test",
  "test/event-log/journal/journal.test",
]) {
  test(`${file}.ts passes with the newer Node, whose buffers differ`, async () => {
    const { code, output } = await runByNewer(file);
    assert.is(code, 0, output);
    assert.match(output, /Passed:\s+[1-9]/);
  });
}

test.run();

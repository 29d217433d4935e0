import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { renameSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { temporaryDirectory } from "../helpers/directory.ts";
import { testProgram } from "../helpers/test-program.ts";

const test = suite("commit mutex");
const program = testProgram("test/helpers/pass-gate");

/** Starts a process that acquires and releases the mutex, and reports each step with its time. */
const passGate = (directory: string) => {
  const child = spawn(process.execPath, [...program, directory], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  return { child, says: (word: string) => timeOf(child, word) };
};

const timeOf = async (child: ChildProcess, word: string): Promise<number> => {
  for (;;) {
    const [text] = await Promise.race([
      once(child.stdout as NonNullable<ChildProcess["stdout"]>, "data"),
      once(child, "exit").then(() => [`ended before ${word}`]),
    ]);
    assert.not.match(String(text), "ended before");
    const found = new RegExp(`${word} (\\d+)`).exec(String(text));
    if (found) return Number(found[1]);
  }
};

test("a mutex whose lock file is torn still excludes other processes", async () => {
  const home = temporaryDirectory();
  const first = passGate(home.path);
  await first.says("entered");
  // As another process sees it while the file is being created, and as a power cut leaves it.
  const torn = join(home.path, "torn");
  writeFileSync(torn, "");
  truncateSync(torn, 4_096);
  renameSync(torn, join(home.path, "gate", "data.mdb"));
  const second = passGate(home.path);
  await second.says("started");
  const entered = second.says("entered");
  const left = first.says("left");
  first.child.stdin.end();
  assert.ok((await entered) >= (await left), "two processes held the mutex");
  second.child.stdin.end();
  await second.says("left");
  home.remove();
});

test.run();

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { messageOf, VitrineError } from "../../../src/errors.ts";
import { currentProcess } from "../../../src/platform/process-identity.ts";
import { sendRequest } from "../../../src/projector/control/client.ts";
import { isLocked, lockDirectory, lockScratch } from "../../../src/projector/integrity/lock.ts";
import { openDataDirectory } from "../../../src/read-model/generations/data-directory.ts";
import { temporaryDirectory } from "../../helpers/directory.ts";
import { testProgram } from "../../helpers/test-program.ts";

const test = suite("lock");

/** Another process that takes the lock and releases it on request. */
const startTaker = async (directory: string) => {
  const child = spawn(process.execPath, [...testProgram("test/helpers/take-lock"), directory], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  await once(child, "message");
  const ask = async (word: "take" | "release"): Promise<unknown> => {
    child.send(word);
    const [answer] = await once(child, "message");
    return answer;
  };
  return { child, ask };
};

/** Another process that holds the lock until it is killed. */
const holdElsewhere = async (directory: string) => {
  const { child, ask } = await startTaker(directory);
  assert.is(await ask("take"), "held");
  return {
    pid: child.pid,
    async kill() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
};

test("a second writer is rejected with the holder of the lock", async () => {
  const directory = temporaryDirectory();
  const other = await holdElsewhere(directory.path);
  const error = await lockDirectory(directory.path, () => undefined).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.instance(error, VitrineError);
  assert.is((error as VitrineError).code, "locked");
  assert.match(
    (error as VitrineError).message,
    `another projector (process ${other.pid}) already writes`,
  );
  await other.kill();
  directory.remove();
});

test("root neither writes nor sends requests in another user's directory, whose owner could not read them", async () => {
  const directory = temporaryDirectory();
  openDataDirectory(directory.path);
  const request = () =>
    sendRequest(directory.path, { kind: "rollback" }, async () => false, AbortSignal.abort());
  const tries = [
    () => lockDirectory(directory.path, () => undefined),
    () => lockScratch(directory.path, "rebuild", () => undefined),
    request,
  ];
  const messages = () =>
    Promise.all(tries.map((each) => each().then(() => "it was let in", messageOf)));
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) chownSync(join(directory.path, "vitrine.json"), 65_534, 65_534);
  const seen = await messages();
  assert.is(seen.filter((text) => text.includes("belongs to the user")).length, isRoot ? 3 : 0);
  directory.remove();
});

test("the lock of a killed process is taken over at once", async () => {
  const directory = temporaryDirectory();
  const other = await holdElsewhere(directory.path);
  await other.kill();
  const release = await lockDirectory(directory.path, () => undefined);
  await release();
  directory.remove();
});

test("the lock of a running process is not taken over, whatever the clock says", async () => {
  const directory = temporaryDirectory();
  const other = await holdElsewhere(directory.path);
  const long = new Date(Date.now() - 3_600_000);
  utimesSync(join(directory.path, "projector.lock"), long, long);
  assert.ok(await isLocked(directory.path));
  try {
    await lockDirectory(directory.path, () => undefined);
    assert.unreachable();
  } catch (error) {
    assert.match(messageOf(error), `another projector (process ${other.pid}) already writes`);
  }
  await other.kill();
  directory.remove();
});

test("a process with the reused pid of a dead holder does not hold its lock", async () => {
  const directory = temporaryDirectory();
  const other = await holdElsewhere(temporaryDirectory().path);
  const note = { ...currentProcess(), pid: other.pid };
  mkdirSync(join(directory.path, "projector.lock"));
  writeFileSync(join(directory.path, "projector.json"), JSON.stringify(note));
  assert.not(await isLocked(directory.path));
  const release = await lockDirectory(directory.path, () => undefined);
  await release();
  await other.kill();
  directory.remove();
});

test("a zombie process does not hold its lock", async () => {
  const directory = temporaryDirectory();
  // The parent becomes another program, which never waits for this child.
  const parent = spawn("sh", ["-c", "sleep 0.1 & echo $!; exec sleep 60"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(parent.stdout, "data");
  const pid = Number(line);
  const facts = () => readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ");
  while (facts()?.[0] !== "Z") await delay(10);
  const note = { ...currentProcess(), pid, started: facts()?.[19] };
  mkdirSync(join(directory.path, "projector.lock"));
  writeFileSync(join(directory.path, "projector.json"), JSON.stringify(note));
  assert.not(await isLocked(directory.path));
  const release = await lockDirectory(directory.path, () => undefined);
  await release();
  parent.kill();
  await once(parent, "exit");
  directory.remove();
});

test("of many processes that take over after a crash exactly one gets the lock, every time", async () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory.path, "projector.lock"));
  const gone = await holdElsewhere(temporaryDirectory().path);
  await gone.kill();
  const note = JSON.stringify({ ...currentProcess(), pid: gone.pid });
  const takers = await Promise.all(Array.from({ length: 4 }, () => startTaker(directory.path)));
  try {
    for (let round = 0; round < 40; round += 1) {
      writeFileSync(join(directory.path, "projector.json"), note);
      mkdirSync(join(directory.path, "projector.lock"), { recursive: true });
      const answers = await Promise.all(takers.map(({ ask }) => ask("take")));
      assert.is(answers.filter((word) => word === "held").length, 1, `round ${round}: ${answers}`);
      await Promise.all(takers.map(({ ask }) => ask("release")));
    }
  } finally {
    for (const { child } of takers) child.kill();
  }
  directory.remove();
});

test("a released lock can be taken again", async () => {
  const directory = temporaryDirectory();
  for (let turn = 0; turn < 2; turn += 1) {
    const release = await lockDirectory(directory.path, () => undefined);
    await release();
  }
  directory.remove();
});

test.run();

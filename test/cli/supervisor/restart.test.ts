/** Processes that cannot be started: a machine may lack memory, process ids or descriptors for a while. */
import { spawn } from "node:child_process";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { startProcess } from "../../../src/cli/supervisor/fork.ts";
import type { Role, StartMessage } from "../../../src/cli/supervisor/messages.ts";
import { type SupervisedProcess, supervise } from "../../../src/cli/supervisor/restart.ts";
import { createLogger } from "../../../src/log.ts";
import {
  type ExitReason,
  formatExit,
  isCorruptionExit,
} from "../../../src/platform/exit-reason.ts";

const test = suite("restarted processes");
const log = createLogger("silent", "test");

const sleeping = () => spawn("sleep", ["60"]);

test("a start that fails is tried again", async () => {
  const ends: ExitReason[] = [];
  const failing = () => {
    if (ends.length < 2) throw new Error("spawn ENOMEM");
    const child = sleeping();
    child.once("spawn", () => void kept.stop(1_000).then(stopped));
    return child;
  };
  let stopped = (): void => undefined;
  const end = new Promise<void>((resolve) => {
    stopped = resolve;
  });
  const kept = supervise("sleep", failing, (how) => ends.push(how), log);
  await end;
  assert.equal(ends.map(formatExit), Array(2).fill("it could not be started: Error: spawn ENOMEM"));
});

test("the exit reason names a lack of memory that the process reported itself", async () => {
  const heap = "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory";
  const aborting = (words: string) => () => {
    const program = `process.stderr.write(${JSON.stringify(words)}); process.abort()`;
    return spawn(process.execPath, ["-e", program], { stdio: ["ignore", "ignore", "pipe"] });
  };
  for (const [words, expected] of [
    [heap, "killed by SIGABRT, out of memory"],
    ["mdb.c:2646: Assertion 'rc == 0' failed in mdb_page_dirty()", "killed by SIGABRT"],
  ] as const) {
    let kept: SupervisedProcess | undefined;
    const reason = await new Promise<ExitReason>((resolve) => {
      kept = supervise("projector", aborting(words), resolve, log);
    });
    await kept?.stop(1_000);
    assert.is(formatExit(reason), expected);
    assert.is(isCorruptionExit(reason), words !== heap);
  }
});

for (const role of ["http", "projector"] satisfies Role[]) {
  test(`a start error that is reported later is tried again: ${role}`, async () => {
    const { execPath } = process;
    const begin = { name: role } as StartMessage;
    const start = () => startProcess(role, begin, () => undefined, "/nonexistent/http-process.js");
    process.execPath = "/nonexistent/node";
    let kept: SupervisedProcess | undefined;
    const reason = await new Promise<ExitReason>((resolve) => {
      kept = supervise(role, start, resolve, log);
    });
    process.execPath = execPath;
    await kept?.stop(1_000);
    assert.match(formatExit(reason), /^it could not be started: Error: spawn .* ENOENT$/);
  });
}

test.run();

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../src/package-info.ts";
import { runProbeProcess } from "../../src/platform/child-probe.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { testProgram } from "../helpers/test-program.ts";
import { until } from "../helpers/vitrine.ts";

const test = suite("child probe");

const asProbe = testProgram("test/helpers/run-as-probe").at(-1) ?? "";

/** Result of a probe that runs this code. */
const found = (work: string): Promise<string | undefined> => runProbeProcess(asProbe, [work]);

test("a probe reports an exception, and the signals of damaged files", async () => {
  assert.is(await found(""), undefined);
  assert.is(await found('throw new Error("a row is wrong")'), "a row is wrong");
  for (const signal of ["SIGBUS", "SIGSEGV", "SIGABRT", "SIGTRAP", "SIGILL", "SIGFPE"]) {
    assert.match((await found(`process.kill(process.pid, "${signal}")`)) ?? "", signal);
  }
});

test("a probe reports nothing on a failure of the machine, because a good model must stay", async () => {
  for (const work of [
    'process.kill(process.pid, "SIGKILL")',
    // The messages of V8, with the signals that follow.
    'console.error("# Fatal process OOM in Failed to reserve virtual memory"); process.kill(process.pid, "SIGTRAP")',
    'console.error("FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory"); process.abort()',
    "process.exit(1)",
    'throw new Error("cannot open the read model: Cannot allocate memory")',
    'throw new Error("EACCES: permission denied")',
    'throw new Error("MDB_READERS_FULL: Environment maxreaders limit reached")',
  ]) {
    assert.is(await found(work), undefined, work);
  }
});

test("a probe does not start when its caller is aborted", async () => {
  const home = temporaryDirectory();
  const file = join(home.path, "inside.mjs");
  const trace = join(home.path, "trace");
  writeFileSync(file, `import { writeFileSync } from "node:fs"; writeFileSync("${trace}", "");`);
  const work = (signal?: AbortSignal) => runProbeProcess(file, [], { signal });
  assert.is(await work(AbortSignal.abort()), undefined);
  assert.not(existsSync(trace));
  await work();
  assert.ok(existsSync(trace));
  home.remove();
});

/** Writes its process id into a file, and runs for ever. */
const endless = (pid: string): string => `
  process.getBuiltinModule("node:fs").writeFileSync(${JSON.stringify(pid)}, String(process.pid));
  setInterval(() => {}, 1_000);
`;

/** The parent ends the probe when it exits itself; the probe ends itself when its parent is killed. */
const signals = ["SIGTERM", "SIGKILL"] as const;

for (const signal of signals)
  test(`a probe ends with its parent, by ${signal}`, async () => {
    const home = temporaryDirectory();
    const pid = join(home.path, "pid");
    const program = join(home.path, "endless.mjs");
    writeFileSync(program, endless(pid));
    const probe =
      signal === "SIGTERM" ? [program] : [asProbe, `${endless(pid)} return new Promise(() => {});`];
    const starter = [...testProgram("test/helpers/start-probe"), ...probe];
    const child = spawn(process.execPath, starter, { cwd: packageRoot });
    const ended = once(child, "exit");
    const probed = await until(
      async () => (existsSync(pid) ? Number(readFileSync(pid, "utf8")) : 0),
      (found) => found > 0,
      30,
    );
    child.kill(signal);
    await ended;
    await until(
      async () =>
        existsSync(`/proc/${probed}/cmdline`) && readFileSync(`/proc/${probed}/cmdline`).length,
      (length) => !length,
      10,
    );
    home.remove();
  });

test.run();

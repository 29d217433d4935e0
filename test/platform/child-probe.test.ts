import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../src/package-info.ts";
import { runProbeProcess } from "../../src/platform/child-probe.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { until } from "../helpers/vitrine.ts";

const test = suite("a look from outside");

const inside = pathToFileURL(join(packageRoot, "src", "platform", "child-probe.ts")).href;

/** What is found by a program whose look does this. */
const found = async (look: string): Promise<string | undefined> => {
  const home = temporaryDirectory();
  const file = join(home.path, "inside.ts");
  const text = `import { runAsProbe } from "${inside}"; void runAsProbe(async () => { ${look} });`;
  writeFileSync(file, text);
  const reason = await runProbeProcess(file, []);
  home.remove();
  return reason;
};

test("finds what the look throws, and the signals of damaged files", async () => {
  assert.is(await found(""), undefined);
  assert.is(await found('throw new Error("a row is wrong")'), "a row is wrong");
  for (const signal of ["SIGBUS", "SIGSEGV", "SIGABRT", "SIGTRAP", "SIGILL", "SIGFPE"]) {
    assert.match((await found(`process.kill(process.pid, "${signal}")`)) ?? "", signal);
  }
});

test("finds nothing where the machine is the matter: a good model must never be set aside for want of memory", async () => {
  for (const look of [
    'process.kill(process.pid, "SIGKILL")',
    // As V8 says it, with the signals it ends by.
    'console.error("# Fatal process OOM in Failed to reserve virtual memory"); process.kill(process.pid, "SIGTRAP")',
    'console.error("FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory"); process.abort()',
    "process.exit(1)",
    'throw new Error("cannot open the read model: Cannot allocate memory")',
    'throw new Error("EACCES: permission denied")',
    'throw new Error("MDB_READERS_FULL: Environment maxreaders limit reached")',
  ]) {
    assert.is(await found(look), undefined, look);
  }
});

test("is not begun for whoever wants to end already", async () => {
  const home = temporaryDirectory();
  const file = join(home.path, "inside.ts");
  const trace = join(home.path, "trace");
  writeFileSync(file, `import { writeFileSync } from "node:fs"; writeFileSync("${trace}", "");`);
  const look = (signal?: AbortSignal) => runProbeProcess(file, [], ...(signal ? [signal] : []));
  assert.is(await look(AbortSignal.abort()), undefined);
  assert.not(existsSync(trace));
  await look();
  assert.ok(existsSync(trace));
  home.remove();
});

/** By itself where it tells what it found, which the end of whoever asked reaches; by the asker's own end in any case. */
const endings = {
  SIGTERM: "",
  SIGKILL: "void runAsProbe(() => new Promise(() => {}));",
} as const;

for (const signal of ["SIGTERM", "SIGKILL"] as const)
  test(`ends with whoever looks, by ${signal}, so that nobody reads on in what is gone`, async () => {
    const home = temporaryDirectory();
    const pid = join(home.path, "pid");
    const endless = join(home.path, "endless.ts");
    writeFileSync(
      endless,
      `import { writeFileSync } from "node:fs";
import { runAsProbe } from "${inside}";
writeFileSync("${pid}", String(process.pid));
setInterval(() => {}, 1_000);
${endings[signal]}`,
    );
    const looker = join(home.path, "looker.ts");
    writeFileSync(
      looker,
      `import { runProbeProcess } from "${inside}";
void runProbeProcess("${endless}", []);
process.on("SIGTERM", () => process.exit(1));`,
    );
    const child = spawn(process.execPath, ["--import", "tsx", looker], { cwd: packageRoot });
    const ended = once(child, "exit");
    const looked = await until(
      async () => (existsSync(pid) ? Number(readFileSync(pid, "utf8")) : 0),
      (found) => found > 0,
      30,
    );
    child.kill(signal);
    await ended;
    await until(
      async () =>
        existsSync(`/proc/${looked}/cmdline`) && readFileSync(`/proc/${looked}/cmdline`).length,
      (length) => !length,
      10,
    );
    home.remove();
  });

test.run();

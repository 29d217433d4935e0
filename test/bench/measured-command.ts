import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../src/package-info.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { mainFile, pinTo, serverCore } from "./server-process.ts";

/** What a command used from its start to its end. */
export interface Usage {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** The most that was resident at a time, with pages of mapped files. */
  readonly peakMegabytes: number;
  /** The most anonymous memory that a sample found, without the pages of the log and of the inbox. */
  readonly anonymousMegabytes: number;
}

/**
 * Runs a command of Vitrine on the last core, with a journal.
 * @param output file of its standard output
 * @throws when it fails
 */
export const measureCommand = async (
  args: readonly string[],
  dataDir: string,
  output = "/dev/null",
): Promise<Usage> => {
  const directory = temporaryDirectory();
  const usageFile = join(directory.path, "usage.json");
  const stdout = openSync(output, "w");
  try {
    const start = performance.now();
    const env = { EVENTS: "journal:", LOG_LEVEL: "warn", USAGE_FILE: usageFile };
    const anonymousMegabytes = await runSampled([...args, "--data-dir", dataDir], stdout, env);
    const seconds = (performance.now() - start) / 1_000;
    const used = JSON.parse(readFileSync(usageFile, "utf8")) as NodeJS.ResourceUsage;
    return {
      seconds,
      cpuSeconds: (used.userCPUTime + used.systemCPUTime) / 1e6,
      peakMegabytes: used.maxRSS / 1024,
      anonymousMegabytes,
    };
  } finally {
    closeSync(stdout);
    directory.remove();
  }
};

const usageModule = pathToFileURL(join(packageRoot, "test", "bench", "report-usage.mjs")).href;
const sampleMs = 100;

/** @returns the most anonymous memory in megabytes */
const runSampled = async (
  args: readonly string[],
  stdout: number,
  env: NodeJS.ProcessEnv,
): Promise<number> => {
  const node = [process.execPath, "--import", usageModule, mainFile];
  const [program = "", ...rest] = [...pinTo(serverCore), ...node, ...args];
  const child = spawn(program, rest, {
    env: { ...process.env, NODE_ENV: "production", ...env },
    stdio: ["ignore", stdout, "inherit"],
  });
  const kill = () => void child.kill("SIGKILL");
  process.on("exit", kill);
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, readAnonymousMegabytes(child.pid ?? 0));
  }, sampleMs);
  try {
    const [code] = await once(child, "exit");
    if (code !== 0) throw new Error(`vitrine ${args[0]} ended with ${code}`);
    return most;
  } finally {
    clearInterval(timer);
    process.off("exit", kill);
  }
};

/** @returns 0 for a process that has just ended */
const readAnonymousMegabytes = (pid: number): number => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};

/** Traces system calls of a running process with strace, and makes some of them fail. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { installOnDebian } from "./debian.ts";

export interface Injection {
  readonly pid: number;
  /** Only calls on this file. */
  readonly path: string;
  readonly calls: readonly string[];
  /** Result of the calls in the syntax of strace: `error=EIO`, `retval=512`. */
  readonly outcome: string;
  /** Which of the calls, in the syntax of strace: `3` the third, `3+` the third and all later ones. */
  readonly when: string;
}

export interface Injecting {
  /** Number of calls that failed so far. */
  failed(): number;
  /** Detaches from the process, which goes on. */
  stop(): Promise<void>;
}

const program = "/usr/bin/strace";

/** Resolves when strace is attached to the process. */
export const inject = async (injection: Injection): Promise<Injecting> => {
  const { pid, path, calls, outcome, when } = injection;
  const names = calls.join(",");
  const rule = `inject=${names}:${outcome}:when=${when}`;
  const child = attach(pid, ["-P", path, "-e", `trace=${names}`, "-e", rule]);
  let output = "";
  child.stderr.on("data", (text) => {
    output += text;
  });
  const ended = await attached(child, () => output);
  return {
    failed: () => output.match(/\(INJECTED\)/g)?.length ?? 0,
    async stop() {
      child.kill("SIGINT");
      await ended();
    },
  };
};

/**
 * Records every call of a process on these files, one line each, with the paths of its descriptors and
 * without its data.
 * @param file output file of strace
 * @returns a function that detaches strace and returns the lines
 */
export const watch = async (
  pid: number,
  paths: readonly string[],
  calls: readonly string[],
  file: string,
): Promise<() => Promise<readonly string[]>> => {
  const only = paths.flatMap((path) => ["-P", path]);
  const child = attach(pid, ["-y", "-s", "0", "-o", file, ...only, "-e", `trace=${calls}`]);
  let output = "";
  child.stderr.on("data", (text) => {
    output += text;
  });
  const ended = await attached(child, () => output);
  return async () => {
    child.kill("SIGINT");
    await ended();
    return readFileSync(file, "utf8").split("\n").filter(Boolean);
  };
};

const attach = (pid: number, options: readonly string[]): ChildProcessWithoutNullStreams => {
  if (!existsSync(program) && !installOnDebian("strace")) {
    throw new Error("the test needs strace: apt-get install strace");
  }
  return spawn(program, ["-f", ...options, "-p", `${pid}`]);
};

/** Resolves when strace is attached, with a function that waits for its exit. */
const attached = async (
  child: ChildProcessWithoutNullStreams,
  output: () => string,
): Promise<() => Promise<unknown>> => {
  const ended = once(child, "close");
  while (!output().includes("attached")) {
    const next = await Promise.race([once(child.stderr, "data"), ended.then(() => "ended")]);
    if (next === "ended") throw new Error(`strace ended: ${output()}`);
  }
  return () => ended;
};

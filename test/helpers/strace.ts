/** Watches system calls of a running process, and makes them fail, by strace. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { installOnDebian } from "./debian.ts";

export interface Injection {
  readonly pid: number;
  /** Only calls about this file. */
  readonly path: string;
  readonly calls: readonly string[];
  /** What they come to, as strace has it: `error=EIO`, `retval=512`. */
  readonly outcome: string;
  /** Which of them, as strace has it: `3` the third, `3+` that and all after it. */
  readonly when: string;
}

export interface Injecting {
  /** How many calls have failed by now. */
  failed(): number;
  /** Lets go of the process, which goes on. */
  stop(): Promise<void>;
}

const program = "/usr/bin/strace";

/** Resolves once it watches the process. */
export const inject = async (injection: Injection): Promise<Injecting> => {
  const { pid, path, calls, outcome, when } = injection;
  const names = calls.join(",");
  const rule = `inject=${names}:${outcome}:when=${when}`;
  const child = attach(pid, ["-P", path, "-e", `trace=${names}`, "-e", rule]);
  let said = "";
  child.stderr.on("data", (text) => {
    said += text;
  });
  const ended = await attached(child, () => said);
  return {
    failed: () => said.match(/\(INJECTED\)/g)?.length ?? 0,
    async stop() {
      child.kill("SIGINT");
      await ended();
    },
  };
};

/**
 * Every call of a process about these files, a line each, with the paths of its descriptors and without its bytes.
 * @param output where strace writes meanwhile
 * @returns what ends it, and tells the lines
 */
export const watch = async (
  pid: number,
  paths: readonly string[],
  calls: readonly string[],
  output: string,
): Promise<() => Promise<readonly string[]>> => {
  const only = paths.flatMap((path) => ["-P", path]);
  const child = attach(pid, ["-y", "-s", "0", "-o", output, ...only, "-e", `trace=${calls}`]);
  let said = "";
  child.stderr.on("data", (text) => {
    said += text;
  });
  const ended = await attached(child, () => said);
  return async () => {
    child.kill("SIGINT");
    await ended();
    return readFileSync(output, "utf8").split("\n").filter(Boolean);
  };
};

const attach = (pid: number, options: readonly string[]): ChildProcessWithoutNullStreams => {
  if (!existsSync(program) && !installOnDebian("strace")) {
    throw new Error("the test needs strace: apt-get install strace");
  }
  return spawn(program, ["-f", ...options, "-p", `${pid}`]);
};

/** Resolves, once it watches, to what waits for its end. */
const attached = async (
  child: ChildProcessWithoutNullStreams,
  said: () => string,
): Promise<() => Promise<unknown>> => {
  const ended = once(child, "close");
  while (!said().includes("attached")) {
    const next = await Promise.race([once(child.stderr, "data"), ended.then(() => "ended")]);
    if (next === "ended") throw new Error(`strace ended: ${said()}`);
  }
  return () => ended;
};

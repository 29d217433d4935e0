/** Makes system calls of a running process fail, by strace. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
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
  if (!existsSync(program) && !installOnDebian("strace")) {
    throw new Error("the test needs strace: apt-get install strace");
  }
  const { pid, path, calls, outcome, when } = injection;
  const names = calls.join(",");
  const rule = `inject=${names}:${outcome}:when=${when}`;
  const child = spawn(program, [
    "-f",
    "-P",
    path,
    "-e",
    `trace=${names}`,
    "-e",
    rule,
    "-p",
    `${pid}`,
  ]);
  let said = "";
  const ended = once(child, "close");
  child.stderr.on("data", (text) => {
    said += text;
  });
  while (!said.includes("attached")) {
    const next = await Promise.race([once(child.stderr, "data"), ended.then(() => "ended")]);
    if (next === "ended") throw new Error(`strace ended: ${said}`);
  }
  return {
    failed: () => said.match(/\(INJECTED\)/g)?.length ?? 0,
    async stop() {
      child.kill("SIGINT");
      await ended;
    },
  };
};

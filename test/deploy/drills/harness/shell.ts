/** Runs the commands of the runbook as an operator does: with bash, in a directory, and with `vitrine` on the PATH. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { packageRoot } from "../../../../src/package-info.ts";

export interface Shell {
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface ShellRun {
  readonly code: number | null;
  /** Standard output and standard error, as a terminal shows them. */
  readonly output: string;
}

/** Commands that run until they are stopped. */
export interface Started {
  output(): string;
  /** Sends a signal to all processes of the commands. */
  signal(signal: NodeJS.Signals): void;
  /** Sends SIGTERM, and waits for the end. */
  stop(): Promise<ShellRun>;
  readonly ended: Promise<ShellRun>;
}

/** Creates a directory with the program `vitrine`, as it is built. @returns the PATH with it */
export const pathWithVitrine = (directory: string): string => {
  const programs = join(directory, "bin");
  mkdirSync(programs);
  const file = join(programs, "vitrine");
  const main = join(packageRoot, "dist", "src", "main.js");
  writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
  chmodSync(file, 0o755);
  return [programs, process.env.PATH ?? "", "/usr/sbin"].join(delimiter);
};

export const startCommands = (commands: string, { directory, env }: Shell): Started => {
  const child = spawn("bash", ["-e", "-c", `exec 2>&1\n${commands}`], {
    cwd: directory,
    env,
    stdio: ["ignore", "pipe", "inherit"],
    // The shell leads a group, so that a signal reaches all its commands.
    detached: true,
  });
  let isEnded = false;
  const send = (signal: NodeJS.Signals): void => {
    // Another group may have the number of one that has ended.
    if (!isEnded && child.pid !== undefined) process.kill(-child.pid, signal);
  };
  const kill = (): void => send("SIGKILL");
  process.on("exit", kill);
  let output = "";
  child.stdout.on("data", (text) => {
    output += text;
  });
  const ended = once(child, "close").then(([code]): ShellRun => {
    isEnded = true;
    process.off("exit", kill);
    return { code, output };
  });
  return {
    output: () => output,
    ended,
    signal: send,
    stop() {
      send("SIGTERM");
      return ended;
    },
  };
};

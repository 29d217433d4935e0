import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../../src/package-info.ts";

/** A server in a process of its own. */
export interface ServerProcess {
  /** Without a path. */
  readonly url: string;
  readonly pid: number;
  /** Seconds of CPU time it used since it began, all threads together. */
  cpuSeconds(): Promise<number>;
  stop(): Promise<void>;
}

/** What a server process tells of itself: its port once it listens, then, at each question, the CPU time it used. */
export type FromServer = { readonly port: number } | { readonly cpu: NodeJS.CpuUsage };

/**
 * Starts a script of this folder, on a core of its own where that can be had: the load comes from another.
 * It ends with this process.
 * @param question sent first, when the script waits for one
 */
export const startServer = async (
  script: string,
  args: readonly string[],
  question?: unknown,
): Promise<ServerProcess> => {
  const child = launch(fileURLToPath(new URL(script, import.meta.url)), args);
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`${script} ended with ${code}`);
  });
  ended.catch(() => undefined);
  const answer = async (message?: unknown): Promise<FromServer> => {
    if (message !== undefined) child.send(message as object);
    const [told] = await Promise.race([once(child, "message"), ended]);
    return told as FromServer;
  };
  const first = await answer(question);
  if (!("port" in first)) throw new Error(`${script} did not say its port`);
  return {
    url: `http://127.0.0.1:${first.port}`,
    pid: child.pid ?? 0,
    async cpuSeconds() {
      const told = await answer("cpu");
      if (!("cpu" in told)) throw new Error(`${script} did not say how much CPU it used`);
      return (told.cpu.user + told.cpu.system) / 1e6;
    },
    async stop() {
      child.kill("SIGKILL");
      await ended.catch(() => undefined);
    },
  };
};

const launch = (file: string, args: readonly string[]): ChildProcess => {
  const command = [...pinning(), process.execPath, "--import", "tsx", file, ...args];
  const child = spawn(command[0] as string, command.slice(1), {
    cwd: packageRoot,
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
};

const children = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

/** The last core: the first one has the interrupts on most machines. */
const pinning = (): readonly string[] => {
  if (availableParallelism() < 2) return [];
  const core = String(availableParallelism() - 1);
  try {
    execFileSync("taskset", ["-c", core, "true"], { stdio: "ignore" });
    return ["taskset", "-c", core];
  } catch {
    return [];
  }
};

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../../src/package-info.ts";
import { temporaryDirectory } from "../helpers/directory.ts";

/** A server in a child process. */
export interface ServerProcess {
  /** Origin, without a path. */
  readonly url: string;
  readonly pid: number;
  /** Seconds of CPU time of all threads since the process started. */
  cpuSeconds(): Promise<number>;
  stop(): Promise<void>;
}

/** A message from a server process: first the port it listens on, then its CPU time for each request. */
export type ServerMessage = { readonly port: number } | { readonly cpu: NodeJS.CpuUsage };

/**
 * Starts a script of this folder on the last core, because the load generator uses the others.
 * The child process is killed when this process exits.
 * @param input sent to scripts that wait for a first message
 */
export const startServer = async (
  script: string,
  args: readonly string[],
  input?: unknown,
): Promise<ServerProcess> => {
  const child = launch(fileURLToPath(new URL(script, import.meta.url)), args);
  const exited = once(child, "exit").then(([code]) => {
    throw new Error(`${script} ended with ${code}`);
  });
  exited.catch(() => undefined);
  const request = async (message?: unknown): Promise<ServerMessage> => {
    if (message !== undefined) child.send(message as object);
    const [reply] = await Promise.race([once(child, "message"), exited]);
    return reply as ServerMessage;
  };
  const first = await request(input);
  if (!("port" in first)) throw new Error(`${script} did not send its port`);
  return {
    url: `http://127.0.0.1:${first.port}`,
    pid: child.pid ?? 0,
    async cpuSeconds() {
      const reply = await request("cpu");
      if (!("cpu" in reply)) throw new Error(`${script} did not send its CPU time`);
      return (reply.cpu.user + reply.cpu.system) / 1e6;
    },
    async stop() {
      child.kill("SIGKILL");
      await exited.catch(() => undefined);
    },
  };
};

export type StartServer = typeof startServer;

/** Runs work with servers in a temporary directory. It stops the servers and removes the directory at the end. */
export const withServers = async <T>(
  work: (start: StartServer, directory: string) => Promise<T>,
): Promise<T> => {
  const directory = temporaryDirectory();
  const running: ServerProcess[] = [];
  const start: StartServer = async (...args) => {
    const server = await startServer(...args);
    running.push(server);
    return server;
  };
  try {
    return await work(start, directory.path);
  } finally {
    for (const server of running) await server.stop();
    directory.remove();
  }
};

const launch = (file: string, args: readonly string[]): ChildProcess => {
  const command = [...pinToLastCore(), process.execPath, "--import", "tsx", file, ...args];
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

/** Command prefix that pins a process to the last core: most machines serve interrupts on the first. */
const pinToLastCore = (): readonly string[] => {
  if (availableParallelism() < 2) return [];
  const core = String(availableParallelism() - 1);
  try {
    execFileSync("taskset", ["-c", core, "true"], { stdio: "ignore" });
    return ["taskset", "-c", core];
  } catch {
    return [];
  }
};

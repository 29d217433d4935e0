import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../../src/package-info.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { findFreePort } from "../helpers/free-port.ts";
import { childPid } from "../helpers/vitrine.ts";

/** A server in a child process. */
export interface ServerProcess {
  /** Origin, without a path. */
  readonly url: string;
  /** The process that answers. */
  readonly pid: number;
  stop(): Promise<void>;
}

/** A script of this folder in a child process. */
export interface ScriptProcess extends ServerProcess {
  /** Resolves with its next message after the first one. */
  nextMessage(): Promise<unknown>;
}

/** The message of a server process: the port that it listens on. */
export interface ServerMessage {
  readonly port: number;
}

/**
 * Starts a script of this folder on the last core, because the load generator uses the others.
 * The child process is killed when this process exits.
 * @param input sent to scripts that wait for a first message
 * @param env variables besides those of this process
 * @param core of a script that is no server
 */
export const startServer = async (
  script: string,
  args: readonly string[],
  input?: unknown,
  env: NodeJS.ProcessEnv = {},
  core = serverCore,
): Promise<ScriptProcess> => {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const child = launch(["--import", "tsx", file, ...args], env, ["ipc"], core);
  const exited = failOnExit(script, child);
  if (input !== undefined) child.send(input as object);
  const [message] = await Promise.race([once(child, "message"), exited]);
  const { port } = message as ServerMessage;
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    nextMessage: () => Promise.race([once(child, "message"), exited]),
    stop: () => stop(child),
  };
};

/** The URL that clients know the service by. */
const baseUrl = "https://agents.shop.example";

/** The secret of the service's tokens. */
export const tokenSecret = "a secret of the bench";

/** The program of every command. */
export const mainFile = join(packageRoot, "dist", "src", "main.js");

/** A service with its ops port; its `pid` is that of the HTTP process. */
export interface VitrineProcess extends ServerProcess {
  readonly opsUrl: string;
  readonly projectorPid: number;
}

export interface ServeOptions {
  /** Program of another build. */
  readonly program?: string;
  /** Flags besides those of every bench. */
  readonly flags?: readonly string[];
}

/** Starts `vitrine serve`, with all its processes, on the last core, and waits until it is ready. */
export const serveModel = async (
  dataDir: string,
  { program = mainFile, flags: more = [] }: ServeOptions = {},
): Promise<VitrineProcess> => {
  const [port, opsPort] = [await findFreePort(), await findFreePort()];
  const ports = ["--port", String(port), "--ops-port", String(opsPort)];
  const flags = ["--base-url", baseUrl, "--rate-limit", "1000000000", "--registration", "closed"];
  const args = ["serve", "--data-dir", dataDir, ...ports, ...flags, ...more];
  const child = launch([program, ...args], { LOG_LEVEL: "warn", TOKEN_SECRET: tokenSecret });
  const exited = failOnExit("vitrine serve", child);
  const opsUrl = `http://127.0.0.1:${opsPort}`;
  await Promise.race([untilReady(`${opsUrl}/readyz`, '"live"'), exited]);
  return {
    url: `http://127.0.0.1:${port}`,
    opsUrl,
    pid: await childPid({ child }, "vitrine http-1"),
    projectorPid: await childPid({ child }, "vitrine projector"),
    stop: () => stop(child, "SIGTERM"),
  };
};

/** A gateway with its ops port. */
export interface GatewayProcess extends ServerProcess {
  readonly opsUrl: string;
}

/**
 * Starts `vitrine gateway` on the last core and waits until it is ready.
 * @param connections file of connections
 */
export const startGateway = async (
  dataDir: string,
  connections: string,
  env: NodeJS.ProcessEnv,
): Promise<GatewayProcess> => {
  const [port, opsPort] = [await findFreePort(), await findFreePort()];
  const ports = ["--gateway-port", String(port), "--gateway-ops-port", String(opsPort)];
  const flags = ["--data-dir", dataDir, "--connections", connections, "--events", "journal:"];
  const child = launch([mainFile, "gateway", ...flags, ...ports], { LOG_LEVEL: "error", ...env });
  const exited = failOnExit("vitrine gateway", child);
  const opsUrl = `http://127.0.0.1:${opsPort}`;
  await Promise.race([untilReady(`${opsUrl}/readyz`, '"ready":true'), exited]);
  const url = `http://127.0.0.1:${port}`;
  return { url, opsUrl, pid: child.pid ?? 0, stop: () => stop(child, "SIGTERM") };
};

const untilReady = async (url: string, sign: string): Promise<void> => {
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.status === 200 && (await response.text()).includes(sign)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** Rejects when a process ends that nobody stopped. */
const failOnExit = (name: string, child: ChildProcess): Promise<never> => {
  const exited = once(child, "exit").then(([code]) => {
    throw new Error(`${name} ended with ${code}`);
  });
  exited.catch(() => undefined);
  return exited;
};

const stop = async (child: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
};

export type StartServer = typeof startServer;
export type ServeModel = typeof serveModel;
export type StartGateway = typeof startGateway;

type WorkWithServers<T> = (
  start: StartServer,
  directory: string,
  serve: ServeModel,
  gateway: StartGateway,
) => Promise<T>;

/** Runs work with servers in a temporary directory. It stops the servers and removes the directory at the end. */
export const withServers = async <T>(work: WorkWithServers<T>): Promise<T> => {
  const directory = temporaryDirectory();
  const running: ServerProcess[] = [];
  const keep = async <S extends ServerProcess>(starting: Promise<S>): Promise<S> => {
    const server = await starting;
    running.push(server);
    return server;
  };
  try {
    return await work(
      (...args) => keep(startServer(...args)),
      directory.path,
      (...args) => keep(serveModel(...args)),
      (...args) => keep(startGateway(...args)),
    );
  } finally {
    for (const server of running) await server.stop();
    directory.remove();
  }
};

const launch = (
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  channel: readonly "ipc"[] = [],
  core = serverCore,
): ChildProcess => {
  const [command = "", ...rest] = [...pinTo(core), process.execPath, ...args];
  const child = spawn(command, rest, {
    cwd: packageRoot,
    env: { ...process.env, NODE_ENV: "production", ...env },
    stdio: ["ignore", "ignore", "inherit", ...channel],
  });
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
};

const children = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

/** The core of the servers: most machines serve interrupts on the first. */
export const serverCore = availableParallelism() - 1;

/** The core of the load generator. */
export const clientCore = 0;

/** Command prefix that pins a process to a core. */
export const pinTo = (core: number): readonly string[] => {
  if (availableParallelism() < 2) return [];
  try {
    execFileSync("taskset", ["-c", String(core), "true"], { stdio: "ignore" });
    return ["taskset", "-c", String(core)];
  } catch {
    return [];
  }
};

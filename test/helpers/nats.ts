import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { type ConnectionOptions, connect, type JetStreamManager } from "nats";
import { installOnDebian, isExecutable } from "./debian.ts";
import { temporaryDirectory } from "./directory.ts";
import { findFreePort } from "./free-port.ts";

/** A real nats-server with JetStream on loopback, with a store directory of its own. */
export interface NatsServer {
  readonly url: string;
  readonly port: number;
  /** Directory of its streams. */
  readonly store: string;
  /** Newest lines of its log, the newest last. */
  log(): readonly string[];
  /** SIGKILL: simulates a crash. */
  kill(): Promise<void>;
  /** Starts the server again after `kill` or `stop`, with the same port and store. */
  start(): Promise<void>;
  /** SIGSTOP: connections stay open, but the server answers nothing. */
  pause(): void;
  /** SIGCONT */
  resume(): void;
  /** Stops the server and keeps its store for `start`. */
  stop(): Promise<void>;
  /** Stops the server and removes its directory. */
  remove(): Promise<void>;
}

/**
 * @param config further lines of the nats-server configuration, such as users or TLS
 * @param store store directory that another server left behind; by default a new one
 */
export async function startNats(config = "", store?: string): Promise<NatsServer> {
  const server = await prepareNats(config, store);
  await server.start();
  return server;
}

/** Like `startNats`, but does not start the server: its address is known and refuses connections. */
export async function prepareNats(
  config = "",
  store?: string,
  program = natsProgram(),
): Promise<NatsServer> {
  const port = await findFreePort();
  const directory = temporaryDirectory();
  const storeDir = store ?? join(directory.path, "store");
  const file = join(directory.path, "nats.conf");
  const settings = `listen: "127.0.0.1:${port}"\njetstream { store_dir: "${storeDir}" }\n${config}\n`;
  writeFileSync(file, settings);
  let child: ChildProcess | undefined;
  const log: string[] = [];
  const end = async (signal: NodeJS.Signals) => {
    const ended = child;
    child = undefined;
    if (ended === undefined || ended.exitCode !== null) return;
    const exit = once(ended, "exit");
    ended.kill("SIGCONT");
    ended.kill(signal);
    await exit;
  };
  const orphaned = () => child?.kill("SIGKILL");
  process.on("exit", orphaned);
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    store: storeDir,
    log: () => log,
    start: async () => {
      child = await launch(program, file, log);
    },
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
    pause: () => child?.kill("SIGSTOP"),
    resume: () => child?.kill("SIGCONT"),
    remove: async () => {
      await end("SIGKILL");
      process.off("exit", orphaned);
      directory.remove();
    },
  };
}

/** Deletes, purges and recreates streams while Vitrine uses them, as an operator may. */
export interface NatsOperator extends JetStreamManager {
  disconnect(): Promise<void>;
}

export async function natsOperator(
  url: string,
  options: ConnectionOptions = {},
): Promise<NatsOperator> {
  const connection = await connect({ servers: url, ...options });
  const jetStream = await connection.jetstreamManager();
  return Object.assign(jetStream, { disconnect: () => connection.close() });
}

/** Copies the store of a server, which is stopped for it and started again. */
export async function copyStore(server: NatsServer): Promise<string> {
  await server.stop();
  const copy = `${server.store}-copy`;
  cpSync(server.store, copy, { recursive: true });
  await server.start();
  return copy;
}

/** Replaces the store of a server by a copy; the server is stopped then. */
export async function restoreStore(server: NatsServer, copy: string): Promise<void> {
  await server.kill();
  rmSync(server.store, { recursive: true });
  cpSync(copy, server.store, { recursive: true });
}

/** Edits a stream between two starts of its broker: nats-server 2.9 then reports another creation time. */
export async function editBetweenStarts(nats: NatsServer, name = "SHOP"): Promise<void> {
  await nats.stop();
  await nats.start();
  const operator = await natsOperator(nats.url);
  const { config } = await operator.streams.info(name);
  await operator.streams.update(name, { ...config, max_bytes: 1_000_000_000 });
  await operator.disconnect();
  await nats.stop();
  await nats.start();
}

/**
 * Finds nats-server on the PATH or in /usr/sbin, or installs it on Debian as root.
 * @throws an error whose one line says how to install it
 */
export function natsProgram(): string {
  const found = findNats() ?? (installOnDebian("nats-server") ? findNats() : undefined);
  if (found !== undefined) return found;
  throw new Error(
    "the tests need nats-server: `apt-get install nats-server`, `brew install nats-server`, or https://github.com/nats-io/nats-server/releases, on the PATH",
  );
}

export const findNats = (): string | undefined =>
  [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/bin"]
    .filter((directory) => directory !== "")
    .map((directory) => join(directory, "nats-server"))
    .find(isExecutable);

const maxLogLines = 40;

/** Resolves when the server reports that it is ready; rejects with its output when it exits before. */
async function launch(program: string, file: string, log: string[]): Promise<ChildProcess> {
  const child = spawn(program, ["-c", file], { stdio: ["ignore", "ignore", "pipe"] });
  const lines = createInterface({ input: child.stderr });
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`nats-server ended:\n${log.join("\n")}`)));
    lines.on("line", (line) => {
      log.push(line);
      if (log.length > maxLogLines) log.shift();
      if (line.includes("Server is ready")) resolve();
    });
  });
  child.removeAllListeners("exit");
  return child;
}

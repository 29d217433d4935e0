import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** A server of another project that a test started. */
export interface Daemon {
  readonly pid: number;
  /** Everything it has written so far. */
  output(): string;
  signal(signal: NodeJS.Signals): void;
  /** Stops it and waits for its exit. */
  stop(): Promise<void>;
}

export interface DaemonOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/**
 * Starts a server and waits until it accepts connections on a loopback port. It is killed at the latest when this process exits.
 * @throws an Error with its output when it ends before
 */
export const startDaemon = async (
  program: string,
  args: readonly string[],
  port: number,
  { env = {}, cwd }: DaemonOptions = {},
): Promise<Daemon> => {
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    ...(cwd !== undefined && { cwd }),
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text) => {
      output += text;
    });
  }
  const ended = once(child, "close");
  const kill = () => void child.kill("SIGKILL");
  process.on("exit", kill);
  void ended.then(() => process.off("exit", kill));
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended:\n${output}`);
    await delay(20);
  }
  return {
    pid: Number(child.pid),
    output: () => output,
    signal: (signal) => void child.kill(signal),
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
};

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });

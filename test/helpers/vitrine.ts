/** Runs the real program as its users do: as processes, on free ports, in temporary directories. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { packageRoot } from "../../src/package-info.ts";
import { temporaryDirectory } from "./directory.ts";

/** `test/run.ts` builds first and sets this; a single test runs the source with tsx. */
export const isBuilt = process.env.VITRINE_TEST_BUILT === "1";

/** Arguments of `node` before any command. */
export const program = isBuilt
  ? [join(packageRoot, "dist", "src", "main.js")]
  : ["--import", "tsx", join(packageRoot, "src", "main.ts")];

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input. */
  readonly input?: string;
  /** Arguments of `node` before any command, to run another copy of the program than the one of this checkout. */
  readonly program?: readonly string[];
  /** Working directory, the one of the package by default. */
  readonly cwd?: string;
}

/** A running command. */
export interface Running {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves when standard output matches; rejects with the output when the program exits before. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves when the program has exited. */
  readonly ended: Promise<Run>;
}

/** Environment of every command, before that of the test. */
export const commandEnv = { LOG_LEVEL: "warn", RATE_LIMIT: "1000000" };

/** Names the compiled code that `test/run.ts` keeps, which saves a fifth of the processor time of a start. */
export const compileCache: Readonly<Record<string, string>> =
  process.env.NODE_COMPILE_CACHE === undefined
    ? {}
    : { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };

/** Starts the program. It is killed at the latest when the process of the test exits. */
export function start(args: readonly string[], options: RunOptions = {}): Running {
  const { env, input, cwd = packageRoot } = options;
  const child = spawn(process.execPath, [...(options.program ?? program), ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...compileCache, ...commandEnv, ...env },
  });
  const kill = () => void child.kill("SIGKILL");
  process.setMaxListeners(100);
  process.on("exit", kill);
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (text) => {
    output.stdout += text;
  });
  child.stderr.on("data", (text) => {
    output.stderr += text;
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input ?? "");
  const ended = once(child, "close").then(([code]): Run => {
    process.off("exit", kill);
    mustKeepSecrets(output.stderr, env);
    return { code, ...output };
  });
  return {
    child,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    ended,
    async says(pattern) {
      for (;;) {
        const found = pattern.exec(output.stdout);
        if (found) return found;
        const stopped = await Promise.race([once(child.stdout, "data"), ended]);
        if ("code" in stopped && !pattern.test(output.stdout)) {
          throw new Error(`ended with ${stopped.code}:\n${output.stdout}${output.stderr}`);
        }
      }
    },
  };
}

/** Fails every test whose program logs a token or the secret that tokens are signed with. */
export const mustKeepSecrets = (
  log: string,
  { TOKEN_SECRET: secret }: RunOptions["env"] & {} = {},
): void => {
  const secretInLog =
    /vit_[\w-]{8,}\.[\w-]{20,}/.exec(log)?.[0] ?? (secret && log.includes(secret) && secret);
  if (secretInLog) throw new Error(`the log contains a secret: ${secretInLog}`);
};

/** Runs a command to its end. */
export const run = (args: readonly string[], options?: RunOptions): Promise<Run> =>
  start(args, options).ended;

/** A `serve` that accepts requests. */
export interface RunningVitrine extends Running {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly opsUrl: string;
  readonly dataDir: string;
  /** Resolves when the service is ready; rejects after `seconds`, 60 by default. */
  ready(seconds?: number): Promise<void>;
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<Run>;
  /** Sends `POST /graphql`; `T` is the expected type of `data`. */
  graphql<T>(query: string): Promise<{ readonly status: number; readonly data: T }>;
  /** Sends `GET` on the ops port, as the console does. */
  ops(path: string): Promise<{ readonly status: number; readonly text: string }>;
}

/** Starts `serve` on free ports, in a new data directory unless one is given. */
export async function startVitrine(
  args: readonly string[] = [],
  {
    dataDir = join(temporaryDirectory().path, "data"),
    ...options
  }: RunOptions & { dataDir?: string } = {},
): Promise<RunningVitrine> {
  const ports = ["--port", "0", "--ops-port", "0", "--data-dir", dataDir];
  const running = start(["serve", ...ports, ...args], options);
  const [, url = ""] = await running.says(/answers on (http:\S+)/);
  const [, opsUrl = ""] = await running.says(/Ops +(http:\/\/[^/\s]+)/);
  return { ...running, url, opsUrl, dataDir, ...questions(url, opsUrl), stop: () => stop(running) };
}

export const stop = (running: Running): Promise<Run> => {
  running.child.kill("SIGTERM");
  return running.ended;
};

const questions = (url: string, opsUrl: string) => {
  const ops = async (path: string) => {
    const response = await fetch(`${opsUrl}${path}`, {
      headers: { "vitrine-console": "1" },
      signal: AbortSignal.timeout(10_000),
    });
    return { status: response.status, text: await response.text() };
  };
  return {
    ops,
    async ready(seconds?: number) {
      await until(
        () => ops("/readyz"),
        ({ status }) => status === 200,
        seconds,
      );
    },
    async graphql<T>(query: string) {
      const response = await fetch(`${url}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json", connection: "close" },
        body: JSON.stringify({ query }),
        signal: AbortSignal.timeout(10_000),
      });
      const { data } = (await response.json()) as { data: T };
      return { status: response.status, data };
    },
  };
};

/** Milliseconds between two reads of `until`: short at first, then long enough not to take the processor from the service. */
const intervalMs = { first: 20, growth: 1.2 };

/**
 * Reads again until the answer is as expected; an exception counts as no answer.
 * @param maxIntervalMs maximum time between two reads; a state that lasts shorter may be missed
 * @param seconds limit that the test asserts; the default only ends a test that fails, on a machine however busy
 */
export async function until<T>(
  read: () => Promise<T>,
  isExpected: (answer: T) => boolean,
  seconds = 60,
  maxIntervalMs = 100,
): Promise<T> {
  const end = performance.now() + seconds * 1000;
  let waitMs = intervalMs.first;
  for (let last: unknown; ; await delay(waitMs)) {
    waitMs = Math.min(maxIntervalMs, waitMs * intervalMs.growth);
    try {
      const answer = await read();
      if (isExpected(answer)) return answer;
      last = answer;
    } catch (error) {
      last = error;
    }
    if (performance.now() > end) {
      const shown = last instanceof Error ? last.message : JSON.stringify(last);
      throw new Error(`still not so after ${seconds} s: ${shown}`);
    }
  }
}

/**
 * Lists the child processes of a process: title and id of each. Reads `/proc`, because tests call it repeatedly, and a process such as
 * `ps` costs a hundred times as much.
 */
export async function childProcessesOf(
  pid: number,
): Promise<readonly (readonly [title: string, pid: number])[]> {
  const ids = (await readProc(`${pid}/task/${pid}/children`))?.split(" ").filter(Boolean) ?? [];
  const rows = await Promise.all(
    ids.map(async (id) => {
      const title = await readProc(`${id}/cmdline`);
      return title === undefined ? undefined : ([nameIn(title), Number(id)] as const);
    }),
  );
  return rows.filter((row) => row !== undefined);
}

/** Joins the arguments of a command line, which ends each with a zero byte. */
const nameIn = (commandLine: string): string =>
  commandLine
    .split(/[\s\0]+/)
    .join(" ")
    .trim();

/** @returns undefined when the process is gone */
const readProc = (path: string): Promise<string | undefined> =>
  readFile(join("/proc", path), "utf8").catch(() => undefined);

/** Lists the ids of the direct children of a process by their titles. */
export const childrenOf = async (pid: number): Promise<ReadonlyMap<string, number>> =>
  new Map(await childProcessesOf(pid));

/**
 * Waits for a child process of a service: the projector has its title a moment after the service is ready. An id of 0 would name
 * the test's own process group.
 * @param title such as `vitrine projector`
 */
export const childPid = ({ child }: Pick<Running, "child">, title: string): Promise<number> =>
  until(
    async () => (await childrenOf(Number(child.pid))).get(title) ?? 0,
    (pid) => pid > 0,
  );

/** Formats events as NDJSON. */
export const ndjson = (events: readonly unknown[]): string =>
  events.map((event) => `${typeof event === "string" ? event : JSON.stringify(event)}\n`).join("");

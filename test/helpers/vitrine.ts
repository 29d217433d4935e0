/** Runs the real program as its users do: as processes, on free ports, in temporary directories. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { packageRoot } from "../../src/package-info.ts";
import { temporaryDirectory } from "./directory.ts";

/** `test/run.ts` builds first and says so; a single test runs the source as it is. */
export const isBuilt = process.env.VITRINE_TEST_BUILT === "1";

/** What node is to run, before any command. */
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
}

/** A command that is running. */
export interface Running {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves once standard output matches; rejects when the program ends before, with what it said. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves when the program has ended. */
  readonly ended: Promise<Run>;
}

/** Starts the program. What a test forgets to end goes when the test's process does. */
export function start(args: readonly string[], { env, input }: RunOptions = {}): Running {
  const child = spawn(process.execPath, [...program, ...args], {
    cwd: packageRoot,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      LOG_LEVEL: "warn",
      RATE_LIMIT: "1000000",
      ...env,
    },
  });
  const kill = () => void child.kill("SIGKILL");
  process.setMaxListeners(100);
  process.on("exit", kill);
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (text) => {
    said.stdout += text;
  });
  child.stderr.on("data", (text) => {
    said.stderr += text;
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input ?? "");
  const ended = once(child, "close").then(([code]): Run => {
    process.off("exit", kill);
    mustKeepSecrets(said.stderr, env);
    return { code, ...said };
  });
  return {
    child,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    ended,
    async says(pattern) {
      for (;;) {
        const found = pattern.exec(said.stdout);
        if (found) return found;
        const stopped = await Promise.race([once(child.stdout, "data"), ended]);
        if ("code" in stopped && !pattern.test(said.stdout)) {
          throw new Error(`ended with ${stopped.code}:\n${said.stdout}${said.stderr}`);
        }
      }
    },
  };
}

/** Whatever a test is about: a log that tells a token, or the secret they are signed with, fails it. */
const mustKeepSecrets = (
  log: string,
  { TOKEN_SECRET: secret }: RunOptions["env"] & {} = {},
): void => {
  const told =
    /vit_[\w-]{8,}\.[\w-]{20,}/.exec(log)?.[0] ?? (secret && log.includes(secret) && secret);
  if (told) throw new Error(`the log tells a secret: ${told}`);
};

/** Runs a command to its end. */
export const run = (args: readonly string[], options?: RunOptions): Promise<Run> =>
  start(args, options).ended;

/** A service that answers. */
export interface Service extends Running {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly opsUrl: string;
  readonly dataDir: string;
  /** SIGTERM, and how it ended. */
  stop(): Promise<Run>;
  /** `POST /graphql`; `data` is what the query asks for. */
  graphql<T>(query: string): Promise<{ readonly status: number; readonly data: T }>;
  /** `GET` on the ops port. */
  ops(path: string): Promise<{ readonly status: number; readonly text: string }>;
}

/** Starts `serve` on free ports, in a new data directory unless one is named. */
export async function startService(
  args: readonly string[] = [],
  {
    dataDir = join(temporaryDirectory().path, "data"),
    ...options
  }: RunOptions & { dataDir?: string } = {},
): Promise<Service> {
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

const questions = (url: string, opsUrl: string) => ({
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
  async ops(path: string) {
    const response = await fetch(`${opsUrl}${path}`, { signal: AbortSignal.timeout(10_000) });
    return { status: response.status, text: await response.text() };
  },
});

/** Asks again and again until the answer will do; what was thrown counts as no answer. */
export async function until<T>(
  ask: () => Promise<T>,
  will: (answer: T) => boolean,
  seconds = 15,
): Promise<T> {
  const end = performance.now() + seconds * 1000;
  for (let last: unknown; ; await delay(25)) {
    try {
      const answer = await ask();
      if (will(answer)) return answer;
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

/** The processes a process has started: each one's title and id. */
export async function childProcessesOf(
  pid: number,
): Promise<readonly (readonly [title: string, pid: number])[]> {
  const ps = spawn("ps", ["-o", "pid=,args=", "--ppid", String(pid)]);
  let text = "";
  ps.stdout.on("data", (chunk) => {
    text += chunk;
  });
  await once(ps, "close");
  const rows = text.trim().split("\n").filter(Boolean);
  return rows.map((row) => {
    const [id = "", ...title] = row.trim().split(/\s+/);
    return [title.join(" "), Number(id)];
  });
}

/** Process ids of the direct children of a process, by the title each gave itself. */
export const childrenOf = async (pid: number): Promise<ReadonlyMap<string, number>> =>
  new Map(await childProcessesOf(pid));

/** Lines of an event file. */
export const ndjson = (events: readonly unknown[]): string =>
  events.map((event) => `${typeof event === "string" ? event : JSON.stringify(event)}\n`).join("");

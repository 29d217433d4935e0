import { execFile } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { debianProgram, libraryVariables } from "../helpers/debian-programs.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import type { Exchange, SentRequest } from "./exchanges.ts";
import type { Sample } from "./figures.ts";
import { clientCore, pinTo, type ServerProcess, serverCore } from "./server-process.ts";

/** Enough to keep a server of one core busy. */
export const connections = 32;

/** Sends each request once. @throws when a response is an error */
export const sendEach = async (
  url: string,
  requests: readonly SentRequest[],
): Promise<readonly Exchange[]> => {
  const exchanges: Exchange[] = [];
  for (const request of requests) exchanges.push(await sendRequest(url, request));
  return exchanges;
};

/** Headers that a Node server writes itself. */
const nodeHeaders = new Set([
  "date",
  "connection",
  "keep-alive",
  "content-length",
  "transfer-encoding",
]);

export const sendRequest = async (
  url: string,
  request: SentRequest,
): Promise<Exchange & { etag: string }> => {
  const { method, path, headers, body = null } = request;
  // Peers repeat the recorded bytes, and `fetch` would decompress them.
  const uncompressed = { ...headers, "accept-encoding": "identity" };
  const response = await fetch(url + path, { method, headers: uncompressed, body });
  const { status } = response;
  const text = await response.text();
  if (status >= 400) throw new Error(`${url}${path} answered ${status}: ${text}`);
  const appHeaders = Object.fromEntries(
    [...response.headers].filter(([name]) => !nodeHeaders.has(name)),
  );
  return { request, status, headers: appHeaders, body: text, etag: appHeaders.etag ?? "" };
};

/**
 * Measures the requests that a server answers per second of its CPU time, which is the throughput of one core without other work, while
 * wrk keeps it busy. Each call begins with another of the requests.
 */
export const measureRequests = (
  server: ServerProcess,
  requests: readonly SentRequest[],
  seconds: number,
): (() => Promise<LoadSample>) => {
  const file = join(temporaryDirectory().path, "requests");
  writeRequests(file, server.url, requests);
  let start = 0;
  return async () => {
    start += Math.floor(requests.length * 0.381966);
    return measureLoad(server, file, start, seconds);
  };
};

/** Measures requests that are sent once each. @throws when the server answers all of them before the time is over */
export const measureOnce = async (
  server: ServerProcess,
  requests: readonly SentRequest[],
  seconds: number,
): Promise<LoadSample> => {
  const directory = temporaryDirectory();
  try {
    const file = join(directory.path, "requests");
    writeRequests(file, server.url, requests);
    const sample = await measureLoad(server, file, 0, seconds);
    if (sample.answered + connections < requests.length) return sample;
    throw new Error(`${server.url} answered all ${requests.length} requests: generate more`);
  } finally {
    directory.remove();
  }
};

interface LoadSample extends Sample {
  readonly answered: number;
}

/** @param start number of the first request in the file */
const measureLoad = async (
  { url, pid }: ServerProcess,
  file: string,
  start: number,
  seconds: number,
): Promise<LoadSample> => {
  const [cpu, core] = [cpuSecondsOf(pid), readBusySeconds(serverCore)];
  const { answered, microseconds } = await runWrk(url, seconds, [file, String(start)]);
  const spent = cpuSecondsOf(pid) - cpu;
  return {
    answered,
    figure: answered / spent,
    load: {
      perSecond: (answered * 1e6) / microseconds,
      cpuMicros: (spent * 1e6) / answered,
      // Of the time in which the client sends: before, it reads the requests.
      busy: Math.min(1, ((readBusySeconds(serverCore) - core) * 1e6) / microseconds),
    },
  };
};

/** Writes requests as `send-requests.lua` reads them. */
const writeRequests = (file: string, url: string, requests: readonly SentRequest[]): void => {
  const { host } = new URL(url);
  writeFileSync(file, "");
  for (const { method, path, headers, body = "" } of requests) {
    const length = method === "POST" ? { "content-length": Buffer.byteLength(body) } : {};
    const lines = Object.entries({ host, ...headers, ...length }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const bytes = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
    appendFileSync(file, Buffer.concat([Buffer.from(`${bytes.length}\n`), bytes]));
  }
};

/** Counts of `send-requests.lua`. */
interface Counts {
  readonly answered: number;
  readonly microseconds: number;
  readonly failed: number;
}

/** @throws when a response is an error */
const runWrk = async (url: string, seconds: number, args: readonly string[]): Promise<Counts> => {
  const script = fileURLToPath(new URL("send-requests.lua", import.meta.url));
  const options = ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "60s", "-s", script];
  const [command = "", ...rest] = [...pinTo(clientCore), debianProgram("wrk"), ...options, url];
  const env = { ...process.env, ...libraryVariables("wrk") };
  const { stdout } = await promisify(execFile)(command, [...rest, "--", ...args], { env });
  const counts: Counts = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  if (counts.failed > 0) throw new Error(`${counts.failed} requests to ${url} failed`);
  return counts;
};

/** Ticks of the system's clock of processes per second. */
const ticksPerSecond = 100;

/** Reads the CPU seconds of all threads of a process since its start. */
export const cpuSecondsOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
};

/** Reads the seconds in which a core was not idle since the start of the machine. */
const readBusySeconds = (core: number): number => {
  const line = readFileSync("/proc/stat", "utf8")
    .split("\n")
    .find((each) => each.startsWith(`cpu${core} `));
  const [user = 0, nice = 0, system = 0, , , ...interrupts] = (line ?? "")
    .split(/\s+/)
    .slice(1, 9)
    .map(Number);
  return [user, nice, system, ...interrupts].reduce((sum, ticks) => sum + ticks) / ticksPerSecond;
};

import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { debianProgram } from "./debian-programs.ts";
import { temporaryDirectory } from "./directory.ts";
import { findFreePort } from "./free-port.ts";
import { until } from "./vitrine.ts";

/** One series of the answer to an instant query. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  /** Time in seconds, and the number as text. */
  readonly value: readonly [time: number, value: string];
}

/** Rule as `/api/v1/rules` reports it. */
export interface RuleReport {
  readonly name: string;
  /** `unknown` until the first evaluation. */
  readonly health: "unknown" | "ok" | "err";
  readonly lastError?: string;
  readonly alerts: readonly { readonly labels: Series["metric"]; readonly state: string }[];
}

/** A real Prometheus on loopback, with storage of its own. */
export interface Prometheus {
  /** @param laterSeconds evaluates the query that much later than now */
  query(expression: string, laterSeconds?: number): Promise<readonly Series[]>;
  labelValues(label: string, selector: string): Promise<readonly string[]>;
  rules(): Promise<readonly RuleReport[]>;
  stop(): Promise<void>;
}

/** @param configuration in the form of prometheus.yml */
export async function startPrometheus(configuration: object): Promise<Prometheus> {
  const directory = temporaryDirectory();
  const file = join(directory.path, "prometheus.yml");
  writeFileSync(file, JSON.stringify(configuration));
  const address = `127.0.0.1:${await findFreePort()}`;
  const stop = launch([
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(directory.path, "data")}`,
    `--web.listen-address=${address}`,
  ]);
  const url = `http://${address}`;
  await until(
    () => fetch(`${url}/-/ready`),
    ({ ok }) => ok,
  );
  return {
    ...questions(`${url}/api/v1`),
    async stop() {
      await stop();
      directory.remove();
    },
  };
}

/** Starts Prometheus. It is killed at the latest when the process of the test exits. */
const launch = (args: readonly string[]): (() => Promise<void>) => {
  const child = spawn(debianProgram("prometheus"), args, { stdio: "ignore" });
  const ended = once(child, "exit");
  const kill = () => void child.kill("SIGKILL");
  process.on("exit", kill);
  return async () => {
    child.kill("SIGTERM");
    await ended;
    process.off("exit", kill);
  };
};

const questions = (url: string): Omit<Prometheus, "stop"> => ({
  async query(query, laterSeconds = 0) {
    const time = `${Date.now() / 1000 + laterSeconds}`;
    const { result } = await get<{ result: readonly Series[] }>(`${url}/query`, { query, time });
    return result;
  },
  labelValues: (label, selector) => get(`${url}/label/${label}/values`, { "match[]": selector }),
  async rules() {
    const { groups } = await get<{ groups: readonly { rules: readonly RuleReport[] }[] }>(
      `${url}/rules`,
      {},
    );
    return groups.flatMap(({ rules }) => rules);
  },
});

/** @throws when Prometheus answers with an error, which its message names */
const get = async <T>(url: string, parameters: Readonly<Record<string, string>>): Promise<T> => {
  const response = await fetch(`${url}?${new URLSearchParams(parameters)}`);
  const text = await response.text();
  if (!response.ok) throw new Error(`${parameters["query"] ?? url}: ${text}`);
  return JSON.parse(text).data;
};

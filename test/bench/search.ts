import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../../src/package-info.ts";
import type { Comparison, Report } from "./figures.ts";

export interface SearchOptions {
  /** Products of the large catalogue, beside 100,000. */
  readonly products: number;
  readonly tell: Report;
}

/** The newest Node among the packages: it has SQLite with FTS5, which the oldest that is supported has not. */
const newest = join(packageRoot, "node_modules", "node", "bin", "node");

/** Relevance, latency, growth and cost of search, beside the engines a shop would take instead. */
export const benchSearch = async ({
  products,
  tell,
}: SearchOptions): Promise<readonly Comparison[]> => {
  const node = existsSync(newest) ? newest : process.execPath;
  if (node !== newest) tell("SQLite FTS5 is left out: this Node has none");
  const script = fileURLToPath(new URL("search/measure.ts", import.meta.url));
  const args = ["--expose-gc", "--max-old-space-size=8192", "--import", "tsx", script];
  const child = spawn(node, [...args, String(products)], {
    cwd: packageRoot,
    env: { ...process.env, NODE_ENV: "production", NODE_NO_WARNINGS: "1" },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  process.on("exit", () => child.kill("SIGKILL"));
  let comparisons: readonly Comparison[] = [];
  child.on("message", (told) => {
    comparisons = told as readonly Comparison[];
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`the bench of search ended with ${code}`);
  return comparisons;
};

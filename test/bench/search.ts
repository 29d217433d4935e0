import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../../src/package-info.ts";
import type { Comparison, Report } from "./figures.ts";

export interface SearchOptions {
  /** Number of products of the large catalogue, which is compared with 100,000. */
  readonly products: number;
  readonly report: Report;
}

/** The Node of the development dependencies, which has SQLite with FTS5. The oldest supported Node does not. */
const nodeWithSqlite = join(packageRoot, "node_modules", "node", "bin", "node");

/** Compares relevance, latency, growth and cost of search with other engines, in a child process. */
export const benchSearch = async ({
  products,
  report,
}: SearchOptions): Promise<readonly Comparison[]> => {
  const node = existsSync(nodeWithSqlite) ? nodeWithSqlite : process.execPath;
  if (node !== nodeWithSqlite) report("SQLite FTS5 is skipped: this Node does not include it");
  const script = fileURLToPath(new URL("search/measure.ts", import.meta.url));
  const args = ["--expose-gc", "--max-old-space-size=8192", "--import", "tsx", script];
  const child = spawn(node, [...args, String(products)], {
    cwd: packageRoot,
    env: { ...process.env, NODE_ENV: "production", NODE_NO_WARNINGS: "1" },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  process.on("exit", () => child.kill("SIGKILL"));
  let comparisons: readonly Comparison[] = [];
  child.on("message", (message) => {
    comparisons = message as readonly Comparison[];
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`the search benchmark ended with ${code}`);
  return comparisons;
};

/** What the processes of a service hold once their garbage is collected: that only a leak, or a cache, makes grow. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../src/package-info.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { until } from "../helpers/vitrine.ts";

/** Bytes of all processes together. */
export interface Memory {
  /** Objects, and what lies outside the heap for them. */
  readonly held: number;
  /** Had from the system, without pages of files: a growing journal is mapped, and no leak. */
  readonly taken: number;
}

export interface MemoryScale {
  /** What the processes need in their environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Collects the garbage of these processes, and weighs what is left. */
  weigh(pids: readonly number[]): Promise<Memory>;
}

export const openMemoryScale = (): MemoryScale => {
  const { path } = temporaryDirectory();
  const preload = pathToFileURL(join(packageRoot, "test", "torture", "memory.mjs")).href;
  return {
    env: { VITRINE_TEST_MEMORY: path, NODE_OPTIONS: `--import ${preload}` },
    async weigh(pids) {
      const weights = pids.map(async (pid): Promise<Memory> => {
        const file = join(path, String(pid));
        rmSync(file, { force: true });
        process.kill(pid, "SIGUSR2");
        const held = await until(async () => Number(readFileSync(file, "utf8")), Boolean, 60);
        return { held, taken: takenBy(pid) };
      });
      const all = await Promise.all(weights);
      return {
        held: all.reduce((sum, { held }) => sum + held, 0),
        taken: all.reduce((sum, { taken }) => sum + taken, 0),
      };
    },
  };
};

const takenBy = (pid: number): number => {
  const [, kilobytes] =
    /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return 1_024 * Number(kilobytes);
};

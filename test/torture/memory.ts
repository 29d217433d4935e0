/** Memory of the processes of a service after a garbage collection: only a leak or a cache makes it grow. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../src/package-info.ts";
import { temporaryDirectory } from "../helpers/directory.ts";
import { until } from "../helpers/vitrine.ts";

/** Bytes of all processes together. */
export interface Memory {
  /** Objects and their memory outside the heap. */
  readonly held: number;
  /** Anonymous memory, without pages of files: a growing journal is mapped, which is not a leak. */
  readonly taken: number;
}

export interface MemoryScale {
  /** Environment that the processes need. */
  readonly env: Readonly<Record<string, string>>;
  /** Collects garbage in these processes and measures their memory. */
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

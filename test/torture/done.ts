/** Which parts of a long form have passed: a run that was ended goes on with the others. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { packageRoot } from "../../src/root.ts";
import type { Part } from "./plan.ts";

export interface Done {
  has(part: Part): boolean;
  add(part: Part): void;
}

const keyOf = ({ job, seed, count }: Part): string => `${job.name} ${seed} ${count}`;

/** Kept under `data/torture`, a line a part. */
export const doneWith = (seed: number): Done => {
  const file = join(packageRoot, "data", "torture", `${seed}.txt`);
  const known = new Set(existsSync(file) ? readFileSync(file, "utf8").split("\n") : []);
  mkdirSync(dirname(file), { recursive: true });
  return {
    has: (part) => known.has(keyOf(part)),
    add(part) {
      appendFileSync(file, `${keyOf(part)}\n`);
    },
  };
};

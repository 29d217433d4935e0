/** Which parts of a long form have passed, with the very code that is there: a run that was ended goes on with the others. */
import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { packageRoot } from "../../src/package-info.ts";
import type { Part } from "./plan.ts";

export interface Done {
  /** Whether it passed when it ran last. */
  has(part: Part): boolean;
  record(part: Part, isPassed: boolean): void;
}

const keyOf = ({ job, seed, count }: Part): string => `${job.name} ${seed} ${count}`;

/** What decides whether a test passes: the program as it is built, what it reads and is made of, and the tests. */
const code = ["dist", "schema", "deploy/demo", "test", "package-lock.json"];

/** Short, and another one when any file of the code is. */
export const codeOf = (root: string): string => {
  const hash = createHash("sha256");
  for (const path of code.flatMap((each) => filesAt(root, each))) {
    const content = readFileSync(join(root, path));
    hash.update(`${path} ${content.length}\n`).update(content);
  }
  return hash.digest("hex").slice(0, 12);
};

const filesAt = (root: string, path: string): readonly string[] => {
  const whole = join(root, path);
  if (!statSync(whole, { throwIfNoEntry: false })?.isDirectory()) {
    return existsSync(whole) ? [path] : [];
  }
  return readdirSync(whole)
    .sort()
    .flatMap((name) => filesAt(root, join(path, name)));
};

/** Kept under `data/torture`, a file for each seed and code, a line for each part that ended. */
export const doneWith = (seed: number, root = packageRoot): Done => {
  const begunWith = codeOf(root);
  const file = join(root, "data", "torture", `${seed}-${begunWith}.txt`);
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const known = new Map(
    lines.map((line) => [line.replace(/^\w+ /, ""), line.startsWith("passed ")]),
  );
  mkdirSync(dirname(file), { recursive: true });
  return {
    has: (part) => known.get(keyOf(part)) === true,
    record(part, isPassed) {
      // Of code that was changed while it ran nothing is known.
      if (codeOf(root) !== begunWith) return;
      appendFileSync(file, `${isPassed ? "passed" : "failed"} ${keyOf(part)}\n`);
    },
  };
};

/**
 * Records which parts of a long form passed with the current code, so that an interrupted run goes on with
 * the others.
 */
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
  /** Whether the part passed when it last ran. */
  has(part: Part): boolean;
  record(part: Part, isPassed: boolean): void;
}

const keyOf = ({ job, seed, count }: Part): string => `${job.name} ${seed} ${count}`;

/** Inputs that decide whether a test passes: the built program, its data and packages, and the tests. */
const code = ["dist", "schema", "deploy/demo", "test", "package-lock.json"];

/** A short digest of all these files. */
export const codeOf = (root: string): string => {
  const hash = createHash("sha256");
  for (const path of code.flatMap((each) => filesAt(root, each))) {
    const content = readFileSync(join(root, path));
    hash.update(`${path} ${content.length}\n`).update(content);
  }
  return hash.digest("hex").slice(0, 12);
};

const filesAt = (root: string, path: string): readonly string[] => {
  const fullPath = join(root, path);
  if (!statSync(fullPath, { throwIfNoEntry: false })?.isDirectory()) {
    return existsSync(fullPath) ? [path] : [];
  }
  return readdirSync(fullPath)
    .sort()
    .flatMap((name) => filesAt(root, join(path, name)));
};

/** Stored in `data/torture`: a file for each seed and code digest, with a line for each finished part. */
export const doneWith = (seed: number, root = packageRoot): Done => {
  const begunWith = codeOf(root);
  const file = join(root, "data", "torture", `${seed}-${begunWith}.txt`);
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const results = new Map(
    lines.map((line) => [line.replace(/^\w+ /, ""), line.startsWith("passed ")]),
  );
  mkdirSync(dirname(file), { recursive: true });
  return {
    has: (part) => results.get(keyOf(part)) === true,
    record(part, isPassed) {
      // The code changed during the run.
      if (codeOf(root) !== begunWith) return;
      appendFileSync(file, `${isPassed ? "passed" : "failed"} ${keyOf(part)}\n`);
    },
  };
};

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/package-info.ts";

/** Reads every source file of `src`. */
export const readSources = (): readonly string[] =>
  readdirSync(join(packageRoot, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => readFileSync(join(packageRoot, "src", path), "utf8"));

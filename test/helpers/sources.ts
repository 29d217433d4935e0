import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/package-info.ts";

/** The text of every file that Vitrine is built of. */
export const readSources = (): readonly string[] =>
  readdirSync(join(packageRoot, "src"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => readFileSync(join(packageRoot, "src", path), "utf8"));

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { hasMembers, readJson } from "./platform/json-file.ts";

/** The package's own directory, where `schema/` and `deploy/` live. It is found from `src/` and from `dist/src/`. */
export const packageRoot = findUp(dirname(fileURLToPath(import.meta.url)));

/** False when the source runs as it is (`.ts`), true when the build runs. */
const isBuilt = !import.meta.url.endsWith(".ts");

/**
 * Returns the path of a file below `src/`, or of its copy in the build.
 * The build joins the modules of a program, so a module cannot find its neighbours by `import.meta.url`.
 */
export const ownFile = (path: string): string =>
  join(packageRoot, isBuilt ? "dist/src" : "src", path);

/** Returns the path of a module that runs as a process of its own. The build makes one file of each (`deploy/build.mjs`). */
export const ownProgram = (path: string): string => ownFile(`${path}${isBuilt ? ".js" : ".ts"}`);

/** The program's version in package.json. */
export const packageVersion = readPackageVersion(packageRoot);

declare const sourceHash: string | undefined;

/** Identifies the code that runs: the hash of the source that the build writes into it (`deploy/build.mjs`), else the version. */
export const buildId = typeof sourceHash === "string" ? sourceHash : packageVersion;

export function readPackageVersion(directory: string): string {
  const path = join(directory, "package.json");
  const content = readJson(path, (value) => hasMembers(value, { version: "string" }));
  if (!content) throw new Error(`${path} states no version`);
  return content.version;
}

function findUp(directory: string): string {
  if (existsSync(join(directory, "package.json"))) return directory;
  const parent = dirname(directory);
  if (parent === directory) throw new Error("package.json not found above the program");
  return findUp(parent);
}

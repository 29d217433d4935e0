import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The package's own directory, where `schema/` and `deploy/` live. It is found from `src/` and from `dist/src/`. */
export const packageRoot = findUp(dirname(fileURLToPath(import.meta.url)));

/** The program's version in package.json. */
export const packageVersion: string = JSON.parse(
  readFileSync(join(packageRoot, "package.json"), "utf8"),
).version;

function findUp(directory: string): string {
  if (existsSync(join(directory, "package.json"))) return directory;
  const parent = dirname(directory);
  if (parent === directory) throw new Error("package.json not found above the program");
  return findUp(parent);
}

import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../src/package-info.ts";

/** Replacements in a file of the source, each of which must match. */
export type Edits = Readonly<Record<string, readonly (readonly [RegExp, string])[]>>;

/** Builds another version of the program: a copy of the source with edits. @returns its directory, removed when this process exits */
export const buildVersion = (edits: Edits): string => {
  // Outside of /tmp, which the systemd of the tests does not see.
  const directory = mkdtempSync("/dev/shm/vitrine-version-");
  process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
  for (const name of [
    "src",
    "projections",
    "schema",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
  ])
    cpSync(join(packageRoot, name), join(directory, name), { recursive: true });
  mkdirSync(join(directory, "deploy"));
  for (const name of ["build.mjs", "bundle-options.mjs", "licenses.mjs"])
    cpSync(join(packageRoot, "deploy", name), join(directory, "deploy", name));
  symlinkSync(join(packageRoot, "node_modules"), join(directory, "node_modules"));
  for (const [file, replacements] of Object.entries(edits)) {
    const path = join(directory, file);
    const edited = replacements.reduce(
      (text, [pattern, replacement]) => {
        if (!pattern.test(text)) throw new Error(`${file} has nothing like ${pattern}`);
        return text.replace(pattern, replacement);
      },
      readFileSync(path, "utf8"),
    );
    writeFileSync(path, edited);
  }
  execFileSync(process.execPath, ["deploy/build.mjs"], { cwd: directory, stdio: "ignore" });
  // The systemd of the tests mounts the packages there.
  rmSync(join(directory, "node_modules"));
  mkdirSync(join(directory, "node_modules"));
  // The user of the service must read it.
  execFileSync("chmod", ["-R", "a+rX", directory]);
  return directory;
};

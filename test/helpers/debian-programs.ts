import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { packageRoot } from "../../src/package-info.ts";
import { isExecutable, unpackDebian } from "./debian.ts";

/** Programs that the tests take from packages of Debian, each with its package and its path in the package. */
const programs = {
  nginx: ["nginx", "usr/sbin/nginx"],
  caddy: ["caddy", "usr/bin/caddy"],
  prometheus: ["prometheus", "usr/bin/prometheus"],
  promtool: ["prometheus", "usr/bin/promtool"],
} as const;

/** Unpacked packages. `npm ci` removes them. */
const cache = join(packageRoot, "node_modules", ".cache", "debian");

/**
 * Finds a program on the PATH or in /usr/sbin, or unpacks the package of Debian that has it. The package is not installed, because
 * its installation could start a service.
 */
export const debianProgram = (name: keyof typeof programs): string => {
  const [packageName, path] = programs[name];
  const directories = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"];
  const installed = directories.map((directory) => join(directory, name)).find(isExecutable);
  if (installed !== undefined) return installed;
  const unpacked = join(cache, packageName, path);
  if (!isExecutable(unpacked)) unpackOnce(packageName);
  return unpacked;
};

/** Another process may unpack the same package at the same time: the first to rename its directory wins. */
const unpackOnce = (packageName: string): void => {
  mkdirSync(cache, { recursive: true });
  const directory = mkdtempSync(join(cache, "unpacking-"));
  execFileSync("apt-get", ["update"], { stdio: "ignore" });
  unpackDebian(packageName, join(directory, packageName));
  try {
    renameSync(join(directory, packageName), join(cache, packageName));
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "ENOTEMPTY";
    if (!isThere) throw error;
  }
  rmSync(directory, { recursive: true, force: true });
};

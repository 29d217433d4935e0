import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { packageRoot } from "../../src/package-info.ts";
import { aptGet, isExecutable, optionsOfRelease, unpackDebian } from "./debian.ts";

interface DebianProgram {
  readonly packageName: string;
  /** Path in the package. */
  readonly path: string;
  /** Packages of libraries that Debian does not install by itself. */
  readonly libraries?: readonly string[];
  /** Release of Debian; by default that of this machine. */
  readonly release?: string;
}

/** Programs that the tests take from packages of Debian. */
const programs = {
  nginx: { packageName: "nginx", path: "usr/sbin/nginx" },
  caddy: { packageName: "caddy", path: "usr/bin/caddy" },
  prometheus: { packageName: "prometheus", path: "usr/bin/prometheus" },
  promtool: { packageName: "prometheus", path: "usr/bin/promtool" },
  wrk: { packageName: "wrk", path: "usr/bin/wrk", libraries: ["libluajit-5.1-2"] },
  "nats-server": { packageName: "nats-server", path: "usr/sbin/nats-server", release: "trixie" },
} as const satisfies Record<string, DebianProgram>;

/** Unpacked packages. `npm ci` removes them. */
const cache = join(packageRoot, "node_modules", ".cache", "debian");

/**
 * Finds a program on the PATH or in /usr/sbin, or unpacks the package of Debian that has it. The package is not installed, because
 * its installation could start a service.
 */
export const debianProgram = (name: keyof typeof programs): string => {
  const directories = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"];
  const installed = directories.map((directory) => join(directory, name)).find(isExecutable);
  return installed ?? unpackedProgram(name);
};

/** Unpacks the package of Debian that has a program, also where an older version of it is installed. */
export const unpackedProgram = (name: keyof typeof programs): string => {
  const program: DebianProgram = programs[name];
  const unpacked = join(cache, program.packageName, program.path);
  if (!isExecutable(unpacked)) unpackOnce(program);
  return unpacked;
};

/** Returns variables with which an unpacked program finds the libraries of its package. */
export const libraryVariables = (name: keyof typeof programs): NodeJS.ProcessEnv => {
  const directory = join(cache, programs[name].packageName, "usr", "lib");
  if (!existsSync(directory)) return {};
  const paths = readdirSync(directory).map((each) => join(directory, each));
  return { LD_LIBRARY_PATH: paths.join(delimiter) };
};

/** Another process may unpack the same package at the same time: the first to rename its directory wins. */
const unpackOnce = ({ packageName, libraries = [], release }: DebianProgram): void => {
  mkdirSync(cache, { recursive: true });
  const directory = mkdtempSync(join(cache, "unpacking-"));
  const options = release === undefined ? [] : optionsOfRelease(release, directory);
  aptGet([...options, "update"]);
  unpackDebian([packageName, ...libraries], join(directory, packageName), options);
  try {
    renameSync(join(directory, packageName), join(cache, packageName));
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "ENOTEMPTY";
    if (!isThere) throw error;
  }
  rmSync(directory, { recursive: true, force: true });
};

import { execFileSync } from "node:child_process";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/package-info.ts";

/** Test processes that run at a time hold it in turn. apt-get itself fails while another one has the lock of the package lists. */
const aptLock = join(packageRoot, "node_modules", ".apt.lock");

/** Runs apt-get. @throws an Error with what it wrote to stderr */
export const aptGet = (
  args: readonly string[],
  { cwd, env = {} }: { cwd?: string; env?: Readonly<Record<string, string>> } = {},
): void => {
  execFileSync("flock", [aptLock, "apt-get", ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
};

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Installs a Debian package that the tests need.
 * @returns false when this is not Debian, the user is not root, or the installation failed
 */
export function installOnDebian(name: string): boolean {
  if (!existsSync("/etc/debian_version") || process.getuid?.() !== 0) return false;
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  try {
    aptGet(["update"], { env });
    aptGet(["install", "-y", "--no-install-recommends", name], { env });
    return true;
  } catch {
    return false;
  }
}

/**
 * Unpacks Debian packages into a new directory without installing them: installing would start their services.
 * @param options of apt-get
 * @returns the directory
 * @throws when this is not Debian, or a package cannot be loaded
 */
export function unpackDebian(
  names: readonly string[],
  directory: string,
  options: readonly string[] = [],
): string {
  mkdirSync(directory);
  aptGet([...options, "download", ...names], { cwd: directory });
  for (const file of readdirSync(directory)) {
    execFileSync("dpkg-deb", ["-x", file, "."], { cwd: directory });
    rmSync(join(directory, file));
  }
  return directory;
}

/**
 * Builds the options with which apt-get reads another release of Debian, and leaves the settings of this machine as they are.
 * @param directory receives the package lists of that release
 */
export function optionsOfRelease(release: string, directory: string): readonly string[] {
  const sources = join(directory, "sources.list");
  const lists = join(directory, "lists");
  const cache = join(directory, "cache");
  for (const part of [lists, join(cache, "archives")])
    mkdirSync(join(part, "partial"), { recursive: true });
  const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";
  writeFileSync(
    sources,
    `deb [signed-by=${keyring}] http://deb.debian.org/debian ${release} main\n`,
  );
  const settings = {
    "Dir::Etc::sourcelist": sources,
    "Dir::Etc::sourceparts": "-",
    "Dir::State::lists": lists,
    "Dir::Cache": cache,
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
}

import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

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
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const install = ["install", "-y", "--no-install-recommends", name];
  try {
    execFileSync("apt-get", ["update"], { env, stdio: "ignore" });
    execFileSync("apt-get", install, { env, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/**
 * Unpacks a Debian package into a new directory without installing it: installing would start its services.
 * @returns the directory
 * @throws when this is not Debian, or the package cannot be loaded
 */
export function unpackDebian(name: string, directory: string): string {
  mkdirSync(directory);
  execFileSync("apt-get", ["download", name], { cwd: directory, stdio: "ignore" });
  for (const file of readdirSync(directory)) {
    execFileSync("dpkg-deb", ["-x", file, "."], { cwd: directory });
    rmSync(join(directory, file));
  }
  return directory;
}

import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";

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

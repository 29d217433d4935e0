import { execFileSync } from "node:child_process";
import { readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/package-info.ts";
import { checkoutFiles, copyFromCheckout } from "./checkout.ts";
import { temporaryDirectory } from "./directory.ts";
import { networkEnv } from "./network-env.ts";

/**
 * Packs the package as `npm pack` does in a clone that was not built, so that its own scripts build it. The build of the checkout
 * is left alone, because other tests run it.
 * @returns the path of the tarball
 */
export const packPackage = (): string => {
  const clone = temporaryDirectory().path;
  copyFromCheckout(checkoutFiles(), clone);
  symlinkSync(join(packageRoot, "node_modules"), join(clone, "node_modules"));
  const destination = temporaryDirectory().path;
  npm(["pack", "--pack-destination", destination], clone);
  const [tarball = ""] = readdirSync(destination);
  return join(destination, tarball);
};

/** Installs a tarball in an empty directory, as an operator does. The checkout is neither above it nor in the environment. */
export const installTarball = (tarball: string): string => {
  const directory = temporaryDirectory().path;
  npm(["install", "--omit=dev", "--no-audit", "--no-fund", tarball], directory);
  return directory;
};

/** @throws with the output of npm when it fails */
const npm = (args: readonly string[], cwd: string): string => {
  const { PATH, HOME } = process.env;
  const env = { ...networkEnv(), PATH, HOME };
  return execFileSync("npm", args, { cwd, env, encoding: "utf8", stdio: "pipe" });
};

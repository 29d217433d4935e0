import { execFileSync } from "node:child_process";
import { cpSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/package-info.ts";

/** Lists the files that git tracks or would track, so that a change is tested before its commit. */
export const checkoutFiles = (): readonly string[] =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
    cwd: packageRoot,
    encoding: "utf8",
  })
    .split("\0")
    .filter((file) => lstatSync(join(packageRoot, file), { throwIfNoEntry: false })?.isFile());

/** Copies files of the checkout to the same paths in a directory. */
export const copyFromCheckout = (files: readonly string[], directory: string): void => {
  for (const file of files) cpSync(join(packageRoot, file), join(directory, file));
};

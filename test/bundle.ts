/**
 * Bundles the test files with the source they test, because Node and tsx take seconds of a processor to find, transpile and load
 * the hundreds of modules of each file.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { bundleOptions } from "../deploy/bundle-options.mjs";
import { packageRoot } from "../src/package-info.ts";

/** Modules that tests start as a process of their own. */
const programs = [
  "test/event-log/append-many.ts",
  "test/helpers/apply-event.ts",
  "test/helpers/open-and-close.ts",
  "test/helpers/pass-gate.ts",
  "test/helpers/run-as-probe.ts",
  "test/helpers/start-probe.ts",
  "test/helpers/take-lock.ts",
  "test/spec/writing-process.ts",
  // With the newer Node.
  "test/event-log/journal/journal.test.ts",
  "test/projector/batch/batch.test.ts",
  "test/read-model/store/store.test.ts",
];

/** Modules of the tests that are not bundled: tools, and lmdb, which loads a binary of its package. */
const external = (): readonly string[] => {
  const { devDependencies } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"));
  return ["lmdb", ...Object.keys(devDependencies)];
};

/**
 * Bundles test files into a new directory, which is removed when this process exits.
 * @param files relative to the package
 * @returns the directory, in which `test/a.test.ts` is `test/a.test.js`
 */
export const bundleTests = async (files: readonly string[]): Promise<string> => {
  // Below the package, so that modules find their packages.
  mkdirSync(join(packageRoot, "dist"), { recursive: true });
  const directory = mkdtempSync(join(packageRoot, "dist", "tests-"));
  process.on("exit", () => rmSync(directory, { recursive: true, force: true }));
  await build({
    ...bundleOptions,
    absWorkingDir: packageRoot,
    entryPoints: [...new Set([...files, ...programs])],
    outbase: ".",
    outdir: directory,
    logLevel: "warning",
    external: [...external()],
  });
  return directory;
};

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as assert from "uvu/assert";
import { packageRoot } from "../../src/package-info.ts";
import { temporaryDirectory } from "./directory.ts";
import { run } from "./vitrine.ts";

/** How a command fails before one of its changes of a directory. */
export const outcomes = ["killed -9", "EIO"] as const;

const preload = pathToFileURL(join(packageRoot, "test", "helpers", "step.mjs")).href;

/**
 * Runs a command that is killed, or gets an I/O error, before one of its changes of a directory.
 * @param step number of the change, from 1; 0 for no failure
 * @returns its exit code and the changes it made, in order; no changes for a command that was killed
 */
export const atStep = async (
  command: readonly string[],
  directory: string,
  step: number,
  outcome: (typeof outcomes)[number],
): Promise<{ readonly code: number | null; readonly steps: readonly string[] }> => {
  const home = temporaryDirectory();
  const file = join(home.path, "steps");
  const env = {
    NODE_OPTIONS: `--import ${preload}`,
    VITRINE_TEST_DIRECTORY: directory,
    VITRINE_TEST_STEP: String(step),
    VITRINE_TEST_STEPS: file,
    VITRINE_TEST_OUTCOME: outcome,
  };
  const { code, stderr } = await run(command, { env });
  if (step === 0) assert.is(code, 0, stderr);
  const steps = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  home.remove();
  return { code, steps };
};

/** A wall clock that a test sets while the processes of a service run. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageRoot } from "../../src/package-info.ts";
import { temporaryDirectory } from "../helpers/directory.ts";

export interface WallClock {
  /** Environment that the processes need. */
  readonly env: Readonly<Record<string, string>>;
  /** Sets the clock of all processes to this offset in seconds. */
  set(seconds: number): void;
}

export const openWallClock = (): WallClock => {
  const file = join(temporaryDirectory().path, "clock");
  const preload = pathToFileURL(join(packageRoot, "test", "torture", "clock.mjs")).href;
  const set = (seconds: number): void => writeFileSync(file, String(seconds * 1_000));
  set(0);
  return { set, env: { VITRINE_TEST_CLOCK: file, NODE_OPTIONS: `--import ${preload}` } };
};

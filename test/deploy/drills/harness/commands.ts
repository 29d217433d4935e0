/** Runs the blocks of commands of a section. */
import * as assert from "uvu/assert";
import { until } from "../../../helpers/vitrine.ts";
import type { Blocks } from "./blocks.ts";
import type { Installation } from "./installation.ts";
import { type Shell, type Started, startCommands } from "./shell.ts";
import type { Shown } from "./shown.ts";

export interface Commands {
  /** Runs the block of commands that begins with `start`, and compares its output. @returns its output */
  run(start: string, installation: Installation, shown?: Shown): Promise<string>;
  /** Starts the block of commands that begins with `start`, which runs until it is stopped. */
  start(start: string, installation: Installation, shown?: Shown): StartedBlock;
  /** Starts the block, which begins with `vitrine serve`, and waits until the service is ready. */
  startServe(start: string, installation: Installation): Promise<StartedBlock>;
}

export interface StartedBlock extends Started {
  /** Waits for an output. */
  prints(pattern: RegExp): Promise<void>;
  /** Stops the commands and compares their output. */
  finish(): Promise<void>;
}

/**
 * @param observe records the outputs
 * @param background starts commands and stops them at the end of the drill
 */
export const commandsOf = (
  blocks: Blocks,
  observe: (text: string) => void,
  background: (commands: string, shell: Shell) => Started,
): Commands => {
  const start: Commands["start"] = (first, installation, shown = {}) => {
    const block = blocks.take(first);
    const started = background(block.commands, withEnv(installation, shown));
    const { output, stop } = started;
    return {
      ...started,
      prints: (pattern) => untilPrinted(output, pattern),
      async finish() {
        const run = await stop();
        observe(run.output);
        blocks.compare(block, { ...run, code: 0 }, installation, shown);
      },
    };
  };
  return {
    start,
    async run(first, installation, shown = {}) {
      const block = blocks.take(first);
      const run = await startCommands(block.commands, withEnv(installation, shown)).ended;
      observe(run.output);
      blocks.compare(block, run, installation, shown);
      return run.output;
    },
    async startServe(first, installation) {
      const started = start(first, installation, { lines: 1, env: { LOG_LEVEL: "error" } });
      await started.prints(/answers on/);
      await until(
        () => fetch(`http://127.0.0.1:${installation.env.OPS_PORT}/readyz`),
        ({ status }) => status === 200,
      );
      return started;
    },
  };
};

const untilPrinted = async (output: () => string, pattern: RegExp): Promise<void> => {
  const isPrinted = async () => pattern.test(output());
  await until(isPrinted, Boolean).catch(() => assert.match(output(), pattern));
};

const withEnv = ({ directory, env }: Installation, shown: Shown): Shell => ({
  directory,
  env: { ...env, ...shown.env },
});

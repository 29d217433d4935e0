import type { Flags } from "../../config.ts";
import { createLogger } from "../../log.ts";
import type { Swapped } from "../../projector/control/execute.ts";
import { carryOut } from "../control-request.ts";
import type { CommandLine } from "../define-command.ts";
import { openModelDirectory } from "../model-directory.ts";
import { type ControlConfig, controlSettings } from "../shared-options.ts";
import { interruptible } from "../terminal/interruptible.ts";
import { print, printJson } from "../terminal/output.ts";

export const describeRollback = (line: CommandLine): void => {
  line
    .command({
      usage: "rollback",
      tells: "make the previous generation the live one again; done twice, it changes nothing",
      settings: controlSettings,
      examples: ["vitrine rollback"],
    })
    .option("--json", "print JSON", false)
    .action(async (flags: Flags & { json: boolean }) => {
      const config = line.config(flags, controlSettings);
      line.done(await interruptible((signal) => rollback(config, flags, signal)));
    });
};

/**
 * Back to the previous generation, brought up to where the live one stands (contract section 1).
 * @returns exit code
 * @throws VitrineError as `rollback` of the projector: `no_model`, `outdated`, `divergence`, `event_log`
 */
export const rollback = async (
  config: ControlConfig,
  { json }: { readonly json: boolean },
  signal: AbortSignal,
): Promise<number> => {
  openModelDirectory(config);
  const log = createLogger("error", "rollback");
  const swap = (await carryOut({ kind: "rollback" }, { config, log, signal })) as Swapped;
  if (json) printJson(swap);
  else {
    print(`generation ${swap.generation} is live again; ${swap.previous} is the previous one now`);
  }
  return 0;
};

import type { Flags } from "../../config.ts";
import { createLogger } from "../../log.ts";
import type { SwapResult } from "../../projector/control/execute.ts";
import { executeControlRequest } from "../control-request.ts";
import type { CommandLine } from "../define-command.ts";
import { openModelDirectory } from "../model-directory.ts";
import { type ControlConfig, controlSettings } from "../shared-options.ts";
import { interruptible } from "../terminal/interruptible.ts";
import { print, printJson } from "../terminal/output.ts";

export const describeRollback = (line: CommandLine): void => {
  line
    .command({
      usage: "rollback",
      description: "switch back to the previous generation (run twice to undo)",
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
 * Switches back to the previous generation, after it has caught up with the live one (Contract §1).
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
  const swap = (await executeControlRequest(
    { kind: "rollback" },
    { config, log, signal },
  )) as SwapResult;
  if (json) printJson(swap);
  else {
    print(`generation ${swap.generation} is live again; ${swap.previous} is the previous one now`);
  }
  return 0;
};

import { createLogger } from "../../log.ts";
import { json } from "../command-spec.ts";
import { executeControlRequest } from "../control-request.ts";
import { defineCommand, type Report } from "../define-command.ts";
import { openModelDirectory } from "../model-directory.ts";
import { type ControlConfig, controlSettings } from "../shared-options.ts";
import { print } from "../terminal/output.ts";
import { interruptible } from "../terminal/signals.ts";

export const rollbackCommand = defineCommand({
  settings: controlSettings,
  options: { json },
  examples: ["vitrine rollback"],
  run: ({ config }) => interruptible((signal) => rollback(config, signal)),
});

/**
 * Switches back to the previous generation, after it has caught up with the live one (Contract §1).
 * @throws VitrineError as `rollback` of the projector: `no_model`, `outdated`, `divergence`, `event_log`
 */
const rollback = async (config: ControlConfig, signal: AbortSignal): Promise<Report> => {
  openModelDirectory(config);
  const log = createLogger("error", "rollback");
  const swap = await executeControlRequest({ kind: "rollback" }, { config, log, signal });
  return {
    json: swap,
    show: () =>
      print(
        `generation ${swap.generation} is live again; ${swap.previous} is the previous one now`,
      ),
  };
};

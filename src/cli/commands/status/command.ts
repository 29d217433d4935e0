import { flag } from "../../command-spec.ts";
import { defineCommand, type Outcome } from "../../define-command.ts";
import { type ControlConfig, controlSettings } from "../../shared-options.ts";
import { runUntilShutdown } from "../../terminal/signals.ts";
import { createLogInfoReader } from "./log-info.ts";
import { createModelInfoReader } from "./model-info.ts";
import { readStatus, type Status } from "./status.ts";
import { showStatus } from "./view.ts";
import { watchStatus } from "./watch.ts";

export const statusCommand = defineCommand({
  settings: controlSettings,
  options: {
    watch: flag("refresh every second"),
    json: flag("print JSON; with --watch, one object a line"),
  },
  examples: ["vitrine status --json", "vitrine status --watch"],
  run: ({ config, options }) => printStatus(config, options),
});

interface StatusOptions {
  readonly json: boolean;
  readonly watch: boolean;
}

/** The exit code is 5 when no event is applied any more, 4 when the event log is unreachable. */
const printStatus = async (
  config: ControlConfig,
  { json, watch }: StatusOptions,
): Promise<Outcome> => {
  const [model, log] = [createModelInfoReader(), createLogInfoReader(config)];
  const read = () => readStatus(config, model, log, Date.now());
  try {
    if (watch) return await runUntilShutdown((signal) => watchStatus(read, json, signal));
    const current = await read();
    return {
      json: current,
      show: () => showStatus(current, Date.now()),
      exitCode: exitCodeFor(current),
    };
  } finally {
    await log.close();
  }
};

const exitCodeFor = ({ state, log }: Status): number => {
  if (state === "diverged" || state === "faulted") return 5;
  return log.reachable ? 0 : 4;
};

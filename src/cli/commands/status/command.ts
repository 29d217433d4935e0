import { closeAfter, sleep } from "../../../platform/async.ts";
import { escapeBreaks } from "../../../platform/escape-control.ts";
import { flag, type OptionValues } from "../../command-spec.ts";
import { defineCommand, type Outcome } from "../../define-command.ts";
import { type ControlConfig, controlSettings } from "../../shared-options.ts";
import { isInteractive, print, printJson, toTerminal } from "../../terminal/output.ts";
import { runUntilShutdown } from "../../terminal/signals.ts";
import { createLogInfoReader } from "./log-info.ts";
import { createModelInfoReader } from "./model-info.ts";
import { readStatus, type Status } from "./status.ts";
import { showStatus, statusLine, statusLines } from "./view.ts";

const options = {
  watch: flag("refresh every second"),
  json: flag("print JSON; with --watch, one object a line"),
};

export const statusCommand = defineCommand({
  settings: controlSettings,
  options,
  examples: ["vitrine status --json", "vitrine status --watch"],
  run: ({ config, options }) => printStatus(config, options),
});

/** The exit code is 5 when no event is applied any more, 4 when the event log is unreachable. */
const printStatus = (
  config: ControlConfig,
  { json, watch }: OptionValues<typeof options>,
): Promise<Outcome> => {
  const model = createModelInfoReader();
  return closeAfter(createLogInfoReader(config), async (log) => {
    const read = () => readStatus(config, model, log, Date.now());
    if (watch) return runUntilShutdown((signal) => watchStatus(read, json, signal));
    const current = await read();
    return {
      json: current,
      show: () => showStatus(current, Date.now()),
      exitCode: exitCodeFor(current),
    };
  });
};

const exitCodeFor = ({ state, log }: Status): number => {
  if (state === "diverged" || state === "faulted") return 5;
  return log.reachable ? 0 : 4;
};

const intervalMs = 1_000;

/**
 * Prints a status every second until the signal aborts.
 * A terminal is redrawn in place; JSON is one object a line; other output gets a line at each change.
 * @returns exit code
 */
const watchStatus = async (
  read: () => Promise<Status>,
  json: boolean,
  signal: AbortSignal,
): Promise<number> => {
  const show = createPrinter(json);
  while (!signal.aborted) {
    const current = await read();
    if (signal.aborted) break;
    show(current);
    await sleep(intervalMs, signal);
  }
  return 0;
};

const createPrinter = (json: boolean): ((status: Status) => void) => {
  if (json) return printJson;
  if (isInteractive(process.stdout)) return redraw;
  let lastLine: string | undefined;
  return (status) => {
    const line = statusLine(status);
    if (line !== lastLine) print(`${new Date().toISOString()}  ${escapeBreaks(line)}`);
    lastLine = line;
  };
};

const redraw = (status: Status): void =>
  void process.stdout.write(renderFrame(statusLines(status, Date.now())));

/**
 * Formats lines that replace the previous frame on a terminal, in one write.
 * Each line clears its own rest, and the last one all lines below, because a screen that is cleared first flickers.
 */
export const renderFrame = (lines: readonly string[]): string =>
  `${home}${lines.map((line) => `${toTerminal(line)}${clearToEnd}\n`).join("")}${clearBelow}`;

const home = "\u001b[H";
const clearToEnd = "\u001b[K";
const clearBelow = "\u001b[J";

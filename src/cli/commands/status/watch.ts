import { sleep } from "../../../platform/async.ts";
import { escapeBreaks } from "../../../platform/escape-control.ts";
import { isInteractive, print, printJson, toTerminal } from "../../terminal/output.ts";
import type { Status } from "./status.ts";
import { statusLine, statusLines } from "./view.ts";

const intervalMs = 1_000;

/**
 * Prints a status every second until the signal aborts.
 * A terminal is redrawn in place; JSON is one object a line; other output gets a line at each change.
 * @returns exit code
 */
export const watchStatus = async (
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

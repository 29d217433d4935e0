import { setTimeout as delay } from "node:timers/promises";
import type { Status } from "../status.ts";
import { isScreen, print, printJson } from "./output.ts";
import { showStatus, statusLine } from "./show-status.ts";

/** Milliseconds. */
const every = 1_000;

/**
 * Tells a status every second until the signal: on a terminal in place, as JSON one object a line, else one line
 * whenever something changed.
 * @returns exit code
 */
export const watchStatus = async (
  look: () => Promise<Status>,
  json: boolean,
  signal: AbortSignal,
): Promise<number> => {
  const show = showing(json);
  while (!signal.aborted) {
    const told = await look();
    if (signal.aborted) break;
    show(told);
    await delay(every, undefined, { signal }).catch(() => undefined);
  }
  return 0;
};

const showing = (json: boolean): ((status: Status) => void) => {
  if (json) return printJson;
  if (isScreen(process.stdout)) return redraw;
  let known: string | undefined;
  return (status) => {
    const line = statusLine(status);
    if (line !== known) print(`${new Date().toISOString()}  ${line}`);
    known = line;
  };
};

/** From the upper left corner on; what the one before left is wiped afterwards, so that nothing flickers. */
const redraw = (status: Status): void => {
  process.stdout.write("\u001b[H\u001b[2J");
  showStatus(status, Date.now());
};

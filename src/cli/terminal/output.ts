import { randomUUID } from "node:crypto";
import picocolors from "picocolors";
import { mapDiskFull, VitrineError } from "../../errors.ts";
import { escapeInJson, escapeLines } from "../../platform/escape-control.ts";
import { writeStderr } from "../../platform/stderr.ts";

/** True for a terminal with cursor control. A terminal called `dumb` shows such codes as text. */
export const isInteractive = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY && process.env.TERM !== "dumb";

const isColourless = (stream: NodeJS.WriteStream): boolean =>
  Boolean(process.env.NO_COLOR) || !isInteractive(stream);

/** Stands for ESC in the program's own colours until they are printed. It is random, so that no data contains it. */
const colourStart = randomUUID();

const createColours = (stream: NodeJS.WriteStream) => {
  const { bold, dim, green, red, yellow } = picocolors.createColors(!isColourless(stream));
  const own = (colour: typeof bold) => (text: string) =>
    colour(escapeLines(text)).replaceAll("\u001b", colourStart);
  return { bold: own(bold), dim: own(dim), green: own(green), red: own(red), yellow: own(yellow) };
};

/** Colours standard output on a terminal that supports it, unless NO_COLOR is set. */
export const colours = createColours(process.stdout);
const errorColours = createColours(process.stderr);

/** Converts lines to what a terminal shows: their data cannot control it. */
export const toTerminal = (text: string): string =>
  escapeLines(text).replaceAll(colourStart, "\u001b");

export const print = (text: string): void => void process.stdout.write(`${toTerminal(text)}\n`);

/** Prints a message on standard error, so that standard output can be piped. */
export const printError = (text: string): void => writeStderr(`${toTerminal(text)}\n`);

export const printJson = (value: unknown): void =>
  void process.stdout.write(`${escapeInJson(JSON.stringify(value))}\n`);

/**
 * Prints the error that ends a command.
 * @param withStack also prints the stack
 * @returns the exit code: the error's own, or 70 for a bug
 */
export const reportError = (thrown: unknown, withStack: boolean): number => {
  const error = mapDiskFull(thrown);
  if (error instanceof VitrineError) {
    for (const line of error.message.split("\n"))
      printError(`${errorColours.red("vitrine:")} ${line}`);
    if (error.hint) printError(`  ${errorColours.dim("->")} ${error.hint}`);
    if (withStack) printError(error.stack ?? "");
    return error.exitCode;
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  printError(`${errorColours.red("vitrine:")} unexpected error: ${message.replaceAll("\n", " ")}`);
  if (withStack) printError(error instanceof Error ? (error.stack ?? "") : "");
  else printError(`  ${errorColours.dim("->")} this is a bug; LOG_LEVEL=debug shows where`);
  return 70;
};

/** `1,234 events`, `1 event` */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** `0.2 s`, `12 s`, `3 min`, `2 h` */
export const formatDuration = (seconds: number): string => {
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
};

/** `3.4 MB` */
export const formatSize = (bytes: number): string => {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const unit = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  const value = bytes / 1000 ** unit;
  return `${value >= 100 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
};

export const joinParts = (
  parts: readonly (string | false | null | undefined)[],
  separator = ", ",
): string => parts.filter(Boolean).join(separator);

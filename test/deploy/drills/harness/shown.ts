/** What the runbook shows of the run of a block of commands. */
import { type Substitution, toShown } from "./comparable.ts";
import type { ShellRun } from "./shell.ts";

export interface Shown {
  /** Expected exit code; 0 by default. */
  readonly code?: number;
  /** Number of lines that the runbook shows from the beginning; all by default. */
  readonly lines?: number;
  /** Number of lines that it also shows from the end. */
  readonly last?: number;
  /** True for an output whose numbers are those of the machine or of the moment. */
  readonly numbersVary?: boolean;
  /** Further variables of the shell, which the section explains. */
  readonly env?: Readonly<Record<string, string>>;
  /** Edits the output before it is compared and shown. */
  readonly edit?: (output: string) => string;
}

/** Formats the output of commands as the runbook shows it: three dots for further lines, and an exit code that is not 0. */
export const formatOutput = (
  { code, output }: ShellRun,
  { lines, last = 0, edit = (text) => text }: Shown,
  substitutions: readonly Substitution[],
): string => {
  const text = edit(toShown(output, substitutions)).replace(/^\n+/, "").trimEnd();
  const all = text === "" ? [] : text.split("\n");
  const isCut = lines !== undefined && all.length > lines + last;
  const cut = isCut ? [...all.slice(0, lines), "…", ...all.slice(all.length - last)] : all;
  const end = code === 0 ? [] : [`[exit code ${code}]`];
  return [...cut, ...end].map((line) => `${line.trimEnd()}\n`).join("");
};

/** Output of a block, in a run that writes the runbook. */
export interface BlockOutput {
  readonly output: string;
  readonly numbersVary: boolean;
}

/** Outputs of a drill by the commands of their blocks. */
export interface DrillOutputs {
  readonly title: string;
  readonly outputs: Readonly<Record<string, BlockOutput>>;
}

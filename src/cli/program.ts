import type { Command } from "commander";
import { CommanderError } from "commander";
import type { EnvironmentVariables } from "../config.ts";
import { VitrineError } from "../errors.ts";
import { buildProgram } from "./build-program.ts";
import { type CommandEntry, commandTable } from "./command-table.ts";

/**
 * Runs a command line.
 * @param args arguments after node and the program
 * @returns exit code
 * @throws VitrineError `usage` for an invalid command line; else the command's own error
 */
export const runProgram = async (
  args: readonly string[],
  env: EnvironmentVariables,
): Promise<number> => {
  let exitCode = 0;
  const entry = findEntry(args);
  const root = buildProgram(
    entry && { entry, command: await entry.load() },
    async (command, line) => {
      exitCode = await command.execute(line, env);
    },
  );
  try {
    await root.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander throws for --help and --version as well; they are no errors.
    if (error.exitCode === 0) return 0;
    if (error.code === "commander.help") return 2;
    throw toUsageError(error, findCommand(root, args));
  }
};

/** Finds the command that the arguments name, also after `help`. */
export const findEntry = (args: readonly string[]): CommandEntry | undefined => {
  let level = commandTable;
  for (const arg of args) {
    if (arg === "help" || arg.startsWith("-")) continue;
    const entry = level.find(({ name }) => name === arg);
    if (!entry) return undefined;
    if ("load" in entry) return entry;
    level = entry.commands;
  }
  return undefined;
};

/** Converts an error of Commander to a one-line `usage` error. */
const toUsageError = (error: CommanderError, { typed, command }: TypedCommand): VitrineError => {
  const [line = "", suggestion = ""] = error.message.replace(/^error: /, "").split("\n");
  const subcommands = command.parent ? command.commands.map((other) => other.name()) : [];
  const fallbackHint = `${typed} --help lists what is accepted`;
  if (subcommands.length > 0 && error.code === "commander.unknownOption") {
    return new VitrineError(
      "usage",
      `${typed} needs one of ${subcommands.join(", ")} before a flag`,
      fallbackHint,
    );
  }
  const hint = suggestion.replace(/^\(|\)$/g, "");
  return new VitrineError("usage", line, hint ? hint : fallbackHint);
};

interface TypedCommand {
  /** As typed, e.g. `vitrine dead-letters list`. */
  readonly typed: string;
  readonly command: Command;
}

const findCommand = (root: Command, args: readonly string[]): TypedCommand => {
  let named: TypedCommand = { typed: root.name(), command: root };
  for (const arg of args) {
    const command = named.command.commands.find((each) => each.name() === arg);
    if (!command) break;
    named = { typed: `${named.typed} ${arg}`, command };
  }
  return named;
};

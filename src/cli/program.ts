import { Command, CommanderError } from "commander";
import type { EnvironmentVariables } from "../config.ts";
import { VitrineError } from "../errors.ts";
import { packageVersion } from "../package-info.ts";
import { type CommandLine, createCommandLine } from "./define-command.ts";

/** Lists every command or group, in the order of the help. Each is loaded alone, because loading all takes a second. */
const commands: Readonly<Record<string, () => Promise<(line: CommandLine) => void>>> = {
  serve: async () => (await import("./commands/serve.ts")).describeServe,
  project: async () => (await import("./commands/project.ts")).describeProject,
  publish: async () => (await import("./commands/publish.ts")).describePublish,
  lint: async () => (await import("./commands/lint.ts")).describeLint,
  status: async () => (await import("./commands/status/command.ts")).describeStatus,
  tail: async () => (await import("./commands/tail.ts")).describeTail,
  explain: async () => (await import("./commands/explain/command.ts")).describeExplain,
  "dead-letters": async () =>
    (await import("./commands/dead-letters/command.ts")).describeDeadLetters,
  rebuild: async () => (await import("./commands/rebuild/command.ts")).describeRebuild,
  rollback: async () => (await import("./commands/rollback.ts")).describeRollback,
  verify: async () => (await import("./commands/verify.ts")).describeVerify,
  backup: async () => (await import("./commands/backup/command.ts")).describeBackup,
  restore: async () => (await import("./commands/restore/command.ts")).describeRestore,
  reconcile: async () => (await import("./commands/reconcile/command.ts")).describeReconcile,
  token: async () => (await import("./commands/token.ts")).describeTokens,
};

/** Loads the command that the first argument names. Without a match it loads all, because help and errors list them. */
const loadCommands = (
  name: string | undefined,
): Promise<readonly ((line: CommandLine) => void)[]> => {
  if (name === "--version") return Promise.resolve([]);
  const matching = Object.entries(commands).filter(([each]) => each === name);
  const selected = matching.length > 0 ? matching : Object.entries(commands);
  return Promise.all(selected.map(([, load]) => load()));
};

export interface ProgramDeps {
  readonly env: EnvironmentVariables;
  /** Path of the running program, which `serve` starts again for its other processes. */
  readonly program: string;
}

/**
 * Runs a command line.
 * @param args arguments after node and the program
 * @returns exit code
 * @throws VitrineError `usage` for an invalid command line; otherwise the command's own error
 */
export const runProgram = async (args: readonly string[], deps: ProgramDeps): Promise<number> => {
  let exitCode = 0;
  const root = buildProgram();
  const done = (code: number): void => {
    exitCode = code;
  };
  for (const describe of await loadCommands(args[0])) {
    describe(createCommandLine({ root, ...deps, done }));
  }
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

const buildProgram = (): Command =>
  new Command("vitrine")
    .description(
      "A read-only window on an online store for AI agents: change events in, GraphQL, tools and Markdown out.",
    )
    .version(packageVersion, "--version", "print the version")
    .helpOption("--help", "print help")
    .helpCommand("help [command]", "print help for a command")
    .showSuggestionAfterError(true)
    .configureOutput({ outputError: () => undefined })
    .exitOverride()
    .addHelpText("after", epilogue);

const epilogue = `
Examples:
  $ vitrine serve --demo
  $ vitrine publish shop.ndjson && vitrine status

Settings come from flags, then the environment (named in each command's help), then a default.

Exit codes:
  0 done
  1 not as it should be: a bad event file, a model that differs from its log or from an export,
    an unknown entity, an event that is still rejected
  2 bad command line or setting
  3 data directory: not usable, locked, full, damaged, without a model, or with one of another version;
    or the service did not answer
  4 event log
  5 the log does not continue the model, a rebuild would lose too much, or (status) a fault
  6 a projection failed at an event: a bug; the projector waits for a version without it
  7 a port   70 another bug   130 interrupted`;

/** Converts an error of Commander to a one-line `usage` error. */
const toUsageError = (error: CommanderError, { typed, command }: TypedCommand): VitrineError => {
  const [line = "", suggestion = ""] = error.message.replace(/^error: /, "").split("\n");
  const subcommands = command.parent ? command.commands.map((other) => other.name()) : [];
  const fallbackHint = `${typed} --help shows what there is`;
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

/** Finds the command that the arguments begin with. */
const findCommand = (root: Command, args: readonly string[]): TypedCommand => {
  let named: TypedCommand = { typed: root.name(), command: root };
  for (const arg of args) {
    const command = named.command.commands.find((each) => each.name() === arg);
    if (!command) break;
    named = { typed: `${named.typed} ${arg}`, command };
  }
  return named;
};

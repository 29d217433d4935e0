import { Command, Option } from "commander";
import { natsCredentials, toNatsVariable } from "../config.ts";
import { packageVersion } from "../package-info.ts";
import { type SettingName, settings, toFlag, toVariable } from "../settings.ts";
import { type OptionSpec, optionSyntax } from "./command-spec.ts";
import { type CommandEntry, type CommandGroup, commandTable } from "./command-table.ts";
import type { DefinedCommand } from "./define-command.ts";

interface LoadedCommand {
  readonly entry: CommandEntry;
  readonly command: DefinedCommand;
}

type Execute = (command: DefinedCommand, line: Command) => Promise<void>;

/**
 * Builds the parser. It knows name and summary of every command, and the options of the loaded one.
 * @param execute runs the loaded command
 */
export const buildProgram = (loaded: LoadedCommand | undefined, execute: Execute): Command => {
  const root = new Command("vitrine")
    .description(
      "A read-only window on an online store for AI agents: change events in, GraphQL, tools and Markdown out.",
    )
    .version(packageVersion, "--version", "print the version")
    .showSuggestionAfterError(true)
    .configureOutput({ outputError: () => undefined })
    .exitOverride();
  addHelp(root, epilogue());
  for (const entry of commandTable) addEntry(root, entry, loaded, execute);
  return root;
};

const addEntry = (
  parent: Command,
  entry: CommandEntry | CommandGroup,
  loaded: LoadedCommand | undefined,
  execute: Execute,
): void => {
  const added = parent.command(entry.name).description(entry.summary);
  if ("commands" in entry) {
    addHelp(added, formatExamples(entry.examples));
    for (const each of entry.commands) addEntry(added, each, loaded, execute);
    return;
  }
  added.helpOption("--help", "print help");
  if (entry === loaded?.entry) complete(added, loaded.command, execute);
  else if (entry.argument) added.argument(entry.argument);
};

const addHelp = (command: Command, text: string): void =>
  void command
    .helpOption("--help", "print help")
    .helpCommand("help [command]", "print help for a command")
    .addHelpText("after", text);

const complete = (added: Command, command: DefinedCommand, execute: Execute): void => {
  const { argument, notes } = command;
  if (argument) added.argument(argument.syntax, argument.description);
  for (const name of command.settings) added.addOption(settingOption(name));
  for (const [name, spec] of Object.entries(command.options)) added.addOption(toOption(name, spec));
  if (command.settings.includes("events")) added.addHelpText("after", credentialsHelp());
  added.addHelpText("after", formatExamples(command.examples));
  if (notes) added.addHelpText("after", `\n${notes}`);
  added.action(() => execute(command, added));
};

const settingOption = (name: SettingName): Option => {
  const { placeholder, description, defaultValue, defaultLabel } = settings[name];
  return new Option(
    `${toFlag(name)} ${placeholder}`,
    `${description} (${toVariable(name)}; default ${defaultLabel ?? defaultValue})`,
  );
};

const toOption = (name: string, spec: OptionSpec<unknown>): Option => {
  const { description, placeholder, parse, defaultValue, conflicts } = spec;
  const { isRequired = false, isRepeatable = false } = spec;
  const option = new Option(optionSyntax(name, spec), description).makeOptionMandatory(isRequired);
  if (isRepeatable) option.default([]);
  else if (placeholder !== undefined && defaultValue !== undefined) option.default(defaultValue);
  if (parse)
    option.argParser((typed, before: unknown) => {
      const value = parse(typed, toFlag(name));
      return isRepeatable ? [before, value].flat() : value;
    });
  return conflicts ? option.conflicts([...conflicts]) : option;
};

/** Credentials have no flags, because all users of a machine can read a process's flags. */
const credentialsHelp = (): string => {
  const variables = Object.keys(natsCredentials).map(toNatsVariable);
  return `\nCredentials of a broker come from the environment alone:\n  ${variables.join(", ")}`;
};

const formatExamples = (examples: readonly string[]): string =>
  [
    `\n${examples.length > 1 ? "Examples" : "Example"}:`,
    ...examples.map((example) => `  $ ${example}`),
  ].join("\n");

const epilogue = (): string => `${formatExamples([
  "vitrine serve --demo",
  "vitrine publish shop.ndjson && vitrine status",
])}

Settings come from flags, then the environment (named in each command's help), then a default.

Exit codes:
${exitCodeMeanings.map(([code, meaning]) => wrap(`${String(code).padStart(3)} ${meaning}`)).join("\n")}`;

const maxLineChars = 100;

/** Breaks a line at spaces, and indents what follows. */
const wrap = (line: string): string =>
  line.replace(new RegExp(`(.{1,${maxLineChars - 4}})( |$)`, "g"), "$1\n    ").trimEnd();

/** Exit codes of all commands, with their meaning. */
export const exitCodeMeanings: readonly (readonly [code: number, meaning: string])[] = [
  [0, "done"],
  [
    1,
    "a check failed: a bad event file, a model that differs from its log or from an export, an unknown entity or dead letter, an event that is still rejected",
  ],
  [2, "a command, flag or setting that cannot be used"],
  [
    3,
    "the data directory, a backup, the running service or the output cannot be used; the message says which",
  ],
  [4, "the event log cannot be reached, or rejects events"],
  [
    5,
    "the log does not continue the model, or a rebuild would lose too much; status: no event is applied any more",
  ],
  [
    6,
    "a projection failed at an event, because of a bug; the projector waits for a version without that bug",
  ],
  [7, "a port cannot be listened on"],
  [70, "another bug"],
  [130, "interrupted by SIGINT; 143 by SIGTERM"],
];

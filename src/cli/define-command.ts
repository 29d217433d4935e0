import { type Command, Option } from "commander";
import {
  type Config,
  type ConfigOf,
  credentialVariables,
  type EnvironmentVariables,
  type Flags,
  readConfig,
  type SettingName,
} from "../config.ts";
import { VitrineError } from "../errors.ts";
import { settings } from "../settings.ts";

/** Registers a command, reads its settings and takes its exit code. */
export interface CommandLine {
  /** Adds a command; its help lists the settings and the examples. */
  command(described: CommandDefinition): Command;
  /** Adds a group of commands. @param examples examples of its commands */
  group(name: string, description: string, examples: readonly string[]): Command;
  /** @throws VitrineError `usage` with one line for each bad setting */
  config<N extends SettingName>(
    flags: Flags,
    names: readonly N[],
    defaults?: Partial<Pick<Config, N>>,
  ): ConfigOf<N>;
  /** Sets the exit code. */
  done(exitCode: number): void;
  /** Path of the running program, which `serve` starts again for its other processes. */
  readonly program: string;
}

export interface CommandDefinition {
  /** Name and arguments, e.g. `publish <file...>`. */
  readonly usage: string;
  readonly description: string;
  readonly settings: readonly SettingName[];
  /** Complete command lines. */
  readonly examples: readonly string[];
  /** Group of the command; the root when absent. */
  readonly parent?: Command;
}

export interface CliDeps {
  readonly root: Command;
  readonly env: EnvironmentVariables;
  readonly program: string;
  readonly done: (exitCode: number) => void;
}

export const createCommandLine = ({ root, env, program, done }: CliDeps): CommandLine => ({
  command({ usage, description, settings: names, examples, parent = root }) {
    const added = parent.command(usage).description(description).helpOption("--help", "print help");
    for (const name of names) added.addOption(buildOption(name));
    if (names.includes("events")) added.addHelpText("after", credentialsHelp);
    return added.addHelpText("after", formatExamples(examples));
  },
  group: (name, description, examples) =>
    root
      .command(name)
      .description(description)
      .helpOption("--help", "print help")
      .helpCommand("help [command]", "print help for a command")
      .addHelpText("after", formatExamples(examples)),
  config: (flags, names, defaults) => readConfig(flags, env, names, defaults),
  done,
  program,
});

/** Credentials have no flags, because all users of a machine can read a process's flags. */
const credentialsHelp = `\nCredentials of a broker come from the environment alone:\n  ${credentialVariables().join(", ")}`;

const formatExamples = (examples: readonly string[]): string =>
  [
    `\n${examples.length > 1 ? "Examples" : "Example"}:`,
    ...examples.map((example) => `  $ ${example}`),
  ].join("\n");

const buildOption = (name: SettingName): Option => {
  const { flag, placeholder, description, env, defaultValue, defaultLabel } = settings[name];
  return new Option(
    `${flag} ${placeholder}`,
    `${description} (${env}; default ${defaultLabel ?? defaultValue})`,
  );
};

/** Builds the parser of an integer flag that is not a setting. @throws VitrineError `usage` */
export const integerParser =
  (flag: string, minimum: number) =>
  (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : -1;
    if (value >= minimum) return value;
    throw new VitrineError("usage", `${flag} ${text}: give a whole number from ${minimum}`);
  };

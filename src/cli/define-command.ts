import { Command, Option } from "commander";
import {
  type Config,
  type ConfigOf,
  credentialVariables,
  type Environment,
  type Flags,
  readConfig,
  type SettingName,
} from "../config.ts";
import { VitrineError } from "../errors.ts";
import { settings } from "../settings.ts";

/** What a command needs to describe itself on the command line, and to be run from there. */
export interface CommandLine {
  /** Adds a command with the settings it reads and an example for its help. */
  command(described: Described): Command;
  /** Adds a command that only holds others. @param examples of these */
  group(name: string, tells: string, examples: readonly string[]): Command;
  /** @throws VitrineError `usage` with one line for each bad setting */
  config<N extends SettingName>(
    flags: Flags,
    names: readonly N[],
    defaults?: Partial<Pick<Config, N>>,
  ): ConfigOf<N>;
  /** How the command ended. */
  done(exitCode: number): void;
  /** The file that runs, to be started again for the processes of `serve`. */
  readonly program: string;
}

export interface Described {
  /** Name and arguments, e.g. `publish <file...>`. */
  readonly usage: string;
  readonly tells: string;
  readonly settings: readonly SettingName[];
  /** Commands as they are typed, one a line. */
  readonly examples: readonly string[];
  /** The group it belongs to. */
  readonly parent?: Command;
}

export interface CommandLineWorld {
  readonly root: Command;
  readonly env: Environment;
  readonly program: string;
  readonly done: (exitCode: number) => void;
}

export const commandLine = ({ root, env, program, done }: CommandLineWorld): CommandLine => ({
  command({ usage, tells, settings: names, examples, parent = root }) {
    const added = parent.command(usage).description(tells).helpOption("--help", "print help");
    for (const name of names) added.addOption(optionOf(name));
    if (names.includes("events")) added.addHelpText("after", credentials);
    return added.addHelpText("after", shown(examples));
  },
  group: (name, tells, examples) =>
    root
      .command(name)
      .description(tells)
      .helpOption("--help", "print help")
      .helpCommand("help [command]", "print help for a command")
      .addHelpText("after", shown(examples)),
  config: (flags, names, defaults) => readConfig(flags, env, names, defaults),
  done,
  program,
});

/** They are no flags: a process list shows those to everybody. */
const credentials = `\nCredentials of a broker come from the environment alone:\n  ${credentialVariables().join(", ")}`;

const shown = (examples: readonly string[]): string =>
  [
    `\n${examples.length > 1 ? "Examples" : "Example"}:`,
    ...examples.map((example) => `  $ ${example}`),
  ].join("\n");

const optionOf = (name: SettingName): Option => {
  const { flag, value, tells, env, fallback, shownFallback } = settings[name];
  return new Option(`${flag} ${value}`, `${tells} (${env}; default ${shownFallback ?? fallback})`);
};

/** Reads the value of a flag that is no setting. @throws VitrineError `usage` */
export const wholeNumber =
  (flag: string, least: number) =>
  (text: string): number => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : -1;
    if (value >= least) return value;
    throw new VitrineError("usage", `${flag} ${text}: give a whole number from ${least}`);
  };

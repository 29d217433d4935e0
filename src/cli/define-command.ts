import type { Command } from "commander";
import {
  type ConfigOf,
  type EnvironmentVariables,
  type Flags,
  readConfig,
  type SettingName,
} from "../config.ts";
import { createLogger } from "../log.ts";
import type { SettingValues } from "../settings.ts";
import type { ArgumentSpec, OptionSpecs, OptionValues } from "./command-spec.ts";
import { printError, printJson } from "./terminal/output.ts";

/** Definition of a command. Its name and its summary stand in the table of commands, which loads it. */
interface CommandDefinition<N extends SettingName, O extends OptionSpecs, S extends string, A> {
  /** The only settings that `run` can read. */
  readonly settings: readonly N[];
  readonly options?: O;
  readonly argument?: ArgumentSpec<S, A>;
  readonly examples: readonly string[];
  readonly notes?: string;
  /** Defaults of settings that depend on the options. */
  readonly defaults?: (options: OptionValues<O>) => Partial<Pick<SettingValues, N>>;
  /** Checks the settings further. @throws VitrineError `usage`, reported together with other bad settings */
  readonly check?: (config: ConfigOf<N>) => void;
  /** @throws VitrineError with the exit code of the command */
  readonly run: (context: CommandContext<N, O, A>) => Outcome | Promise<Outcome>;
}

interface CommandContext<N extends SettingName, O extends OptionSpecs, A> {
  readonly config: ConfigOf<N>;
  readonly options: OptionValues<O>;
  readonly argument: A;
}

/** The exit code of a command that printed its result itself, or a report to print. */
export type Outcome = number | Report;

export interface Report {
  /** Output of `--json`. */
  readonly json: unknown;
  readonly show: () => void;
  /** 0 when absent. */
  readonly exitCode?: number;
}

/** A command, without the types of its options. */
export interface DefinedCommand<S extends string = string> {
  readonly settings: readonly SettingName[];
  readonly options: OptionSpecs;
  readonly argument: { readonly syntax: S; readonly description: string } | undefined;
  readonly examples: readonly string[];
  readonly notes: string;
  /** Runs the command and prints its report. @returns exit code */
  execute(line: Pick<Command, "args" | "opts">, env: EnvironmentVariables): Promise<number>;
}

/** Defines a command. The types of what `run` receives are inferred from settings, options and argument. */
export const defineCommand = <
  N extends SettingName,
  O extends OptionSpecs = Readonly<Record<never, never>>,
  S extends string = "",
  A = undefined,
>(
  definition: CommandDefinition<N, O, S, A>,
): DefinedCommand<S> => {
  const { settings, options = {}, argument, examples, notes = "", defaults, check } = definition;
  return {
    ...{ settings, options, argument, examples, notes },
    async execute(line, env) {
      const values = { ...defaultValues(options), ...line.opts<Flags & OptionValues<O>>() };
      const config = readConfig(values, env, settings, {
        ...(defaults && { defaults: defaults(values) }),
        check,
      });
      // The standard error of a service has lines of its log only.
      const log = "logLevel" in config ? createLogger("warn", "vitrine") : { warn: printError };
      if (values.tokenSecret) log.warn("every user can read flags: set TOKEN_SECRET instead");
      if (/^(nats|tls):.*@/.test(values.events ?? ""))
        log.warn("every user can read flags: set EVENTS instead");
      // A is undefined for a command without an argument.
      const parsed = argument?.parse(line.args) as A;
      const outcome = await definition.run({ config, options: values, argument: parsed });
      return typeof outcome === "number"
        ? outcome
        : print(outcome, "json" in values && values.json);
    },
  };
};

const defaultValues = (options: OptionSpecs): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(options).map(([name, spec]) => [name, spec.defaultValue]));

const print = ({ json, show, exitCode = 0 }: Report, isJson: unknown): number => {
  if (isJson) printJson(json);
  else show();
  return exitCode;
};

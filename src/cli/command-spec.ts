import { VitrineError } from "../errors.ts";
import { toFlag } from "../settings.ts";

/** Parses a value as typed. @param name `--limit`, for the error @throws VitrineError `usage` */
export type ParseValue<T> = (text: string, name: string) => T;

/** An option of a command. Its flag is derived from its name in the definition. */
export interface OptionSpec<T> {
  readonly description: string;
  /** Placeholder of the value in the help text; absent for an option without value. */
  readonly placeholder?: string;
  readonly parse?: ParseValue<T>;
  readonly defaultValue?: T;
  readonly isRequired?: boolean;
  /** Whether it may be given several times; its value is the list. */
  readonly isRepeatable?: boolean;
  /** Names of options of the same command that exclude this one. */
  readonly conflicts?: readonly string[];
}

export type OptionSpecs = Readonly<Record<string, OptionSpec<unknown>>>;

export type OptionValues<O extends OptionSpecs> = {
  readonly [K in keyof O]: O[K] extends OptionSpec<infer T> ? T : never;
};

export const flag = (description: string): OptionSpec<boolean> => ({
  description,
  defaultValue: false,
});

export const json = flag("print JSON");

export const optional = <T>(
  placeholder: string,
  description: string,
  parse: ParseValue<T>,
  conflicts: readonly string[] = [],
): OptionSpec<T | undefined> => ({ placeholder, description, parse, conflicts });

/** An option that may be given several times. */
export const repeatable = <T>(
  placeholder: string,
  description: string,
  parse: ParseValue<T>,
): OptionSpec<readonly T[]> => ({
  ...{ placeholder, description, isRepeatable: true },
  parse: (typed, name) => [parse(typed, name)],
  defaultValue: [],
});

export const required = <T>(
  placeholder: string,
  description: string,
  parse: ParseValue<T>,
): OptionSpec<T> => ({ placeholder, description, parse, isRequired: true });

export const withDefault = <T>(
  defaultValue: T,
  placeholder: string,
  description: string,
  parse: ParseValue<T>,
): OptionSpec<T> => ({ placeholder, description, parse, defaultValue });

export interface ArgumentSpec<S extends string, A> {
  /** `<dir>`, `<file...>` or `[sequence...]` */
  readonly syntax: S;
  readonly description: string;
  parse(typed: readonly string[]): A;
}

export const argument = <S extends string, T>(
  syntax: S,
  description: string,
  parse: ParseValue<T>,
): ArgumentSpec<S, T> => ({
  syntax,
  description,
  parse: ([typed = ""]) => parse(typed, nameOf(syntax)),
});

/** One or more arguments; none or more with brackets in the syntax. */
export const argumentList = <S extends string, T>(
  syntax: S,
  description: string,
  parse: ParseValue<T>,
): ArgumentSpec<S, readonly T[]> => ({
  syntax,
  description,
  parse: (typed) => typed.map((text) => parse(text, nameOf(syntax))),
});

const nameOf = (syntax: string): string => syntax.replaceAll(/[^\w-]/g, "");

/** Takes any text. */
export const text: ParseValue<string> = (value) => value;

export const integerFrom =
  (minimum: number): ParseValue<number> =>
  (value, name) => {
    const parsed = /^\d{1,15}$/.test(value) ? Number(value) : -1;
    if (parsed >= minimum) return parsed;
    throw new VitrineError("usage", `${name} ${value}: give a whole number from ${minimum}`);
  };

/** `--limit <n>` */
export const optionSyntax = (name: string, { placeholder }: OptionSpec<unknown>): string =>
  placeholder === undefined ? toFlag(name) : `${toFlag(name)} ${placeholder}`;

/** A setting: the flag and the environment variable are derived from its name in `settings`. */
export interface Setting<T> {
  /** Placeholder of the value in the help text. */
  readonly placeholder: string;
  readonly description: string;
  /** Accepted values in words, for the error of a bad value. */
  readonly expected: string;
  readonly defaultValue: T;
  /** The default in words, when it is no constant. */
  readonly defaultLabel?: string;
  /** True for a value that error messages must not show. */
  readonly isSecret?: boolean;
  /** @returns undefined when the value is not accepted */
  parse(text: string): T | undefined;
}

export const setting = <T>(definition: Setting<T>): Setting<T> => definition;

export const integer = (
  description: string,
  defaultValue: number,
  [min, max]: readonly [number, number],
  note = "",
): Setting<number> => ({
  placeholder: "<n>",
  description,
  expected: `a whole number from ${min} to ${max}${note}`,
  defaultValue,
  parse: (text) => parseInteger(text, min, max),
});

export const port = (description: string, defaultPort: number): Setting<number> => ({
  ...integer(description, defaultPort, [0, 65_535], ", 0 for any free port"),
  placeholder: "<port>",
});

export const host = (description: string): Setting<string> => ({
  placeholder: "<host>",
  description,
  expected: "a host name or an address, such as 127.0.0.1, 0.0.0.0 or ::",
  defaultValue: "127.0.0.1",
  parse: (text) => (/^[\w.:%-]+$/.test(text) ? text : undefined),
});

/** A setting with a fixed set of values. */
export const choice = <T extends string>(
  values: readonly T[],
  defaultValue: T,
  [placeholder, description, expected]: readonly [string, string, string],
): Setting<T> => ({
  placeholder,
  description,
  expected,
  defaultValue,
  parse: (text) => values.find((value) => value === text),
});

function parseInteger(text: string, min: number, max: number): number | undefined {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}

/**
 * Documents show the base URL in commands and programs to paste, so it has no character with a meaning in a shell or in a quoted text.
 * @returns undefined unless the text is an http or https address; removes slashes at its end
 */
export function parseBaseUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol) || url.username !== "") return undefined;
  return /[?#\s"'`$&;|<>\\(){}^*!]/.test(text) ? undefined : text.replace(/\/+$/, "");
}

/** Parses a list of origins as browsers write them: no path, no default port. */
export function parseOrigins(text: string): readonly string[] | undefined {
  const origins = text.split(",").map((origin) => origin.trim().toLowerCase());
  const isOrigin = (origin: string): boolean =>
    /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
  return origins.every(isOrigin) ? origins : undefined;
}

/** Parses a list of host names, without ports. */
export function parseNames(text: string): readonly string[] | undefined {
  const names = text.split(",").map((name) => name.trim().toLowerCase());
  return names.every((name) => /^[\w-]+(\.[\w-]+)*$/.test(name)) ? names : undefined;
}

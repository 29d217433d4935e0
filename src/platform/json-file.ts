import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fsyncPath } from "./durable-fs.ts";

/** Checks that parsed JSON has the type T. */
export type Guard<T> = (value: unknown) => value is T;

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

interface MemberTypes {
  readonly string: string;
  readonly number: number;
  readonly boolean: boolean;
  readonly object: object;
}

/** Checks that a value is an object whose listed members have the listed types; `null` is no object. */
export const hasMembers = <S extends Readonly<Record<string, keyof MemberTypes>>>(
  value: unknown,
  members: S,
): value is { readonly [K in keyof S]: MemberTypes[S[K]] } =>
  isObject(value) &&
  Object.entries(members).every(
    ([name, type]) => typeof value[name] === type && value[name] !== null,
  );

/** @returns undefined when the text is not JSON, or the guard rejects its value */
export const parseJson = <T>(text: string, guard: Guard<T>): T | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return guard(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** @returns undefined when the file cannot be read, is not JSON, or the guard rejects its value */
export const readJson = <T>(path: string, guard: Guard<T>): T | undefined => {
  try {
    return parseJson(readFileSync(path, "utf8"), guard);
  } catch {
    return undefined;
  }
};

/**
 * Replaces a file by a rename, so that readers never see a part of it.
 * @param options with `durable`, the content survives a power cut after the return
 */
export const writeFileAtomic = (
  path: string,
  content: string,
  { durable = false }: { readonly durable?: boolean } = {},
): void => {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.new`);
  try {
    rmSync(temporary, { force: true });
    // `wx` follows no link that another user put there.
    writeFileSync(temporary, content, { flag: "wx", flush: durable });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  if (durable) fsyncPath(dirname(path));
};

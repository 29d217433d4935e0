import { checkKey, decode, decodeBytes } from "../schema/codec.ts";
import type { Key, Table } from "../schema/tables.ts";

/** Where two rows differ: a JSON path, and what stands there in each, shortened; null where nothing does. */
export interface FieldDifference {
  /** E.g. `group.content.name`; empty for a row that is no object. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Differences shown of one row. */
const mostShown = 8;

/** Characters shown of one value. */
const longest = 80;

/** @returns undefined when the former record is damaged: it is not what was written, so nothing can be told of it. */
export const fieldsBetween = (
  key: Key,
  before: Buffer,
  after: Buffer,
  table: Described,
): readonly FieldDifference[] | undefined => {
  let former: unknown;
  try {
    former = valueOf(key, before, table);
  } catch {
    return undefined;
  }
  return [...differences("", former, valueOf(key, after, table))].slice(0, mostShown);
};

const valueOf = (key: Key, record: Buffer, { name, packing }: Described): unknown => {
  const value = decode(key, record, name);
  return packing ? packing.unpack(value) : value;
};

type Described = Pick<Table<Key, unknown>, "name" | "packing">;

/** Whether a row without fields is what was written. */
export const isSound = (
  key: Key,
  record: Buffer,
  { name, kind }: Pick<Table<Key, unknown>, "name" | "kind">,
): boolean => {
  try {
    if (kind === "set") checkKey(key, record, name);
    else decodeBytes(key, record, name);
    return true;
  } catch {
    return false;
  }
};

/** As `fieldsBetween`, of two contents at hand. */
export const contentsBetween = (before: unknown, after: unknown): readonly FieldDifference[] =>
  [...differences("", before, after)].slice(0, mostShown);

function* differences(path: string, before: unknown, after: unknown): Generator<FieldDifference> {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  if (!isComposed(before) || !isComposed(after) || Array.isArray(before) !== Array.isArray(after)) {
    yield { path, before: shown(before), after: shown(after) };
    return;
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    yield* differences(path === "" ? name : `${path}.${name}`, before[name], after[name]);
  }
}

const isComposed = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

const shown = (value: unknown): string | null => {
  if (value === undefined) return null;
  const text = JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
};

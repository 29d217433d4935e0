import type { Key } from "../schema/codec.ts";
import { decodeValue, type TableFormat } from "../store/read-tables.ts";

/** A member that differs between two rows. Values are JSON, truncated to 80 characters; null for an absent member. */
export interface FieldDifference {
  /** JSON path, e.g. `group.content.name`; empty for a row that is no object. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

const maxShownPerRow = 8;

const maxShownChars = 80;

/**
 * Lists the members in which two stored rows differ, at most 8; none for rows of a `bytes` or `set` table.
 * @returns undefined when the baseline's record is damaged
 * @throws `model_damaged` when the record in `after` is damaged
 */
export const diffRecords = (
  key: Key,
  before: Buffer,
  after: Buffer,
  table: TableFormat,
): readonly FieldDifference[] | undefined => {
  let baseline: unknown;
  try {
    baseline = decodeValue(table, key, before);
  } catch {
    return undefined;
  }
  return table.kind === "json" ? diffValues(baseline, decodeValue(table, key, after)) : [];
};

export const diffValues = (before: unknown, after: unknown): readonly FieldDifference[] =>
  [...findDifferences("", before, after)].slice(0, maxShownPerRow);

function* findDifferences(
  path: string,
  before: unknown,
  after: unknown,
): Generator<FieldDifference> {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  if (!isComposed(before) || !isComposed(after) || Array.isArray(before) !== Array.isArray(after)) {
    yield { path, before: formatValue(before), after: formatValue(after) };
    return;
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    yield* findDifferences(path === "" ? name : `${path}.${name}`, before[name], after[name]);
  }
}

const isComposed = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

const formatValue = (value: unknown): string | null => {
  if (value === undefined) return null;
  const text = JSON.stringify(value);
  return text.length > maxShownChars ? `${text.slice(0, maxShownChars - 1)}…` : text;
};

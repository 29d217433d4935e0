import { setImmediate as nextTurn } from "node:timers/promises";
import { messageOf, VitrineError } from "../../errors.ts";
import { isOfTheMachine } from "../../platform/child-probe.ts";
import { type ComparedName, type Key, type Table, tables, uncompared } from "../schema/tables.ts";
import type { Digest, Pinned } from "../store/store.ts";
import { type FieldDifference, fieldsBetween, isSound } from "./row-diff.ts";
import { orderOf, type Row, type Walk, walk } from "./table-cursor.ts";

/** What two generations differ in. */
export interface Comparison {
  readonly before: Side;
  readonly after: Side;
  readonly isSame: boolean;
  /** Every table but those no event tells of, in the order of the model. */
  readonly tables: readonly TableComparison[];
}

/** One of the two generations. */
export interface Side {
  /** Log sequence it had come to. */
  readonly sequence: number;
  readonly digest: Digest;
}

export interface TableComparison {
  readonly table: ComparedName;
  readonly rows: { readonly before: number; readonly after: number };
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  /** The first of them by key. */
  readonly first: readonly RowDifference[];
  /** Why the former table could not be read to its end; null when it could. */
  readonly damage: string | null;
}

export interface RowDifference {
  readonly key: Key;
  readonly kind: "added" | "removed" | "changed";
  /** True when the former row is not what was once written: its checksum or its place is wrong, or no lookup finds it. */
  readonly isDamaged: boolean;
  /** What differs in a row that is in both. */
  readonly fields: readonly FieldDifference[];
}

/** What a rebuild found when it made a generation, kept beside it as `comparison.json`. */
export interface KeptComparison extends Comparison {
  /** ISO 8601 */
  readonly made: string;
  /** Name of the generation it was compared with: the live one of then. */
  readonly from: string;
}

export interface Comparing {
  /** Told of each row of the former generation before it is read on. */
  readonly onRow?: (table: ComparedName, key: Key) => void;
}

/** Differences shown of each table. */
const mostShown = 10;

/** Rows after which timers and signals get their turn. */
const turn = 2_000;

interface ComparedTable {
  readonly name: ComparedName;
  readonly kind: "json" | "set";
}

const compared = Object.values(tables).filter(
  ({ name }) => !uncompared.some((each) => each === name),
) as ComparedTable[];

/**
 * Walks two generations table by table in the order of keys, on the very bytes that are stored.
 * @throws `model_damaged` when a row of a table that is not compared is damaged; an error of the machine
 */
export const compareStores = async (
  before: Pinned,
  after: Pinned,
  comparing: Comparing = {},
): Promise<Comparison> => {
  const walked: Walked[] = [];
  for (const name of uncompared) checkRows(before, tables[name] as Table<never, unknown>);
  for (const table of compared) walked.push(await compareTable(table, before, after, comparing));
  const sideOf = (stored: Pinned, side: "before" | "after"): Side => ({
    sequence: stored.get(tables.meta, "checkpoint")?.sequence ?? 0,
    digest: Object.fromEntries(
      walked.map(({ told, digest }) => [told.table, digest[side]]),
    ) as Digest,
  });
  return {
    before: sideOf(before, "before"),
    after: sideOf(after, "after"),
    isSame: walked.every(isSame),
    tables: walked.map(({ told }) => told),
  };
};

/** Of a table that says nothing about the log it can only be told whether its own rows are whole. */
const checkRows = (stored: Pinned, table: Table<never, unknown>): void => {
  for (const [key] of stored.entries(table)) {
    if (stored.has(table, key)) continue;
    const told = JSON.stringify(key);
    throw new VitrineError("model_damaged", `no lookup finds the key ${told} of "${table.name}"`);
  }
};

interface Walked {
  readonly told: TableComparison;
  readonly digest: { readonly before: string; readonly after: string };
}

/** A row that no lookup finds is in the digest all the same. */
const isSame = ({ told, digest }: Walked): boolean =>
  !told.damage && told.first.length === 0 && digest.before === digest.after;

const compareTable = async (
  table: ComparedTable,
  before: Pinned,
  after: Pinned,
  { onRow }: Comparing,
): Promise<Walked> => {
  const tally = openTally();
  const other = walk(() => after.rows(table));
  const former = walk(() => before.rows(table));
  const isFound = (key: Key): boolean => before.has(table as Table<Key, unknown>, key);
  let damage: string | null = null;
  let last: Key | undefined;
  try {
    for (let steps = 1; former.row() || other.row(); steps += 1) {
      if (steps % turn === 0) await nextTurn();
      last = former.row()?.key ?? last;
      if (last !== undefined) onRow?.(table.name, last);
      step(table, former, other, tally, isFound);
    }
  } catch (error) {
    if (isOfTheMachine(error)) throw error;
    damage = `it cannot be read on after the key ${JSON.stringify(last)}: ${messageOf(error)}`;
  }
  const rows = { before: former.count(), after: other.count() };
  return {
    told: { table: table.name, rows, ...tally.counts, first: tally.first, damage },
    digest: { before: former.digest(), after: other.digest() },
  };
};

interface Tally {
  readonly counts: Record<RowDifference["kind"], number>;
  readonly first: RowDifference[];
  note(difference: RowDifference): void;
}

const openTally = (): Tally => {
  const counts = { added: 0, removed: 0, changed: 0 };
  const first: RowDifference[] = [];
  return {
    counts,
    first,
    note(difference) {
      counts[difference.kind] += 1;
      if (first.length < mostShown) first.push(difference);
    },
  };
};

/** Compares the rows two walks have come to, and goes on with the one that is behind. */
const step = (
  table: ComparedTable,
  former: Walk,
  other: Walk,
  tally: Tally,
  isFound: (key: Key) => boolean,
): void => {
  const [one, two] = [former.row(), other.row()];
  const order = orderOf(one, two);
  if (one && order < 0) tally.note(lone(one, "removed"));
  else if (two && order > 0) tally.note(lone(two, "added"));
  else if (one && two && !one.record.equals(two.record)) tally.note(changed(table, one, two));
  else if (one && !isFound(one.key)) tally.note(unfound(one));
  if (order <= 0) former.step();
  if (order >= 0) other.step();
};

const lone = ({ key, isMisplaced }: Row, kind: "added" | "removed"): RowDifference => ({
  key,
  kind,
  isDamaged: isMisplaced,
  fields: [],
});

/** A walk meets it, and no lookup does: its key, or one above it in the tree, is damaged. */
const unfound = ({ key }: Row): RowDifference => ({
  key,
  kind: "changed",
  isDamaged: true,
  fields: [],
});

/** Packed rows, and those that are all key, have no fields to tell of: only whether the row is what was written. */
const soundness = (table: ComparedTable, { key, record }: Row): readonly [] | undefined =>
  isSound(key, record, table) ? [] : undefined;

const changed = (table: ComparedTable, one: Row, other: Row): RowDifference => {
  const fields =
    table.kind === "json"
      ? fieldsBetween(one.key, one.record, other.record, table)
      : soundness(table, one);
  return { key: one.key, kind: "changed", isDamaged: fields === undefined, fields: fields ?? [] };
};

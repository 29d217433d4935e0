import { setImmediate as nextTurn } from "node:timers/promises";
import { messageOf, VitrineError } from "../../errors.ts";
import { isEnvironmentError } from "../../platform/child-probe.ts";
import type { Key } from "../schema/codec.ts";
import {
  type DerivedTableName,
  derivedTables,
  operationalTables,
  type Table,
  tables,
} from "../schema/tables.ts";
import { type Digest, type PinnedSnapshot, readCheckpoint } from "../store/store.ts";
import { diffRecords, type FieldDifference } from "./row-diff.ts";
import { compareRows, openTableCursor, type StoredRow, type TableCursor } from "./table-cursor.ts";

export interface Comparison {
  readonly before: ComparisonSide;
  readonly after: ComparisonSide;
  readonly isSame: boolean;
  /** Comparison of each derived table, in the order of the registry. */
  readonly tables: readonly TableComparison[];
}

interface ComparisonSide {
  readonly sequence: number;
  readonly digest: Digest;
}

export interface TableComparison {
  readonly table: DerivedTableName;
  readonly rows: { readonly before: number; readonly after: number };
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  /** The first differences by key. */
  readonly first: readonly RowDifference[];
  /** Error that ended the reading of the baseline's table; null when the table was read to its end. */
  readonly damage: string | null;
}

export interface RowDifference {
  readonly key: Key;
  readonly kind: "added" | "removed" | "changed";
  /** True for a damaged row of the baseline: its checksum or its position is wrong, or no lookup finds it. */
  readonly isDamaged: boolean;
  /** Differing members of a row that both generations have. */
  readonly fields: readonly FieldDifference[];
}

/** The comparison that a rebuild made, stored in the new generation as `comparison.json`. */
export interface StoredComparison extends Comparison {
  /** ISO 8601: time of the comparison. */
  readonly made: string;
  /** Name of the baseline: the generation that was live then. */
  readonly from: string;
}

const maxShownPerTable = 10;

/** Rows compared between two turns of the event loop, so that timers and signals are handled. */
const rowsPerTurn = 2_000;

type DerivedTable = (typeof derivedTables)[number];

/** Called with each row of the baseline before the next one is read. */
type OnRow = (table: DerivedTableName, key: Key) => void;

/**
 * Compares the stored bytes of two generations, table by table, sorted by key.
 * @param before the baseline, which may be damaged
 * @throws `model_damaged` when a row of an operational table of the baseline is damaged; an environment error unchanged
 */
export const compareStores = async (
  before: PinnedSnapshot,
  after: PinnedSnapshot,
  onRow?: OnRow,
): Promise<Comparison> => {
  const results: TableResult[] = [];
  for (const name of operationalTables) verifyRows(before, tables[name] as Table<never, unknown>);
  for (const table of derivedTables) {
    results.push(await compareTable(table, before, after, onRow));
  }
  const buildSide = (stored: PinnedSnapshot, side: "before" | "after"): ComparisonSide => ({
    sequence: readCheckpoint(stored)?.sequence ?? 0,
    digest: Object.fromEntries(
      results.map(({ comparison, digest }) => [comparison.table, digest[side]]),
    ) as Digest,
  });
  return {
    before: buildSide(before, "before"),
    after: buildSide(after, "after"),
    isSame: results.every(isSame),
    tables: results.map(({ comparison }) => comparison),
  };
};

/** Verifies the checksums and lookups of an operational table, whose rows may differ between the generations. */
const verifyRows = (stored: PinnedSnapshot, table: Table<never, unknown>): void => {
  for (const [key] of stored.entries(table)) {
    if (stored.has(table, key)) continue;
    const shownKey = JSON.stringify(key);
    throw new VitrineError(
      "model_damaged",
      `no lookup finds the key ${shownKey} of "${table.name}"`,
    );
  }
};

interface TableResult {
  readonly comparison: TableComparison;
  readonly digest: { readonly before: string; readonly after: string };
}

/** Equal digests are not sufficient, because the digest includes rows that no lookup finds. */
const isSame = ({ comparison, digest }: TableResult): boolean =>
  !comparison.damage && comparison.first.length === 0 && digest.before === digest.after;

const compareTable = async (
  table: DerivedTable,
  before: PinnedSnapshot,
  after: PinnedSnapshot,
  onRow: OnRow | undefined,
): Promise<TableResult> => {
  const differences = createDifferenceCounter();
  const candidate = openTableCursor(() => after.rows(table));
  const baseline = openTableCursor(() => before.rows(table));
  const hasRow = (key: Key): boolean => before.has(table as Table<Key, unknown>, key);
  let damage: string | null = null;
  let last: Key | undefined;
  try {
    for (let steps = 1; baseline.row() || candidate.row(); steps += 1) {
      if (steps % rowsPerTurn === 0) await nextTurn();
      last = baseline.row()?.key ?? last;
      if (last !== undefined) onRow?.(table.name, last);
      compareNext(table, baseline, candidate, differences, hasRow);
    }
  } catch (error) {
    if (isEnvironmentError(error)) throw error;
    damage = `it cannot be read on after the key ${JSON.stringify(last)}: ${messageOf(error)}`;
  }
  const rows = { before: baseline.count(), after: candidate.count() };
  const { counts, first } = differences;
  return {
    comparison: { table: table.name, rows, ...counts, first, damage },
    digest: { before: baseline.digest(), after: candidate.digest() },
  };
};

const createDifferenceCounter = () => {
  const counts = { added: 0, removed: 0, changed: 0 };
  const first: RowDifference[] = [];
  return {
    counts,
    first,
    add(difference: RowDifference): void {
      counts[difference.kind] += 1;
      if (first.length < maxShownPerTable) first.push(difference);
    },
  };
};

/** Compares the current rows of two cursors and advances the cursor with the smaller key. */
const compareNext = (
  table: DerivedTable,
  baseline: TableCursor,
  candidate: TableCursor,
  differences: ReturnType<typeof createDifferenceCounter>,
  hasRow: (key: Key) => boolean,
): void => {
  const [one, two] = [baseline.row(), candidate.row()];
  const comparison = compareRows(one, two);
  if (one && comparison < 0) differences.add(unpaired(one, "removed"));
  else if (two && comparison > 0) differences.add(unpaired(two, "added"));
  else if (one && two && !one.record.equals(two.record)) differences.add(changed(table, one, two));
  else if (one && !hasRow(one.key)) {
    // The cursor reads the row and no lookup finds it: its key, or one above it in the tree, is damaged.
    differences.add({ key: one.key, kind: "changed", isDamaged: true, fields: [] });
  }
  if (comparison <= 0) baseline.advance();
  if (comparison >= 0) candidate.advance();
};

const unpaired = ({ key, isMisplaced }: StoredRow, kind: "added" | "removed"): RowDifference => ({
  key,
  kind,
  isDamaged: isMisplaced,
  fields: [],
});

const changed = (table: DerivedTable, one: StoredRow, other: StoredRow): RowDifference => {
  const fields = diffRecords(one.key, one.record, other.record, table);
  return { key: one.key, kind: "changed", isDamaged: fields === undefined, fields: fields ?? [] };
};

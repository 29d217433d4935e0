import { hasOperatorState, operatorDirectory } from "./directory.ts";
import { stricter, type Withdrawn } from "./revocation-floor.ts";
import type { DiscardRow, OperatorRow, RevocationRow, StoredDiscard } from "./rows.ts";
import { type OperatorTables, openOperatorTables } from "./tables.ts";

/**
 * Reads what outlives every generation: which tokens are dead, and which dead letters an operator discarded. A model can be
 * made again from the event log; of these rows no log may tell any more.
 */
export interface OperatorReader {
  /**
   * Reads which tokens of a label are dead, as of the newest commit.
   * @returns undefined for a label that nothing is known of
   * @throws `operator_state_damaged` when the state is damaged
   */
  revocation(label: string): Withdrawn | undefined;
  /** Reads the discards of a log by the sequence of their event. */
  discards(log: string): ReadonlyMap<number, StoredDiscard>;
  /** Reads every row. */
  rows(): readonly OperatorRow[];
  close(): Promise<void>;
}

/** The operator state as its one writer holds it: the holder of the data directory's lock. */
export interface OperatorState extends OperatorReader {
  readonly directory: string;
  /**
   * Adds rows in one commit, durable on return. A revocation only ever rises, so that the order of calls, and a call that is
   * made twice, change nothing. Nothing is written where nothing is new.
   */
  add(rows: readonly OperatorRow[]): void;
  /** Removes the discards of events, because their letters are gone. */
  removeDiscards(log: string, sequences: readonly number[]): void;
  /** Frees slots of readers that died; call it now and then while a writer runs. */
  reclaimReaders(): void;
}

/**
 * Opens the operator state of a data directory to write to it.
 * @throws `operator_state_damaged` when it is damaged or absent, or cannot be opened
 */
export const openOperatorState = (dataDir: string): OperatorState => {
  const directory = operatorDirectory(dataDir);
  return stateOf(directory, openOperatorTables(directory, false));
};

/**
 * Reads the operator state of a data directory beside its writer. One that is not there yet is empty, and is opened as soon
 * as it is.
 */
export const openOperatorReader = (dataDir: string): OperatorReader => {
  let open: OperatorReader | undefined;
  const found = (): OperatorReader | undefined => {
    if (!open && hasOperatorState(dataDir)) {
      open = readerOf(openOperatorTables(operatorDirectory(dataDir), true));
    }
    return open;
  };
  return {
    revocation: (label) => found()?.revocation(label),
    discards: (log) => found()?.discards(log) ?? new Map(),
    rows: () => found()?.rows() ?? [],
    close: async () => open?.close(),
  };
};

/** Reads the operator state in a directory of its own, as in a backup. */
export const openOperatorCopy = (directory: string): OperatorReader =>
  readerOf(openOperatorTables(directory, true));

/** An operator state without rows. */
export const noOperatorState: OperatorReader = {
  revocation: () => undefined,
  discards: () => new Map(),
  rows: () => [],
  close: async () => undefined,
};

const readerOf = (tables: OperatorTables): OperatorReader => ({
  revocation(label) {
    tables.refresh();
    return tables.revocations.get(label);
  },
  discards(log) {
    tables.refresh();
    const range = { start: [log, 0], end: [log, Number.POSITIVE_INFINITY] } as const;
    return new Map(
      [...tables.discards.entries(range)].map(([[, sequence], row]) => [sequence, row]),
    );
  },
  rows() {
    tables.refresh();
    return [
      ...[...tables.revocations.entries()].map(
        ([label, row]): RevocationRow => ({ kind: "revocation", label, ...row }),
      ),
      ...[...tables.discards.entries()].map(
        ([[log, sequence], row]): DiscardRow => ({ kind: "discard", log, sequence, ...row }),
      ),
    ];
  },
  close: tables.close,
});

const stateOf = (directory: string, tables: OperatorTables): OperatorState => ({
  ...readerOf(tables),
  directory,
  add(rows) {
    tables.refresh();
    const fresh = rows.filter((row) => isNew(tables, row));
    if (fresh.length > 0) tables.write(() => addAll(tables, fresh));
  },
  removeDiscards(log, sequences) {
    tables.refresh();
    const known = sequences.filter((sequence) => tables.discards.get([log, sequence]));
    if (known.length === 0) return;
    tables.write(() => {
      for (const sequence of known) tables.discards.remove([log, sequence]);
    });
  },
  reclaimReaders: tables.reclaimReaders,
});

/** Adds rows to open tables. Only within `write`. */
export const addAll = (tables: OperatorTables, rows: readonly OperatorRow[]): void => {
  // One row may make another one old.
  for (const row of rows) if (isNew(tables, row)) put(tables, row);
};

const isNew = (tables: OperatorTables, row: OperatorRow): boolean => {
  if (row.kind === "revocation") {
    const known = tables.revocations.get(row.label) ?? none;
    return stricter<Withdrawn>(known, row) !== known;
  }
  // Of two events at one place, the one that was discarded last is the one that stands there.
  const known = tables.discards.get([row.log, row.sequence]);
  return !known || (known.event !== row.event && known.time <= row.time);
};

const none: Withdrawn = { generation: 0, revoked: false };

const put = (tables: OperatorTables, row: OperatorRow): void => {
  if (row.kind === "revocation") {
    const { generation, revoked } = row;
    tables.revocations.put(row.label, { generation, revoked });
  } else {
    const { event, time } = row;
    tables.discards.put([row.log, row.sequence], { event, time });
  }
};

import type { RevocationFloor } from "../schema/rows.ts";
import { legacyTables, tables as modelTables } from "../schema/tables.ts";
import type { ReadTables } from "../store/store.ts";
import { hasOperatorState, operatorDirectory } from "./directory.ts";
import type { DiscardRow, OperatorRow, RevocationRow, StoredDiscard } from "./rows.ts";
import { type OperatorTables, openOperatorTables } from "./tables.ts";

/**
 * Reads the state that outlives every generation: revocations and discards. A model can be rebuilt from the event log; these
 * rows cannot, because the log may no longer contain their events.
 */
export interface OperatorReader {
  /**
   * Reads the revocation floor of a label from the latest commit.
   * @returns undefined when there is no row for the label
   * @throws `operator_state_damaged` when the state is damaged
   */
  revocation(label: string): RevocationFloor | undefined;
  /** Reads the discards of a log, by the sequence of their event. */
  discards(log: string): ReadonlyMap<number, StoredDiscard>;
  rows(): readonly OperatorRow[];
  close(): Promise<void>;
}

/** Writes the operator state. Only for the holder of the data directory's lock. */
export interface OperatorState extends OperatorReader {
  readonly directory: string;
  /**
   * Adds rows in one commit, durable on return; rows that change nothing are not written. Invariant: a revocation only
   * becomes stricter, so repeated and reordered calls have the same result.
   */
  add(rows: readonly OperatorRow[]): void;
  /** Removes the discards of events whose dead letters no longer exist. */
  removeDiscards(log: string, sequences: readonly number[]): void;
  /** Frees reader slots of dead processes; call it regularly while a writer runs. */
  reclaimReaders(): void;
}

/**
 * Opens the operator state of a data directory for writing.
 * @throws `operator_state_damaged` when it is damaged or absent; `not_writable` when it cannot be opened
 */
export const openOperatorState = (dataDir: string): OperatorState => {
  const directory = operatorDirectory(dataDir);
  return createState(directory, openOperatorTables(directory, false));
};

/**
 * Opens the operator state of a data directory for reading, while another process may write it. A missing state reads as
 * empty until the writer creates it.
 */
export const openOperatorReader = (dataDir: string): OperatorReader => {
  let reader: OperatorReader | undefined;
  const openIfExists = (): OperatorReader | undefined => {
    if (!reader && hasOperatorState(dataDir)) {
      reader = createReader(openOperatorTables(operatorDirectory(dataDir), true));
    }
    return reader;
  };
  return {
    revocation: (label) => openIfExists()?.revocation(label),
    discards: (log) => openIfExists()?.discards(log) ?? new Map(),
    rows: () => openIfExists()?.rows() ?? [],
    close: async () => reader?.close(),
  };
};

/** Opens a copy of the operator state for reading, such as that in a backup. */
export const openOperatorCopy = (directory: string): OperatorReader =>
  createReader(openOperatorTables(directory, true));

export const emptyOperatorState: OperatorReader = {
  revocation: () => undefined,
  discards: () => new Map(),
  rows: () => [],
  close: async () => undefined,
};

const createReader = (tables: OperatorTables): OperatorReader => ({
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

const createState = (directory: string, tables: OperatorTables): OperatorState => ({
  ...createReader(tables),
  directory,
  add(rows) {
    tables.refresh();
    const changes = rows.filter((row) => isChange(tables, row));
    if (changes.length > 0) tables.write(() => addRows(tables, changes));
  },
  removeDiscards(log, sequences) {
    tables.refresh();
    const stored = sequences.filter((sequence) => tables.discards.get([log, sequence]));
    if (stored.length === 0) return;
    tables.write(() => {
      for (const sequence of stored) tables.discards.remove([log, sequence]);
    });
  },
  reclaimReaders: tables.reclaimReaders,
});

/** Adds rows to open tables. Only within `write`. */
export const addRows = (tables: OperatorTables, rows: readonly OperatorRow[]): void => {
  // Each row is checked just before its write, because an earlier row of `rows` may supersede it.
  for (const row of rows) if (isChange(tables, row)) put(tables, row);
};

const isChange = (tables: OperatorTables, row: OperatorRow): boolean => {
  if (row.kind === "revocation") {
    const stored = tables.revocations.get(row.label) ?? noRevocation;
    return stricterOf<RevocationFloor>(stored, row) !== stored;
  }
  // Of two events with one sequence, the one discarded later is the one that the log holds now.
  const stored = tables.discards.get([row.log, row.sequence]);
  return !stored || (stored.event !== row.event && stored.time <= row.time);
};

const noRevocation: RevocationFloor = { generation: 0, revoked: false };

const put = (tables: OperatorTables, row: OperatorRow): void => {
  if (row.kind === "revocation") {
    const { generation, revoked } = row;
    tables.revocations.put(row.label, { generation, revoked });
  } else {
    const { event, time } = row;
    tables.discards.put([row.log, row.sequence], { event, time });
  }
};

/** Returns the floor that revokes more tokens; the first of two equal ones. */
export const stricterOf = <T extends RevocationFloor>(one: T, other: T): T => {
  if (one.generation !== other.generation) return one.generation > other.generation ? one : other;
  return other.revoked && !one.revoked ? other : one;
};

/**
 * Reads the strictest revocation of a label from the model and the operator state. The operator state outlives the log, so
 * that tokens stay revoked after a shop starts a new log.
 * @returns undefined for an unknown label
 */
export const readRevocationFloor = (
  stored: ReadTables,
  operator: Pick<OperatorReader, "revocation">,
  label: string,
): RevocationFloor | undefined =>
  [
    stored.get(modelTables.agents, label)?.content ?? undefined,
    operator.revocation(label),
    // In a directory of an earlier version, readers serve agents shortly before the operator state is created.
    stored.get(legacyTables.withdrawn, label),
  ].reduce((one, other) => (one && other ? stricterOf(one, other) : (one ?? other)));

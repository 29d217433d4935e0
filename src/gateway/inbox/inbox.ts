import { randomBytes } from "node:crypto";
import type { StateChange, StateReader } from "../../connectors/delivery.ts";
import type { PublishedRow } from "../../connectors/prepare-events.ts";
import { hasMembers, readJson, writeFileAtomic } from "../../platform/json-file.ts";
import {
  type ConnectionTables,
  type DeliveryRow,
  type InboxMeta,
  noteFileOf,
  openConnectionTables,
  type RefusedRow,
  tableKey,
} from "./tables.ts";
import { trimTables } from "./trim.ts";

export interface NewDelivery extends DeliveryRow {
  readonly body: Buffer;
}

export interface StoredDelivery extends NewDelivery {
  readonly arrival: number;
}

/** What the translation of some deliveries changes, in one transaction. */
export interface TranslatedBatch {
  /** Number of the newest translated delivery. */
  readonly position: number;
  readonly bytes: number;
  readonly changes: readonly StateChange[];
  readonly refused: ReadonlyMap<number, RefusedRow>;
  /** Keys of the table of counts, and how often each was met. */
  readonly counts: ReadonlyMap<string, number>;
  /** UTC, as `toUtcTime` returns it. */
  readonly at: string;
}

/** Inbox of a connection, with the state of its translator. */
export interface Inbox {
  meta(): InboxMeta;
  /**
   * Stores deliveries in one transaction, durable on return.
   * @returns the number of each; that of the first one for a repeated delivery id
   */
  append(deliveries: readonly NewDelivery[]): readonly number[];
  /** Finds a delivery with an id. */
  find(deliveryId: string): number | undefined;
  /** Reads the oldest deliveries that wait, up to a number and about a size. */
  readWaiting(maxCount: number, maxBytes: number): readonly StoredDelivery[];
  /** Reads the state that the newest commit left, also of another process. */
  openState<Tables>(): StateReader<Tables>;
  /** Notes that events of deliveries up to a number are about to be appended. */
  notePublishing(arrival: number): void;
  commit(batch: TranslatedBatch): void;
  /** Commits what the translation of a file changes. */
  commitImport(batch: Pick<TranslatedBatch, "changes" | "counts" | "at">): void;
  /** Reads what was published last of each subject. */
  readPublished(): Iterable<readonly [subject: string, row: PublishedRow]>;
  /**
   * Removes what is past its time or size, in part.
   * @param at UTC, as `toUtcTime` returns it
   * @returns whether there may be more to remove
   */
  trim(at: string): boolean;
  close(): Promise<void>;
}

export const openInbox = (directory: string): Inbox => {
  const tables = openConnectionTables(directory);
  const { env, ids, deliveries, bodies } = tables;
  const noteFile = noteFileOf(directory);
  nameInbox(tables, noteFile);
  const readMeta = (): InboxMeta => requireMeta(tables);
  return {
    meta: () => {
      env.root.resetReadTxn();
      return readMeta();
    },
    append: (rows) => env.write(() => appendRows(tables, readMeta(), rows)),
    find: (deliveryId) => ids.get(tableKey(deliveryId)),
    readWaiting(maxCount, maxBytes) {
      env.root.resetReadTxn();
      const waiting: StoredDelivery[] = [];
      let bytes = 0;
      for (const { key, value } of deliveries.getRange({ start: readMeta().position + 1 })) {
        if (waiting.length >= maxCount || bytes > maxBytes) break;
        bytes += value.bytes;
        waiting.push({ ...value, arrival: key, body: bodies.get(key) ?? Buffer.alloc(0) });
      }
      return waiting;
    },
    openState: () => ({ get: (table, key) => readState(tables, table, key) }),
    notePublishing(arrival) {
      const { inbox } = readMeta();
      writeFileAtomic(noteFile, JSON.stringify({ inbox, arrival }));
    },
    commit: (batch) => env.write(() => commitBatch(tables, readMeta(), batch)),
    commitImport: (batch) => env.write(() => putChanges(tables, batch)),
    readPublished: () => readPublished(tables),
    trim(at) {
      // A reader that was killed would keep old pages.
      env.root.readerCheck();
      return env.write(() => trimTables(tables, readMeta(), at));
    },
    close: () => env.close(),
  };
};

/** @throws when the tables are those of no inbox */
export const requireMeta = ({ meta }: ConnectionTables): InboxMeta => {
  const row = meta.get("inbox");
  if (!row) throw new Error("the inbox has no counters");
  return row;
};

/** Invariant: `commitBatch` stores rows of the type of their table only. */
const readState = <T>({ state }: ConnectionTables, table: string, key: string): T | undefined =>
  state.get(tableKey(`${table}/${key}`)) as T | undefined;

/**
 * Names a new inbox, and one whose file is older than what was published, because a copy of it was put back. Event ids
 * contain the name and the number of the delivery, so no number may be used twice under one name.
 */
const nameInbox = (tables: ConnectionTables, noteFile: string): void => {
  const { env, meta } = tables;
  env.write(() => {
    const row = meta.get("inbox");
    const published = readJson(noteFile, isNote);
    if (row && !(published && published.inbox === row.inbox && published.arrival > row.last))
      return;
    const empty = { last: 0, position: 0, waitingBytes: 0, storedBytes: 0 };
    meta.putSync("inbox", { ...(row ?? empty), inbox: createInboxName() });
    if (row) forgetPublished(tables);
  });
};

/** Forgets the data that was published last of each subject, and keeps its time: what the log has may be newer. */
export const forgetPublished = (tables: ConnectionTables): void => {
  // Rows are collected before any is written, because a write moves the cursor.
  for (const [subject, row] of [...readPublished(tables)]) {
    tables.state.putSync(`published/${subject}`, { ...row, digest: "" });
  }
};

export const createInboxName = (): string => randomBytes(6).toString("base64url");

const isNote = (value: unknown): value is { readonly inbox: string; readonly arrival: number } =>
  hasMembers(value, { inbox: "string", arrival: "number" });

/** Appends deliveries inside a write transaction. */
export const appendRows = (
  { deliveries, bodies, ids, meta }: ConnectionTables,
  before: InboxMeta,
  rows: readonly NewDelivery[],
): readonly number[] => {
  let { last, waitingBytes, storedBytes } = before;
  const arrivals = rows.map(({ body, ...row }) => {
    const id = row.deliveryId === undefined ? undefined : tableKey(row.deliveryId);
    const existing = id === undefined ? undefined : ids.get(id);
    if (existing !== undefined) return existing;
    last += 1;
    deliveries.putSync(last, row);
    bodies.putSync(last, body);
    if (id !== undefined) ids.putSync(id, last);
    waitingBytes += row.bytes;
    storedBytes += row.bytes;
    return last;
  });
  if (last > before.last) meta.putSync("inbox", { ...before, last, waitingBytes, storedBytes });
  return arrivals;
};

const commitBatch = (
  tables: ConnectionTables,
  before: InboxMeta,
  { position, bytes, refused, ...batch }: TranslatedBatch,
): void => {
  putChanges(tables, batch);
  for (const [arrival, row] of refused) tables.refused.putSync(arrival, row);
  const waitingBytes = before.waitingBytes - bytes;
  tables.meta.putSync("inbox", { ...before, position, waitingBytes });
};

const putChanges = (
  { state, counts: countRows }: ConnectionTables,
  { changes, counts, at }: Pick<TranslatedBatch, "changes" | "counts" | "at">,
): void => {
  for (const { table, key, row } of changes) {
    const stateKey = tableKey(`${table}/${key}`);
    if (row === undefined) state.removeSync(stateKey);
    else state.putSync(stateKey, row);
  }
  for (const [key, count] of counts) {
    countRows.putSync(key, { count: count + (countRows.get(key)?.count ?? 0), lastAt: at });
  }
};

/** Invariant: rows of this table are those of `prepareEvents`, whose subjects are short enough for a key. */
export function* readPublished({ state }: ConnectionTables, subjects = "") {
  const table = "published/";
  const start = `${table}${subjects}`;
  for (const { key, value } of state.getRange({ start, end: `${start}\uffff` })) {
    yield [key.slice(table.length), value as PublishedRow] as const;
  }
}

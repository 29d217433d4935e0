import { createHash, randomUUID } from "node:crypto";
import type { Database } from "lmdb";
import { messageOf, VitrineError } from "../../errors.ts";
import type { EventIdentity } from "../../events/envelope.ts";
import { isMessageOf } from "../../events/same-event.ts";
import { type Environment, openEnvironment } from "../../lmdb/environment.ts";
import { isCorruption } from "../../lmdb/error-codes.ts";
import type { LogBounds, LogIdentity, NewMessage } from "../event-log.ts";
import { corruptJournal, fileInode, journalUnusable, notAJournal } from "./directory.ts";
import { decodeRecord } from "./format.ts";

export interface Journal {
  /** `journal <directory>`, for people. */
  readonly address: string;
  readonly directory: string;
  /** Identifies the open file, see `fileInode`. */
  readonly inode: string | undefined;
  readonly isReadOnly: boolean;
  readonly env: Environment<Buffer, number>;
  /** Maps a sequence, from 1 and without holes, to a record's bytes. */
  readonly events: Database<Buffer, number>;
  /** Maps a message id (`idKey`) to its sequence, for ever. */
  readonly ids: Database<number, Buffer>;
  /** Maps `identity` to the journal's identity, and `last` to the latest sequence. */
  readonly meta: Database<LogIdentity | number, string>;
  readonly closing: AbortController;
}

/** @throws VitrineError not_writable or log_damaged */
export function openTables(directory: string, readOnly: boolean): Journal {
  try {
    const env = openEnvironment<Buffer, number>({ path: directory, readOnly, encoding: "binary" });
    const { root } = env;
    const tables = env.openDatabases(() => ({
      events: root.openDB<Buffer, number>({ name: "events", encoding: "binary" }),
      ids: root.openDB<number, Buffer>({
        name: "ids",
        encoding: "ordered-binary",
        keyEncoding: "binary",
      }),
      meta: root.openDB<LogIdentity | number, string>({ name: "meta", encoding: "json" }),
    }));
    return {
      address: `journal ${directory}`,
      directory,
      inode: fileInode(directory),
      isReadOnly: readOnly,
      env,
      ...tables,
      closing: new AbortController(),
    };
  } catch (thrown) {
    throw journalUnusable(directory, thrown);
  }
}

/** Creates the journal's identity when it has none: two processes may try at once. */
export function initialiseIdentity(journal: Journal, now: number): LogIdentity {
  const { env, meta } = journal;
  return env.write(() => {
    if (meta.get("identity") === undefined) {
      // The random name distinguishes two journals of one millisecond.
      const name = `journal-${randomUUID().slice(0, 8)}`;
      meta.putSync("identity", { name, created: new Date(now).toISOString() });
      meta.putSync("last", 0);
    }
    return readIdentity(journal);
  });
}

/** @throws VitrineError data_dir when the tables are not those of a journal */
export function readIdentity({ directory, meta }: Journal): LogIdentity {
  // A database opened for reading has no handle for a missing table.
  const identity = meta?.get("identity");
  if (typeof identity !== "object") throw notAJournal(directory);
  return identity;
}

/**
 * Reads the bounds in the latest snapshot.
 * @throws `log_damaged`
 */
export function readBounds(journal: Journal): LogBounds {
  assertOpen(journal);
  journal.env.root.resetReadTxn();
  return mapCorruption(journal, (): LogBounds => {
    const last = readLastSequence(journal);
    const [oldest] = journal.events.getKeys({ limit: 1 });
    const first = oldest ?? last + 1;
    return { first, last, isComplete: first <= 1 };
  });
}

/** Maps an unreadable LMDB page to `log_damaged`, like a record with a wrong checksum. */
export function mapCorruption<T>({ directory }: Journal, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw isCorruption(error) ? corruptJournal(directory, messageOf(error)) : error;
  }
}

/**
 * Reads the latest sequence in the current transaction. The stored number and the latest event verify each other: a
 * number that is too low would let the next event overwrite another.
 * @throws VitrineError log_damaged when they differ
 */
export const readLastSequence = ({ directory, events, meta }: Journal): number => {
  const last = Number(meta.get("last"));
  // A journal may be trimmed until it is empty.
  const [newest = Number.isSafeInteger(last) ? last : -1] = events.getKeys({
    reverse: true,
    limit: 1,
  });
  if (newest === last) return last;
  throw corruptJournal(directory, `its newest event is ${newest}, but it recorded ${last}`);
};

/**
 * Asserts that the open file is still the one in the directory, because a replaced file stays readable while every
 * other process uses the new one.
 * @throws VitrineError `divergence` when the file was removed; `reopen` when it was replaced
 */
export function assertNotReplaced(journal: Journal): void {
  assertOpen(journal);
  const file = fileInode(journal.directory);
  if (file === journal.inode) return;
  throw file === undefined
    ? new VitrineError(
        "divergence",
        `${journal.address} was removed while it was open`,
        "put the journal back, or restart to read the one that is there then",
      )
    : new VitrineError(
        "reopen",
        `${journal.address} was replaced while it was open`,
        "this process cannot read the new journal: a service starts another process; run a command again",
      );
}

export function assertOpen({ address, closing }: Journal): void {
  if (closing.signal.aborted) throw new VitrineError("event_log", `${address} is closed`);
}

export async function closeTables({ env, closing }: Journal): Promise<void> {
  closing.abort();
  await env.close();
}

/** Closes a journal and opens it again. It keeps the inode, so that a file that replaced it meanwhile is detected. */
export async function reopenTables(journal: Journal): Promise<Journal> {
  await closeTables(journal);
  return { ...openTables(journal.directory, journal.isReadOnly), inode: journal.inode };
}

/**
 * Builds the key of a message id in the table `ids`. LMDB accepts keys up to 1978 bytes, so the digest replaces a
 * long id; the prefix distinguishes ids from digests.
 */
export function idKey(id: string): Buffer {
  const key = Buffer.from(`=${id}`);
  return key.length <= 512 ? key : Buffer.from(`#${createHash("sha256").update(id).digest("hex")}`);
}

/** Finds the sequence of a message in the latest snapshot. */
export function findSequenceNow(journal: Journal, message: NewMessage): number | undefined {
  assertOpen(journal);
  journal.env.root.resetReadTxn();
  return mapCorruption(journal, () => findSequence(journal, message));
}

/** Finds the sequence of a message in the current transaction. */
export function findSequence(journal: Journal, { id, event }: NewMessage): number | undefined {
  return journal.ids.get(idKey(id)) ?? (event && sequenceByEventId(journal, event));
}

/**
 * Finds an event that an earlier version appended under the event's id alone. When another source used that id, or
 * the record was trimmed, the event counts as new.
 */
function sequenceByEventId({ ids, events }: Journal, event: EventIdentity): number | undefined {
  const sequence = ids.get(idKey(event.id));
  const bytes = sequence === undefined ? undefined : events.get(sequence);
  const record = sequence === undefined || !bytes ? undefined : decodeRecord(sequence, bytes);
  return record && isMessageOf(record, event) ? sequence : undefined;
}

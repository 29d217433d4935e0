import { dirname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { VitrineError } from "../../errors.ts";
import { markIntact } from "../../lmdb/intact-marker.ts";
import { fsyncPath } from "../../platform/durable-fs.ts";
import { lazy } from "../../platform/memo.ts";
import { chunkLimit, splitIntoChunks } from "../chunks.ts";
import type { AppendResult, EventLog, LogIdentity, NewMessage } from "../event-log.ts";
import { assertJournalDirectory, fileInode, journalUnusable } from "./directory.ts";
import { encodeRecord } from "./format.ts";
import { getRecord, readJournal } from "./read.ts";
import {
  assertNotReplaced,
  closeTables,
  findSequence,
  findSequenceNow,
  idKey,
  initialiseIdentity,
  type Journal,
  openTables,
  readBounds,
  readIdentity,
  readLastSequence,
  reopenTables,
} from "./tables.ts";

interface JournalOptions {
  /** Created when absent, unless `readOnly`. */
  readonly directory: string;
  /** Opens for reading; `append` is rejected. */
  readonly readOnly?: boolean;
  /** Clock for the times of records, in milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Opens the embedded event log: one LMDB directory, for any number of appending and reading processes. Unlike a
 * broker, it remembers message ids for ever.
 * @throws VitrineError data_dir when the directory is no journal, not_writable, log_damaged
 */
export function openJournal(options: JournalOptions): EventLog {
  const readOnly = options.readOnly ?? false;
  assertJournalDirectory(options.directory, readOnly);
  const first = openTables(options.directory, readOnly);
  const identity = readOrCreateIdentity(first, options);
  let opening = Promise.resolve(first);
  /** Whether the latest use was an append that succeeded: the file is intact then. */
  let hasAppended = false;
  const use = (): Promise<Journal> => {
    hasAppended = false;
    return opening;
  };
  return {
    address: first.address,
    identity: async () => {
      assertNotReplaced(await use());
      return identity;
    },
    bounds: async () => readBounds(await use()),
    find: async (message) => {
      const journal = await use();
      const sequence = findSequenceNow(journal, message);
      return sequence === undefined ? undefined : getRecord(journal, sequence);
    },
    append: async (messages) => {
      if (readOnly) throw readOnlyError(first);
      const appended = await append(await use(), messages, options.now);
      hasAppended = true;
      return appended;
    },
    read: (readOptions) => readJournal(use(), identity, readOptions),
    get: async (sequence) => getRecord(await use(), sequence),
    // A journal keeps all records of a subject.
    latestOfSubject: async () => undefined,
    onReconnect: () => () => undefined,
    // LMDB maps each page that was read until the file is closed.
    reopen: async () => {
      assertNotReplaced(await use());
      opening = opening.then(reopenTables);
      await opening;
    },
    close: lazy(async () => {
      const journal = await opening.catch(() => undefined);
      if (!journal) return;
      await closeTables(journal);
      const { directory, inode } = journal;
      if (hasAppended && fileInode(directory) === inode) markIntact(directory);
    }),
  };
}

/** Reads the identity of a journal, and creates it for a new one. A failure closes the journal. */
const readOrCreateIdentity = (journal: Journal, { readOnly, now }: JournalOptions): LogIdentity => {
  try {
    if (readOnly) return readIdentity(journal);
    const isNew = journal.meta.get("identity") === undefined;
    const identity = initialiseIdentity(journal, now());
    // Events are durable at their commit; the names of the new directories are not yet, and a power cut would lose
    // them.
    if (isNew) for (const path of [journal.directory, dirname(journal.directory)]) fsyncPath(path);
    return identity;
  } catch (thrown) {
    // A failure of the close must not hide why the journal cannot be used.
    closeTables(journal).catch(() => undefined);
    throw journalUnusable(journal.directory, thrown);
  }
};

async function append(
  journal: Journal,
  messages: readonly NewMessage[],
  now: () => number,
): Promise<readonly AppendResult[]> {
  const appended: AppendResult[] = [];
  for (const chunk of splitIntoChunks(messages, chunkLimit)) {
    assertNotReplaced(journal);
    try {
      appended.push(...journal.env.write(() => appendChunk(journal, chunk, now())));
    } catch (thrown) {
      throw journalUnusable(journal.directory, thrown);
    }
    await nextTurn();
  }
  return appended;
}

/** Appends messages inside a write transaction, which only one process at a time can hold. */
function appendChunk(
  journal: Journal,
  messages: readonly NewMessage[],
  time: number,
): readonly AppendResult[] {
  const { events, ids, meta } = journal;
  let last = readLastSequence(journal);
  const appended = messages.map((message) => {
    const stored = findSequence(journal, message);
    if (stored !== undefined) return { sequence: stored, duplicate: true };
    last += 1;
    events.putSync(last, encodeRecord(message, time));
    ids.putSync(idKey(message.id), last);
    return { sequence: last, duplicate: false };
  });
  meta.putSync("last", last);
  return appended;
}

const readOnlyError = ({ address }: Journal): VitrineError =>
  new VitrineError("not_writable", `${address} is open for reading only`);

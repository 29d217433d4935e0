import { setImmediate as nextTurn } from "node:timers/promises";
import type { VitrineError } from "../../errors.ts";
import { isAborted, sleep } from "../../platform/async.ts";
import { chunkLimit } from "../chunks.ts";
import {
  createSubjectFilter,
  type LogIdentity,
  type LogRecord,
  type ReadOptions,
} from "../event-log.ts";
import { assertReadableAfter } from "../read-position.ts";
import { corruptJournal } from "./directory.ts";
import { decodeRecord, readRecordSubject } from "./format.ts";
import {
  assertNotReplaced,
  assertOpen,
  type Journal,
  mapCorruption,
  readBounds,
} from "./tables.ts";

/**
 * Times in milliseconds. A follower polls, because other processes append without notice: often while records arrive.
 */
const poll = { minMs: 10, maxMs: 50, growth: 1.3, replacedCheckMs: 1000, readerCheckMs: 30_000 };

/** See `EventLog.read`. Also throws `divergence` when the directory is replaced under a follower. */
export async function* readJournal(
  opening: Promise<Journal>,
  identity: LogIdentity,
  options: ReadOptions,
): AsyncGenerator<readonly LogRecord[]> {
  const journal = await opening;
  const { signal: closing } = journal.closing;
  const ended = options.signal ? AbortSignal.any([options.signal, closing]) : closing;
  if (isAborted(ended)) return;
  // Once, because an open journal cannot return with another history: a replaced file ends the read.
  await options.verify?.({ identity, isResumed: true, latest: [] });
  const scan = startScan(journal, options);
  const runChecks = createPeriodicChecks(journal);
  let delayMs = poll.minMs;
  while (!isAborted(ended)) {
    runChecks();
    const { chunk, reached } = mapCorruption(journal, () => scanChunk(journal, scan));
    if (reached > scan.after) {
      scan.after = reached;
      scan.mayStartLate = false;
      options.onPosition?.(reached);
      delayMs = poll.minMs;
      if (chunk.length > 0) yield chunk;
      else await nextTurn();
    } else if (reached >= scan.end) {
      return;
    } else {
      await sleep(delayMs, ended);
      delayMs = Math.min(poll.maxMs, delayMs * poll.growth);
    }
  }
}

/** Asserts that the journal has the position of the reader, and returns the start of the read. */
const startScan = (journal: Journal, options: ReadOptions): Scan => {
  const bounds = readBounds(journal);
  const mayStartLate = options.allowLateStart ?? false;
  const after = mayStartLate ? Math.max(options.after, bounds.first - 1) : options.after;
  assertReadableAfter(journal.address, bounds, after);
  return {
    after,
    end: options.follow ? Number.POSITIVE_INFINITY : bounds.last,
    isWanted: options.subjects && createSubjectFilter(options.subjects),
    mayStartLate,
  };
};

export function getRecord(journal: Journal, sequence: number): LogRecord | undefined {
  assertOpen(journal);
  journal.env.root.resetReadTxn();
  const bytes = mapCorruption(journal, () => journal.events.get(sequence));
  return bytes && decodeOrThrow(journal, sequence, bytes);
}

interface ScanResult {
  readonly chunk: readonly LogRecord[];
  /** Sequence of the last scanned record; the previous position when there was none. */
  readonly reached: number;
}

interface Scan {
  /** Sequence of the last record that was read. */
  after: number;
  /** Sequence of the last record to read. */
  readonly end: number;
  /** Selects the subjects to return; undefined returns all. */
  readonly isWanted: ((subject: string) => boolean) | undefined;
  /** True before the first record: the journal may then begin at any sequence. */
  mayStartLate: boolean;
}

/** Scans the next records in the latest snapshot. */
function scanChunk(
  journal: Journal,
  { after: position, end, isWanted, mayStartLate }: Readonly<Scan>,
): ScanResult {
  journal.env.root.resetReadTxn();
  const chunk: LogRecord[] = [];
  let bytes = 0;
  let first: number | undefined;
  let reached = position;
  const range = { start: position + 1, limit: chunkLimit.count };
  for (const { key, value } of journal.events.getRange(range)) {
    const isBeginning = mayStartLate && first === undefined && key === readOldestSequence(journal);
    if (key !== reached + 1 && !isBeginning) throwGap(journal, position, reached + 1);
    bytes += value.length;
    if (key > end || (bytes > chunkLimit.bytes && first !== undefined)) break;
    first ??= key;
    reached = key;
    if (isWanted?.(readRecordSubject(value)) ?? true)
      chunk.push(decodeOrThrow(journal, key, value));
  }
  return { chunk, reached };
}

const readOldestSequence = ({ events }: Journal): number | undefined => {
  const [oldest] = events.getKeys({ limit: 1 });
  return oldest;
};

/**
 * Throws the error for a missing record: a journal has no holes, so it was trimmed during the read, or the file is
 * corrupt.
 */
function throwGap(journal: Journal, position: number, missing: number): never {
  assertReadableAfter(journal.address, readBounds(journal), position);
  throw corruptRecord(journal, missing);
}

function decodeOrThrow(journal: Journal, sequence: number, bytes: Buffer): LogRecord {
  const record = decodeRecord(sequence, bytes);
  if (record === undefined) throw corruptRecord(journal, sequence);
  return record;
}

const corruptRecord = ({ directory }: Journal, sequence: number): VitrineError =>
  corruptJournal(directory, `record ${sequence} is not what was written`);

/**
 * Creates the periodic checks of a long read: that the file was not replaced, and that LMDB frees the slots of dead
 * readers.
 */
function createPeriodicChecks(journal: Journal): () => void {
  const checkReplaced = runEvery(poll.replacedCheckMs, () => assertNotReplaced(journal));
  const checkReaders = runEvery(poll.readerCheckMs, () => journal.env.root.readerCheck());
  return () => {
    checkReplaced();
    checkReaders();
  };
}

function runEvery(ms: number, check: () => void): () => void {
  let next = performance.now() + ms;
  return () => {
    if (performance.now() < next) return;
    next = performance.now() + ms;
    check();
  };
}

import { setImmediate as nextTurn } from "node:timers/promises";
import type { VitrineError } from "../../errors.ts";
import { aborted, pause } from "../../platform/async.ts";
import { chunkLimit } from "../chunks.ts";
import { mustBeSame, mustContinue } from "../continuity.ts";
import type { LogIdentity, LogRecord, ReadOptions } from "../event-log.ts";
import { damaged } from "./directory.ts";
import { decodeRecord, subjectOf } from "./format.ts";
import { boundsOf, type Journal, mustBeOpen, mustStillBeThere, reading } from "./tables.ts";

/** Milliseconds. Other processes append and tell nobody, so a follower looks: often while there is something to see. */
const poll = { shortest: 10, longest: 50, growth: 1.3, lookAround: 1000, readerCheck: 30_000 };

/** See `EventLog.read`. Throws divergence also when the directory is replaced under a follower. */
export async function* readJournal(
  journal: Journal,
  identity: LogIdentity,
  options: ReadOptions,
): AsyncGenerator<readonly LogRecord[]> {
  const { signal: closing } = journal.closing;
  const ended = options.signal ? AbortSignal.any([options.signal, closing]) : closing;
  if (aborted(ended)) return;
  const bounds = boundsOf(journal);
  mustBeSame(journal.address, identity, options.identity);
  const isFirst = options.isFirst ?? false;
  let position = isFirst ? Math.max(options.after, bounds.first - 1) : options.after;
  mustContinue(journal.address, bounds, position);
  let isBegun = false;
  const look = lookAfter(journal);
  const end = options.follow ? Number.POSITIVE_INFINITY : bounds.last;
  const wanted = options.subjects && new Set(options.subjects);
  let wait = poll.shortest;
  while (!aborted(ended)) {
    look();
    const after = position;
    const isAtFirst = isFirst && !isBegun;
    const { chunk, reached } = reading(journal, () =>
      chunkAfter(journal, { after, end, wanted, isAtFirst }),
    );
    if (reached > position) {
      position = reached;
      options.onPosition?.(position);
      isBegun = true;
      wait = poll.shortest;
      if (chunk.length > 0) yield chunk;
      else await nextTurn();
    } else if (position >= end) {
      return;
    } else {
      await pause(wait, ended);
      wait = Math.min(poll.longest, wait * poll.growth);
    }
  }
}

/** The record at a sequence, or undefined. */
export function recordAt(journal: Journal, sequence: number): LogRecord | undefined {
  mustBeOpen(journal);
  journal.env.root.resetReadTxn();
  const bytes = reading(journal, () => journal.events.get(sequence));
  return bytes && decoded(journal, sequence, bytes);
}

interface Scanned {
  readonly chunk: readonly LogRecord[];
  /** Sequence of the last record looked at; the position before it when there was none. */
  readonly reached: number;
}

interface Scan {
  readonly after: number;
  /** Sequence of the last record to read. */
  readonly end: number;
  /** Subjects; all without. */
  readonly wanted: ReadonlySet<string> | undefined;
  /** Nothing was read yet: wherever the journal begins by now is its beginning. */
  readonly isAtFirst: boolean;
}

/** The next records that are wanted, from a read transaction of this very moment. */
function chunkAfter(journal: Journal, { after: position, end, wanted, isAtFirst }: Scan): Scanned {
  journal.env.root.resetReadTxn();
  const chunk: LogRecord[] = [];
  let bytes = 0;
  let first: number | undefined;
  let reached = position;
  const range = { start: position + 1, limit: chunkLimit.count };
  for (const { key, value } of journal.events.getRange(range)) {
    const isBeginning = isAtFirst && first === undefined && key === oldestOf(journal);
    if (key !== reached + 1 && !isBeginning) mustBeTrimmed(journal, position, reached + 1);
    bytes += value.length;
    if (key > end || (bytes > chunkLimit.bytes && first !== undefined)) break;
    first ??= key;
    reached = key;
    if (wanted?.has(subjectOf(value)) ?? true) chunk.push(decoded(journal, key, value));
  }
  return { chunk, reached };
}

const oldestOf = ({ events }: Journal): number | undefined => {
  const [oldest] = events.getKeys({ limit: 1 });
  return oldest;
};

/** A journal has no holes: what is missing was trimmed while this reader was on its way, or the file is damaged. */
function mustBeTrimmed(journal: Journal, position: number, missing: number): never {
  mustContinue(journal.address, boundsOf(journal), position);
  throw notWritten(journal, missing);
}

function decoded(journal: Journal, sequence: number, bytes: Buffer): LogRecord {
  const record = decodeRecord(sequence, bytes);
  if (record === undefined) throw notWritten(journal, sequence);
  return record;
}

const notWritten = ({ directory }: Journal, sequence: number): VitrineError =>
  damaged(directory, `record ${sequence} is not what was written`);

/** What a long reader sees to now and then: that the file is still the one, and that dead readers let go of it. */
function lookAfter(journal: Journal): () => void {
  const stillThere = every(poll.lookAround, () => mustStillBeThere(journal));
  const readers = every(poll.readerCheck, () => journal.env.root.readerCheck());
  return () => {
    stillThere();
    readers();
  };
}

function every(ms: number, what: () => void): () => void {
  let next = performance.now() + ms;
  return () => {
    if (performance.now() < next) return;
    next = performance.now() + ms;
    what();
  };
}

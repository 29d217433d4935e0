import type { Position } from "../../read-model/reader/feed/position.ts";
import type { Snapshot } from "../../read-model/reader/reader.ts";
import { type ChangedLine, type LineKind, lineKinds } from "../../read-model/schema/lines.ts";
import { openRecords, type ReadRecord } from "./records.ts";
import { type ChangesRequest, type FeedPosition, formatFeedPosition } from "./request.ts";

/** One page of the feed (Contract §11). */
export interface ChangesPage {
  /** What the client has after this page; null while more must be read. */
  readonly position: string | null;
  /** ISO 8601: when the log stored the last event of the snapshot. */
  readonly as_of: string;
  /** JSON of each change. */
  readonly changes: readonly string[];
  readonly next: ChangesRequest;
}

/** Limits of a page, which has at least the lines of one entity unless none changed of all that it may read. */
export const pageLimits = { lines: 300, bytes: 256 * 1024, keys: 5_000 };

type PageLimits = typeof pageLimits;

const allKinds: ReadonlySet<LineKind> = new Set(lineKinds);

/** Reads a page. @param position of the snapshot */
export const readPage = (
  snapshot: Snapshot,
  position: Position,
  request: ChangesRequest,
  limits: PageLimits = pageLimits,
): ChangesPage => {
  const { since, kinds = allKinds, walk } = request;
  const lines = snapshot.changedLines({
    ...{ since: since.sequence, instant: since.instant },
    ...{ kinds, after: walk?.after, maxKeys: limits.keys },
  });
  const { changes, end } = readChanges(lines, snapshot, limits);
  const current = { sequence: position.sequence, instant: snapshot.instant() };
  const begin = walk ? { sequence: walk.sequence, instant: earlier(walk, current) } : current;
  const isClaim = !walk && end === undefined;
  return {
    position: isClaim ? formatFeedPosition(position.epoch, current) : null,
    as_of: position.asOf,
    changes,
    next:
      end === undefined
        ? { since: begin, kinds: request.kinds, walk: undefined }
        : { since, kinds: request.kinds, walk: { after: end, ...begin } },
  };
};

/** The clocks of replicas differ: lines that one of them evaluated early must be sent again. */
const earlier = (one: FeedPosition, other: FeedPosition): number =>
  Math.min(one.instant, other.instant);

/** Reads lines until the page is full. @returns the last key that was read, when not all were */
const readChanges = (
  lines: ReturnType<Snapshot["changedLines"]>,
  snapshot: Snapshot,
  limits: PageLimits,
) => {
  const readRecord = openRecords(snapshot);
  const changes: string[] = [];
  let [bytes, end] = [0, ""];
  try {
    for (let step = lines.next(); ; step = lines.next()) {
      if (step.done) return { changes, end: step.value };
      const texts = step.value.lines.map((line) =>
        JSON.stringify(toChange(snapshot, readRecord, line)),
      );
      bytes += Buffer.byteLength(texts.join());
      const isFull = bytes > limits.bytes || changes.length + texts.length > limits.lines;
      if (changes.length > 0 && isFull) return { changes, end };
      changes.push(...texts);
      end = step.value.key;
    }
  } finally {
    // Ends the read transaction of its range, because LMDB reuses no page that an open one may read.
    lines.return(undefined);
  }
};

const toChange = (
  snapshot: Snapshot,
  readRecord: ReadRecord,
  { line, isRemoved }: ChangedLine,
): object => {
  const record = isRemoved ? undefined : readRecord(line);
  return record
    ? { ...line, op: "upsert", record }
    : { ...line, op: "remove", reason: snapshot.removalReason(line) };
};

export const formatPage = ({ position, as_of, changes }: ChangesPage, next?: string): string => {
  const head = JSON.stringify({ position, as_of, next }).slice(0, -1);
  return `${head},"changes":[${changes.join(",")}]}`;
};

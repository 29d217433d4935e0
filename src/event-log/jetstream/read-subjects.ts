import type { Logger } from "../../log.ts";
import { chunkLimit, slices } from "../chunks.ts";
import type { LogRecord, ReadOptions } from "../event-log.ts";
import { type ReadTiming, readConsumer } from "./read.ts";
import { type Stream, stateOf } from "./stream.ts";

/**
 * Subjects that are asked for one by one; of more, the whole stream is read and the others are left out. So does a
 * reader that follows: of a stream that grows, silence on one subject proves nothing.
 */
const fewSubjects = 4;

type Reading = AsyncGenerator<readonly LogRecord[]>;

/** See `EventLog.read`. @param log told of every loss and of every failed attempt */
export function readStream(
  stream: Stream,
  options: ReadOptions,
  timing: ReadTiming,
  log?: Logger,
): Reading {
  const { subjects, ...whole } = options;
  if (subjects === undefined) return readConsumer(stream, options, timing, log);
  return subjects.length <= fewSubjects && !options.follow
    ? readEach(stream, subjects, whole, timing, log)
    : readOnly(readConsumer(stream, whole, timing, log), new Set(subjects));
}

async function* readOnly(reading: Reading, wanted: ReadonlySet<string>): Reading {
  for await (const records of reading) {
    const chunk = records.filter(({ subject }) => wanted.has(subject));
    if (chunk.length > 0) yield chunk;
  }
}

/** One consumer for each subject, which the broker finds without going through the others. */
async function* readEach(
  stream: Stream,
  subjects: readonly string[],
  options: ReadOptions,
  timing: ReadTiming,
  log: Logger | undefined,
): Reading {
  const read = (subject: string): Reading =>
    readConsumer(stream, { ...options, subjects: [subject] }, timing, log);
  const [only, ...others] = new Set(subjects);
  if (only === undefined) return;
  if (others.length === 0) {
    yield* read(only);
    return;
  }
  // Each reading finds an end of its own, and what one subject was told after another's is not to be seen.
  const end = (await stateOf(stream)).bounds.last;
  for await (const records of merged([only, ...others].map(read))) {
    const chunk = records.filter(({ sequence }) => sequence <= end);
    if (chunk.length > 0) yield chunk;
  }
}

interface Branch {
  readonly reading: Reading;
  /** What was read and is not handed on yet; empty at the end of the reading. */
  records: readonly LogRecord[];
}

/** Readings that end, in one order. */
async function* merged(readings: readonly Reading[]): Reading {
  const branches = readings.map((reading): Branch => ({ reading, records: [] }));
  try {
    await Promise.all(branches.map(advance));
    for (;;) {
      const open = branches.filter(({ records }) => records.length > 0);
      if (open.length === 0) return;
      // Up to here nothing can come from any of them any more.
      const known = Math.min(...open.map(({ records }) => records.at(-1)?.sequence ?? 0));
      const chunk = open.flatMap((branch) => take(branch, known));
      yield* slices(
        chunk.sort((a, b) => a.sequence - b.sequence),
        chunkLimit,
      );
      await Promise.all(open.filter(({ records }) => records.length === 0).map(advance));
    }
  } finally {
    await Promise.all(readings.map((reading) => reading.return(undefined)));
  }
}

async function advance(branch: Branch): Promise<void> {
  const { value, done } = await branch.reading.next();
  branch.records = done ? [] : value;
}

function take(branch: Branch, upTo: number): readonly LogRecord[] {
  const kept = branch.records.findIndex(({ sequence }) => sequence > upTo);
  const taken = kept === -1 ? branch.records : branch.records.slice(0, kept);
  branch.records = kept === -1 ? [] : branch.records.slice(kept);
  return taken;
}

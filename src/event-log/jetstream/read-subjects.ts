import { chunkLimit, splitIntoChunks } from "../chunks.ts";
import { createSubjectFilter, type LogRecord, type ReadOptions } from "../event-log.ts";
import { readConsumer } from "./read.ts";
import { getStreamState, type Stream } from "./stream.ts";

/**
 * Limit of subjects that are read by a consumer each. For more, and for a reader that follows, the complete stream is
 * read and filtered: in a growing stream, silence on one subject proves nothing.
 */
const maxFilteredSubjects = 6;

type RecordStream = AsyncGenerator<readonly LogRecord[]>;

/** See `EventLog.read`. */
export function readStream(stream: Stream, options: ReadOptions): RecordStream {
  const { subjects, ...unfiltered } = options;
  if (subjects === undefined) return readConsumer(stream, options);
  return subjects.length <= maxFilteredSubjects && !options.follow
    ? readEach(stream, subjects, unfiltered)
    : filterSubjects(readConsumer(stream, unfiltered), subjects);
}

async function* filterSubjects(stream: RecordStream, subjects: readonly string[]): RecordStream {
  const isWanted = createSubjectFilter(subjects);
  for await (const records of stream) {
    const chunk = records.filter(({ subject }) => isWanted(subject));
    if (chunk.length > 0) yield chunk;
  }
}

/** Reads each subject by a consumer of its own, because the broker then skips all other records. */
async function* readEach(
  stream: Stream,
  subjects: readonly string[],
  options: ReadOptions,
): RecordStream {
  const read = (subject: string): RecordStream =>
    readConsumer(stream, { ...options, subjects: [subject] });
  const [first, ...others] = new Set(subjects);
  if (first === undefined) return;
  if (others.length === 0) {
    yield* read(first);
    return;
  }
  // Each read ends at its own last sequence, so records after this common end are dropped.
  const end = (await getStreamState(stream)).bounds.last;
  for await (const records of mergeStreams([first, ...others].map(read))) {
    const chunk = records.filter(({ sequence }) => sequence <= end);
    if (chunk.length > 0) yield chunk;
  }
}

interface MergeSource {
  readonly stream: RecordStream;
  /** Records that were read and not yet yielded; empty at the end of the stream. */
  records: readonly LogRecord[];
}

async function* mergeStreams(streams: readonly RecordStream[]): RecordStream {
  const sources = streams.map((stream): MergeSource => ({ stream, records: [] }));
  try {
    await Promise.all(sources.map(advance));
    for (;;) {
      const open = sources.filter(({ records }) => records.length > 0);
      if (open.length === 0) return;
      // No stream can return a record up to this sequence any more.
      const mergedUpTo = Math.min(...open.map(({ records }) => records.at(-1)?.sequence ?? 0));
      const chunk = open.flatMap((source) => take(source, mergedUpTo));
      yield* splitIntoChunks(
        chunk.sort((a, b) => a.sequence - b.sequence),
        chunkLimit,
      );
      await Promise.all(open.filter(({ records }) => records.length === 0).map(advance));
    }
  } finally {
    await Promise.all(streams.map((stream) => stream.return(undefined)));
  }
}

async function advance(source: MergeSource): Promise<void> {
  const { value, done } = await source.stream.next();
  source.records = done ? [] : value;
}

function take(source: MergeSource, upTo: number): readonly LogRecord[] {
  const splitAt = source.records.findIndex(({ sequence }) => sequence > upTo);
  const taken = splitAt === -1 ? source.records : source.records.slice(0, splitAt);
  source.records = splitAt === -1 ? [] : source.records.slice(splitAt);
  return taken;
}

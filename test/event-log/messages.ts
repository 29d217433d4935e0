import type {
  EventLog,
  LogRecord,
  NewMessage,
  ReadOptions,
} from "../../src/event-log/event-log.ts";

/** Builds a valid message; `n` determines its id and subject. */
export const message = (n: number, over: Partial<NewMessage> = {}): NewMessage => ({
  id: `event-${n}`,
  subject: `shop.product.${n}`,
  headers: { "Content-Type": "application/cloudevents+json" },
  body: Buffer.from(`{"n":${n}}`),
  ...over,
});

/** Builds the messages `from` to `to`, inclusive. */
export const messages = (from: number, to: number): readonly NewMessage[] =>
  Array.from({ length: to - from + 1 }, (_, at) => message(from + at));

/** Reads all records, chunk by chunk. */
export async function chunksOf(
  log: EventLog,
  options: Partial<ReadOptions> = {},
): Promise<readonly (readonly LogRecord[])[]> {
  const chunks: (readonly LogRecord[])[] = [];
  for await (const chunk of log.read({ after: 0, follow: false, ...options })) chunks.push(chunk);
  return chunks;
}

/** Reads the records after `after` up to the end. */
export const recordsOf = async (log: EventLog, after = 0): Promise<readonly LogRecord[]> =>
  (await chunksOf(log, { after })).flat();

export const sequencesOf = (records: readonly LogRecord[]): readonly number[] =>
  records.map((record) => record.sequence);

export const textsOf = (records: readonly LogRecord[]): readonly string[] =>
  records.map((record) => Buffer.from(record.body).toString());

/** A following reader and the records it has seen. */
export interface Follower {
  readonly seen: readonly LogRecord[];
  /**
   * Resolves when this many records were seen; rejects with the error of the read, or when it ended, or after
   * ten seconds.
   */
  sees(count: number): Promise<readonly LogRecord[]>;
  /** Resolves when the read ended; rejects with its error. */
  ends(): Promise<void>;
  /** Stops the read. */
  stop(): Promise<void>;
}

/** Rejects after ten seconds with the state of the read. */
async function soon<T>(promise: Promise<T>, state: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`too late: ${state()}`)), 10_000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

export function follow(
  log: Pick<EventLog, "read">,
  overrides: Partial<ReadOptions> = {},
): Follower {
  const seen: LogRecord[] = [];
  const aborting = new AbortController();
  let stir = () => {};
  let over = false;
  const run = async () => {
    const options = { after: 0, follow: true, signal: aborting.signal, ...overrides };
    for await (const chunk of log.read(options)) {
      seen.push(...chunk);
      stir();
    }
  };
  const ended = run().finally(() => {
    over = true;
    stir();
  });
  ended.catch(() => undefined);
  const until = async (count: number) => {
    while (seen.length < count && !over) {
      await new Promise<void>((resolve) => {
        stir = resolve;
      });
    }
    if (seen.length < count) await ended;
    if (seen.length < count) throw new Error(`the reading ended after ${seen.length} records`);
    return seen;
  };
  const ends = () => soon(ended, () => "the reading goes on");
  return {
    seen,
    sees: (count) => soon(until(count), () => `${seen.length} of ${count} records`),
    ends,
    stop: () => {
      aborting.abort();
      return ends();
    },
  };
}

import type { Reader } from "../../read-model/reader/reader.ts";

/** Rendering time in milliseconds from which a text counts as expensive and may be served stale. */
const expensiveMs = 50;

/** Share of the process's time that rendering one expensive text may take. */
const maxTimeShare = 1 / 10;

/** Starts a task when all tasks enqueued before it have ended. */
export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>;

export const createSerialQueue = (): SerialQueue => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
};

/**
 * Renders a text once for all concurrent and later requests until a page changes, in any generation. A text
 * that took over 50 ms to render is served stale until rendering takes at most 10 % of the time. A request
 * joins a rendering in progress only if no page has changed since that rendering started.
 * @param queue shared by the texts that must not be rendered at the same time
 */
export const coalesce = <T>(
  write: (reader: Reader) => Promise<T>,
  queue: SerialQueue,
): ((reader: Reader) => Promise<T>) => {
  let cached: CachedText<T> | undefined;
  let inFlight: PendingText<T> | undefined;
  const current = (reader: Reader): CachedText<T> | undefined =>
    cached && (cached.version === getPagesVersion(reader) || performance.now() < cached.freshUntil)
      ? cached
      : undefined;
  const render = async (reader: Reader, version: string): Promise<T> => {
    const startedAt = performance.now();
    const text = await write(reader);
    const endedAt = performance.now();
    const durationMs = endedAt - startedAt;
    cached = {
      text,
      version,
      freshUntil: durationMs < expensiveMs ? endedAt : endedAt + durationMs / maxTimeShare,
    };
    return text;
  };
  const startRender = (reader: Reader): Promise<T> => {
    const text = queue(async () => {
      // A rendering that ended while this one was queued may suffice.
      const hit = current(reader);
      if (hit) return hit.text;
      pending.version = getPagesVersion(reader);
      return render(reader, pending.version);
    });
    const pending: PendingText<T> = { reader, version: undefined, text };
    inFlight = pending;
    const clear = (): void => {
      if (inFlight === pending) inFlight = undefined;
    };
    text.then(clear, clear);
    return text;
  };
  return async (reader) => {
    const hit = current(reader);
    if (hit) return hit.text;
    return inFlight && canJoin(inFlight, reader) ? inFlight.text : startRender(reader);
  };
};

/**
 * Tests whether a request may use a rendering in progress. The reader must be the same, because the reader of
 * another generation may be closed meanwhile.
 */
const canJoin = ({ reader, version }: PendingText<unknown>, requestReader: Reader): boolean =>
  reader === requestReader && (version === undefined || version === getPagesVersion(requestReader));

const getPagesVersion = (reader: Reader): string =>
  reader.snapshot((snapshot) => snapshot.pagesVersion());

interface CachedText<T> {
  readonly text: T;
  /** Version of the pages that the text was rendered from. */
  readonly version: string;
  /** Time until which the text is served unconditionally, on the clock of `performance`. */
  readonly freshUntil: number;
}

interface PendingText<T> {
  readonly reader: Reader;
  readonly text: Promise<T>;
  /** Version of the pages when rendering started; undefined while it is queued. */
  version: string | undefined;
}

import type { Reader } from "../../read-model/reader/reader.ts";

/** A text that took this long to write, in milliseconds, is not written anew at each event. */
const expensiveMs = 50;

/** A costly text may take this part of the process's time. */
const maxTimeShare = 1 / 10;

/** Lets what is told to it begin when all that was told before has ended. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

export const inTurn = (): InTurn => {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
};

/**
 * Writes a text of pages once for all who ask while these stay the same, in whichever generation. One that is costly
 * to write may be as old as it takes to keep its share of the time. A request that comes while a text is written waits
 * for that one only where no page has changed since its writing began.
 * @param turn shared with the texts that are not to be written beside this one
 */
export const whileUnchanged = <T>(
  write: (reader: Reader) => Promise<T>,
  queue: InTurn,
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
      // One that was written while this one waited for its turn may do.
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

/** Whether a request may be answered by a text that is being written. One of another generation may find that closed. */
const canJoin = ({ reader, version }: PendingText<unknown>, requestReader: Reader): boolean =>
  reader === requestReader && (version === undefined || version === getPagesVersion(requestReader));

const getPagesVersion = (reader: Reader): string =>
  reader.snapshot((snapshot) => snapshot.pagesVersion());

interface CachedText<T> {
  readonly text: T;
  /** Of the pages it was written of. */
  readonly version: string;
  /** Until when nothing newer is written, on the clock of `performance`. */
  readonly freshUntil: number;
}

interface PendingText<T> {
  readonly reader: Reader;
  readonly text: Promise<T>;
  /** Of the pages when its writing began; undefined while it waits for its turn. */
  version: string | undefined;
}

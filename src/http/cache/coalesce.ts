import type { Reader } from "../../read-model/reader/reader.ts";

/** A text that took this long to write, in milliseconds, is not written anew at each event. */
const costly = 50;

/** A costly text may take this part of the process's time. */
const share = 1 / 10;

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
  turn: InTurn,
): ((reader: Reader) => Promise<T>) => {
  let kept: Kept<T> | undefined;
  let coming: Coming<T> | undefined;
  const current = (reader: Reader): Kept<T> | undefined =>
    kept && (kept.version === versionOf(reader) || performance.now() < kept.rests)
      ? kept
      : undefined;
  const writeNow = async (reader: Reader, version: string): Promise<T> => {
    const begun = performance.now();
    const text = await write(reader);
    const ended = performance.now();
    const took = ended - begun;
    kept = { text, version, rests: took < costly ? ended : ended + took / share };
    return text;
  };
  const begin = (reader: Reader): Promise<T> => {
    const text = turn(async () => {
      // One that was written while this one waited for its turn may do.
      const found = current(reader);
      if (found) return found.text;
      mine.version = versionOf(reader);
      return writeNow(reader, mine.version);
    });
    const mine: Coming<T> = { reader, version: undefined, text };
    coming = mine;
    const end = (): void => {
      if (coming === mine) coming = undefined;
    };
    text.then(end, end);
    return text;
  };
  return async (reader) => {
    const found = current(reader);
    if (found) return found.text;
    return coming && isShared(coming, reader) ? coming.text : begin(reader);
  };
};

/** Whether a request may be answered by a text that is being written. One of another generation may find that closed. */
const isShared = ({ reader, version }: Coming<unknown>, asking: Reader): boolean =>
  reader === asking && (version === undefined || version === versionOf(asking));

const versionOf = (reader: Reader): string => reader.snapshot((moment) => moment.pagesVersion());

interface Kept<T> {
  readonly text: T;
  /** Of the pages it was written of. */
  readonly version: string;
  /** Until when nothing newer is written, on the clock of `performance`. */
  readonly rests: number;
}

interface Coming<T> {
  readonly reader: Reader;
  readonly text: Promise<T>;
  /** Of the pages when its writing began; undefined while it waits for its turn. */
  version: string | undefined;
}

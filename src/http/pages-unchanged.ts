import type { Reader } from "../read-model/reader.ts";

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
 * Writes a text once for all who ask while the model stays the same. One that is costly to write may be as old as
 * it takes to keep its share of the time; who asks meanwhile waits for the same writing.
 * @param turn shared with the texts that are not to be written beside this one
 */
export const whileUnchanged = <T>(
  write: (reader: Reader) => Promise<T>,
  turn: InTurn,
): ((reader: Reader) => Promise<T>) => {
  let kept: Kept<T> | undefined;
  return (reader) => {
    const version = reader.snapshot((moment) => moment.version());
    if (kept?.reader === reader && (kept.version === version || performance.now() < kept.until)) {
      return kept.text;
    }
    let begun = 0;
    const begin = (): Promise<T> => {
      begun = performance.now();
      return write(reader);
    };
    const fresh: Kept<T> = {
      reader,
      version,
      until: Number.POSITIVE_INFINITY,
      text: turn(begin),
    };
    kept = fresh;
    fresh.text.then(
      () => {
        const ended = performance.now();
        fresh.until = ended - begun < costly ? 0 : ended + (ended - begun) / share;
      },
      () => {
        if (kept === fresh) kept = undefined;
      },
    );
    return fresh.text;
  };
};

interface Kept<T> {
  readonly reader: Reader;
  readonly version: string;
  /** Until when the text may be shown though the model went on, on the clock of `performance`. */
  until: number;
  readonly text: Promise<T>;
}

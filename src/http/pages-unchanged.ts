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
 * Writes a text of pages once for all who ask while these stay the same, in whichever generation. One that is costly
 * to write may be as old as it takes to keep its share of the time; who asks meanwhile waits for the same writing.
 * @param turn shared with the texts that are not to be written beside this one
 */
export const whileUnchanged = <T>(
  write: (reader: Reader) => Promise<T>,
  turn: InTurn,
): ((reader: Reader) => Promise<T>) => {
  let kept: Kept<T> | undefined;
  let coming: { readonly reader: Reader; readonly text: Promise<T> } | undefined;
  const begin = (reader: Reader): Promise<T> => {
    let begun = { at: 0, version: "" };
    const text = turn(() => {
      begun = { at: performance.now(), version: versionOf(reader) };
      return write(reader);
    });
    const mine = { reader, text };
    coming = mine;
    text.then(
      () => {
        if (coming !== mine) return;
        coming = undefined;
        const ended = performance.now();
        const took = ended - begun.at;
        const rests = took < costly ? ended : ended + took / share;
        kept = { text, version: begun.version, rests };
      },
      () => {
        if (coming === mine) coming = undefined;
      },
    );
    return text;
  };
  return (reader) => {
    if (kept && (kept.version === versionOf(reader) || performance.now() < kept.rests)) {
      return kept.text;
    }
    // One of the former generation may find it closed.
    return coming?.reader === reader ? coming.text : begin(reader);
  };
};

const versionOf = (reader: Reader): string => reader.snapshot((moment) => moment.pagesVersion());

interface Kept<T> {
  readonly text: Promise<T>;
  /** Of the pages it was written of. */
  readonly version: string;
  /** Until when nothing newer is written, on the clock of `performance`. */
  readonly rests: number;
}

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
 * it takes to keep its share of the time; who asks meanwhile waits for the same writing. When another generation is
 * swapped in, all texts are to be written at once: a costly one that was right as short a time ago is shown until
 * its next is there.
 * @param turn shared with the texts that are not to be written beside this one
 */
export const whileUnchanged = <T>(
  write: (reader: Reader) => Promise<T>,
  turn: InTurn,
): ((reader: Reader) => Promise<T>) => {
  let kept: Kept<T> | undefined;
  let coming: Pick<Kept<T>, "reader" | "text"> | undefined;
  const begin = (reader: Reader, version: string): Promise<T> => {
    let begun = 0;
    const text = turn(() => {
      begun = performance.now();
      return write(reader);
    });
    const mine = { reader, text };
    coming = mine;
    text.then(
      () => {
        if (coming !== mine) return;
        coming = undefined;
        const ended = performance.now();
        const grace = ended - begun < costly ? 0 : (ended - begun) / share;
        kept = { ...mine, version, grace, rests: ended + grace, shownUntil: ended + grace };
      },
      () => {
        if (coming === mine) coming = undefined;
      },
    );
    return text;
  };
  return (reader) => {
    const version = reader.snapshot((moment) => moment.version());
    const now = performance.now();
    if (kept?.reader === reader) {
      if (kept.version === version) kept.shownUntil = now + kept.grace;
      if (kept.version === version || now < kept.rests) return kept.text;
    }
    const next = coming?.reader === reader ? coming.text : begin(reader, version);
    return kept && kept.reader !== reader && now < kept.shownUntil ? kept.text : next;
  };
};

interface Kept<T> {
  readonly reader: Reader;
  readonly version: string;
  readonly text: Promise<T>;
  /** Milliseconds that it may be shown for though the model went on. */
  readonly grace: number;
  /** Until when nothing newer is written, on the clock of `performance`. */
  readonly rests: number;
  /** Until when it may be shown though another generation answers, on the same clock. */
  shownUntil: number;
}

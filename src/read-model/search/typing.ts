/**
 * Edits between two words: letters put in, left out, taken for another, or two swapped (optimal string alignment).
 * Returns `most + 1` as soon as it is more than `most`.
 */
export const distance = (one: string, other: string, most: number): number => {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let [before, row] = [new Uint8Array(other.length + 1), new Uint8Array(other.length + 1)];
  let next = new Uint8Array(other.length + 1);
  for (let j = 0; j <= other.length; j += 1) row[j] = j;
  for (let i = 1; i <= one.length; i += 1) {
    let least = i;
    next[0] = i;
    for (let j = 1; j <= other.length; j += 1) {
      const same = one.charCodeAt(i - 1) === other.charCodeAt(j - 1);
      let cost = Math.min(
        (row[j - 1] as number) + Number(!same),
        (row[j] as number) + 1,
        (next[j - 1] as number) + 1,
      );
      if (isSwap(one, other, i, j)) cost = Math.min(cost, (before[j - 2] as number) + 1);
      next[j] = cost;
      least = Math.min(least, cost);
    }
    if (least > most) return most + 1;
    [before, row, next] = [row, next, before];
  }
  return Math.min(row[other.length] as number, most + 1);
};

const isSwap = (one: string, other: string, i: number, j: number): boolean =>
  i > 1 &&
  j > 1 &&
  one.charCodeAt(i - 1) === other.charCodeAt(j - 2) &&
  one.charCodeAt(i - 2) === other.charCodeAt(j - 1);

/** A bit for each letter of a word; words that are `n` edits apart differ in `2n` bits at most. */
export const lettersOf = (word: string): number => {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
};

/** Bits that are set. */
export const bitsIn = (bits: number): number => {
  let left = bits - ((bits >>> 1) & 0x55555555);
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333);
  return Math.imul((left + (left >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};

/** How many typing errors a word may hold: one from four letters, two from eight. */
export const errorsIn = (word: string): number => (word.length >= 8 ? 2 : word.length >= 4 ? 1 : 0);

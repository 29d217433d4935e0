/** Letters of a word that can be compared: more than any word of the dictionary has, and bits in a number. */
const mostLetters = 32;

/**
 * Edits between a word and others: letters put in, left out, taken for another, or two swapped (optimal string
 * alignment). All rows of a column of the table of edits are told in the bits of a few numbers: what differs from the
 * cell above by one more or one less (H. Hyyrö, A bit-vector algorithm for computing Levenshtein and Damerau edit
 * distances, 2003).
 * @returns a function that tells `most + 1` of what is more than `most` edits away, and of anything from a longer word
 */
export const distanceFrom = (word: string): ((other: string, most: number) => number) => {
  const letters = new Map<number, number>();
  for (let at = 0; at < Math.min(word.length, mostLetters); at += 1) {
    const code = word.charCodeAt(at);
    letters.set(code, (letters.get(code) ?? 0) | (1 << at));
  }
  const last = 1 << (word.length - 1);
  return (other, most) => {
    if (Math.abs(word.length - other.length) > most || word.length > mostLetters) return most + 1;
    if (word.length === 0) return other.length;
    let [more, less, diagonal, former] = [-1, 0, 0, 0];
    let edits = word.length;
    for (let at = 0; at < other.length; at += 1) {
      const same = letters.get(other.charCodeAt(at)) ?? 0;
      const swapped = ((~diagonal & same) << 1) & former;
      diagonal = (((same & more) + more) ^ more) | same | less | swapped;
      const rightMore = less | ~(diagonal | more);
      const rightLess = diagonal & more;
      if (rightMore & last) edits += 1;
      else if (rightLess & last) edits -= 1;
      // Above the first letter each column is one edit further.
      const shifted = (rightMore << 1) | 1;
      more = (rightLess << 1) | ~(diagonal | shifted);
      less = shifted & diagonal;
      former = same;
    }
    return Math.min(edits, most + 1);
  };
};

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

/** Letters of a word that can be compared: the bits of a number, and more than any word of the dictionary has. */
const maxLetters = 32;

/**
 * Creates a function that counts the edits between a word and another: letters inserted, deleted, substituted, or two
 * transposed (optimal string alignment). The bits of a few numbers hold a column of the edit table, as differences of
 * one more or one less from the cell above (H. Hyyrö, A bit-vector algorithm for computing Levenshtein and Damerau
 * edit distances, 2003).
 * @returns a function that returns `maxEdits + 1` for more than `maxEdits` edits, and for a word longer than
 * `maxLetters`
 */
export const createEditDistance = (word: string): ((other: string, maxEdits: number) => number) => {
  const positionMasks = new Map<number, number>();
  for (let at = 0; at < Math.min(word.length, maxLetters); at += 1) {
    const code = word.charCodeAt(at);
    positionMasks.set(code, (positionMasks.get(code) ?? 0) | (1 << at));
  }
  const last = 1 << (word.length - 1);
  return (other, maxEdits) => {
    if (Math.abs(word.length - other.length) > maxEdits || word.length > maxLetters)
      return maxEdits + 1;
    if (word.length === 0) return other.length;
    let [verticalPlus, verticalMinus, diagonal, previous] = [-1, 0, 0, 0];
    let edits = word.length;
    for (let at = 0; at < other.length; at += 1) {
      const matches = positionMasks.get(other.charCodeAt(at)) ?? 0;
      const transposed = ((~diagonal & matches) << 1) & previous;
      diagonal =
        (((matches & verticalPlus) + verticalPlus) ^ verticalPlus) |
        matches |
        verticalMinus |
        transposed;
      const horizontalPlus = verticalMinus | ~(diagonal | verticalPlus);
      const horizontalMinus = diagonal & verticalPlus;
      if (horizontalPlus & last) edits += 1;
      else if (horizontalMinus & last) edits -= 1;
      // Above the first letter, each column is one edit further.
      const shifted = (horizontalPlus << 1) | 1;
      verticalPlus = (horizontalMinus << 1) | ~(diagonal | shifted);
      verticalMinus = shifted & diagonal;
      previous = matches;
    }
    return Math.min(edits, maxEdits + 1);
  };
};

/** Computes a bit for each letter of a word. Words with an edit distance of `n` differ in `2n` bits at most. */
export const letterMask = (word: string): number => {
  let mask = 0;
  for (let at = 0; at < word.length; at += 1) mask |= 1 << (word.charCodeAt(at) & 31);
  return mask;
};

/** Allows a word one edit from four letters, two from eight. */
export const maxEditsFor = (word: string): number =>
  word.length >= 8 ? 2 : word.length >= 4 ? 1 : 0;

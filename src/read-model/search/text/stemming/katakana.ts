/** A katakana word of at least four characters, with the mark of a long vowel at its end. */
const longVowelAtEnd = /^[\u30a1-\u30fa\u30fc]{3,}\u30fc$/;

/** Removes the final mark of a long vowel, because it is written or not: `コンピューター`, `コンピュータ`. */
export const dropFinalLongVowel = (word: string): string =>
  word.charCodeAt(word.length - 1) === 0x30fc && longVowelAtEnd.test(word)
    ? word.slice(0, -1)
    : word;

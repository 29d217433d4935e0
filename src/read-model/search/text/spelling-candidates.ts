import { popcount } from "../bits.ts";
import { getSurface } from "./dictionary-entry.ts";
import { createEditDistance, letterMask } from "./edit-distance.ts";

/** A word of the catalogue that is near a mistyped one. */
export interface SpellingMatch {
  readonly surface: string;
  readonly edits: number;
}

/** Visits the spellings whose length and letters are near those of a word. */
export type SpellingCandidates = (
  word: string,
  maxEdits: number,
  visit: (spelling: string) => void,
) => void;

/** Selects the candidates within `maxEdits`, the nearest first, then by their text. */
export const findNearest = (
  candidates: SpellingCandidates,
  word: string,
  maxEdits: number,
): readonly SpellingMatch[] => {
  const distances = new Map<string, number>();
  const computeDistance = createEditDistance(word);
  candidates(word, maxEdits, (spelling) => {
    const surface = getSurface(spelling);
    const edits = computeDistance(surface, maxEdits);
    if (edits <= maxEdits) distances.set(surface, edits);
  });
  return [...distances]
    .map(([surface, edits]): SpellingMatch => ({ surface, edits }))
    .sort((a, b) => a.edits - b.edits || (a.surface < b.surface ? -1 : 1));
};

/** Tests each spelling by its length and letters. */
export const filterCandidates =
  (spellings: Iterable<string>): SpellingCandidates =>
  (word, maxEdits, visit) => {
    const mask = letterMask(word);
    for (const spelling of spellings) {
      const surface = getSurface(spelling);
      if (Math.abs(surface.length - word.length) > maxEdits) continue;
      if (popcount(letterMask(surface) ^ mask) <= 2 * maxEdits) visit(spelling);
    }
  };

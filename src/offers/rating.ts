import { defaultBest, defaultWorst, type Rating } from "../events/product-facts.ts";

export interface ScaledRating {
  readonly value: number;
  readonly best: number;
  readonly worst: number;
  readonly count: number;
}

/** Fills the scale of a rating. @returns undefined without ratings: it is then on no surface */
export const toScaledRating = (rating: Rating | null | undefined): ScaledRating | undefined => {
  if (!rating || rating.count === 0 || rating.value == null) return undefined;
  const { value, best, worst, count } = rating;
  return { value, best: best ?? defaultBest, worst: worst ?? defaultWorst, count };
};

const maxStars = 5;

/** Converts a rating to stars, 5 at most: a scale from 0 keeps its zero, any other begins at one star. */
export const toStars = ({ value, best, worst }: ScaledRating): number => {
  const lowest = worst === 0 ? 0 : 1;
  return lowest + ((value - worst) / (best - worst)) * (maxStars - lowest);
};

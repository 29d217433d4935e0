/** How hard the torture tries: a short form in `npm test`, a long one, in parts, in `npm run torture`. */
import { type Chance, seeded } from "../bench/seeded.ts";

export const isLong = process.env.VITRINE_TORTURE === "long";

/** What every random choice comes from; the same seed makes the same choices. */
export const seed = Number(process.env.VITRINE_SEED ?? 20_261_121);

/** How often, how many, how long: for the short form and for the long one. */
export const effort = (short: number, long: number): number => (isLong ? long : short);

/** How many of the unit `plan.ts` names for a file: of a part, when one runs. `VITRINE_COUNT` is the part's. */
export const amount = (short: number): number => Number(process.env.VITRINE_COUNT ?? short);

/** Tells whoever started this test how many of that unit are done. */
export const tellDone = (done: number): void => {
  process.send?.(done);
};

/** What tells a measured figure from all else that a test prints. */
export const measuredMark = "measured: ";

/** Shown by `npm run torture` though the test passed: figures that no assertion holds. */
export const tellMeasured = (figures: string): void => console.log(`\n${measuredMark}${figures}`);

/** How many runs a property of fast-check has; in the long form they come from the seed. */
export const property = (short: number) =>
  isLong ? { numRuns: amount(short), seed } : { numRuns: short };

/** Choices of one test's own, so that tests do not depend on each other. */
export const chanceOf = (test: string, turn = 0): Chance =>
  seeded([...test].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), seed + turn));

/** Shares of some time, from 0 to 1, each as likely as any other: what makes doubles for properties prefers extremes. */
export const moments = (test: string, count: number): readonly number[] => {
  const chance = chanceOf(test);
  return Array.from({ length: count }, () => chance.below(1_000) / 1_000);
};

/** What to add to a failure, so that it can be had again. */
export const again = (test: string): string => {
  const { VITRINE_COUNT: count } = process.env;
  const part = count === undefined ? "" : ` VITRINE_COUNT=${count}`;
  return `again with: VITRINE_SEED=${seed}${part}${isLong ? " VITRINE_TORTURE=long" : ""} npx tsx ${test}`;
};

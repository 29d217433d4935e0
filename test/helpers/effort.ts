/**
 * Effort of the torture tests: a short form in `npm run test:all`, a long one, in parts, in `npm run
 * torture`.
 */
import { type Chance, seeded } from "../bench/seeded.ts";

export const isLong = process.env.VITRINE_TORTURE === "long";

/** Seed of every random choice; the same seed gives the same choices. */
export const seed = Number(process.env.VITRINE_SEED ?? 20_261_121);

/** Chooses a number for the short and the long form. */
export const effort = (short: number, long: number): number => (isLong ? long : short);

/**
 * Amount in the unit that `plan.ts` gives for a file, of one part when a part runs. `VITRINE_COUNT` is that
 * of the part.
 */
export const amount = (short: number): number => Number(process.env.VITRINE_COUNT ?? short);

/** Reports to the runner how much of that unit is done. */
export const reportDone = (done: number): void => {
  process.send?.(done);
};

/** Marks a measured figure in the output of a test. */
export const measuredMark = "measured: ";

/** Prints figures without an assertion; `npm run torture` shows them also when the test passed. */
export const reportMeasured = (figures: string): void => console.log(`\n${measuredMark}${figures}`);

/** Share of the runs of a property in the short form; each execution of the tests has other runs. */
const share = Number(process.env.VITRINE_EFFORT ?? 1 / 3);

/** Runs of a fast-check property; in the long form they come from the seed. */
export const property = (short: number) =>
  isLong ? { numRuns: amount(short), seed } : { numRuns: Math.ceil(short * share) };

/** Random choices of one test, so that tests do not depend on each other. */
export const chanceOf = (test: string, turn = 0): Chance =>
  seeded([...test].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), seed + turn));

/** Uniformly distributed shares from 0 to 1; the doubles of fast-check prefer extremes. */
export const randomShares = (test: string, count: number): readonly number[] => {
  const chance = chanceOf(test);
  return Array.from({ length: count }, () => chance.below(1_000) / 1_000);
};

/** Formats a command that repeats a failure. */
export const again = (test: string): string => {
  const { VITRINE_COUNT: count } = process.env;
  const part = count === undefined ? "" : ` VITRINE_COUNT=${count}`;
  return `again with: VITRINE_SEED=${seed}${part}${isLong ? " VITRINE_TORTURE=long" : ""} npx tsx ${test}`;
};

/** Summarises a long form, one line a job. */
import type { Outcome } from "../run-files.ts";
import { type Job, jobs, type Part } from "./plan.ts";

export interface Ended {
  readonly part: Part;
  readonly outcome: Outcome;
}

/** Formats the totals of each job, and a command that repeats each failure. */
export const summary = (ended: readonly Ended[]): string => {
  const met = jobs.filter((job) => ended.some(({ part }) => part.job === job));
  const failures = ended.filter(({ outcome }) => outcome.failed > 0);
  return ["", ...met.map((job) => lineOf(job, ended)), ...failures.map(againOf)].join("\n");
};

/** States how many parts are not in the totals. */
export const passedBefore = (parts: number): readonly string[] =>
  parts === 0
    ? []
    : [
        `${parts} ${parts === 1 ? "part" : "parts"} passed before, with this same code; --again runs them too`,
      ];

const lineOf = (job: Job, ended: readonly Ended[]): string => {
  const own = ended.filter(({ part }) => part.job === job);
  const passed = own.filter(({ outcome }) => outcome.failed === 0);
  const seconds = own.reduce((sum, { outcome }) => sum + outcome.seconds, 0);
  const count = passed.reduce((sum, { part }) => sum + part.count, 0).toLocaleString("en");
  const failed = own.length - passed.length;
  const mark = failed > 0 ? `, ${failed} of ${own.length} parts FAILED` : "";
  return `${job.name.padEnd(12)} ${count.padStart(9)} ${job.unit} passed in ${seconds.toFixed(0)} s${mark}`;
};

const againOf = ({ part: { job, seed, count } }: Ended): string =>
  `again: npm run torture -- --only ${job.name} --seed ${seed} --count ${count}`;

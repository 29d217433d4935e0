/** `npm run torture`: the long form of the tests in `plan.ts`, part by part. */
import { bundleTests } from "../bundle.ts";
import { type Outcome, runFiles } from "../run-files.ts";
import { type Done, doneWith } from "./done.ts";
import { type Options, readOptions } from "./options.ts";
import { type Part, partsOf } from "./plan.ts";
import { type Shown, show } from "./show.ts";
import { type Ended, passedBefore, summary } from "./summary.ts";

/** Maximum time of a part, in ms. */
const timeoutMs = 2 * 3_600_000;

const runPart = (part: Part, bundle: string, shown: Shown): Promise<Outcome> => {
  shown.at(part, 0);
  return runFiles([part.job.file], {
    bundle,
    timeoutMs,
    onDone: (done) => shown.at(part, done),
    env: {
      VITRINE_TORTURE: "long",
      VITRINE_SEED: String(part.seed),
      VITRINE_COUNT: String(part.count),
    },
  });
};

/** Groups parts in their sequence: a timed part alone, the parts in between together. */
const groupByTimed = (parts: readonly Part[]): readonly Part[][] => {
  const groups: Part[][] = [];
  for (const [at, part] of parts.entries()) {
    const isAlone = part.job.isTimed || parts[at - 1]?.job.isTimed;
    if (at === 0 || isAlone) groups.push([part]);
    else groups.at(-1)?.push(part);
  }
  return groups;
};

const runParts = async (
  parts: readonly Part[],
  width: number,
  done: Done,
): Promise<readonly Ended[]> => {
  const bundle = await bundleTests(parts.map(({ job }) => job.file));
  const shown = show(parts.length);
  const all: Ended[] = [];
  const run = async (part: Part): Promise<void> => {
    const ended = { part, outcome: await runPart(part, bundle, shown) };
    done.record(part, ended.outcome.failed === 0);
    shown.ended(ended);
    all.push(ended);
  };
  for (const group of groupByTimed(parts)) {
    const work = async (): Promise<void> => {
      for (let part = group.shift(); part !== undefined; part = group.shift()) await run(part);
    };
    await Promise.all(Array.from({ length: width }, work));
  }
  shown.close();
  return all;
};

const main = async (options: Options): Promise<number> => {
  const done = doneWith(options.seed);
  const all = partsOf(options);
  const left = options.again ? all : all.filter((part) => !done.has(part));
  const before = passedBefore(all.length - left.length);
  console.log([`torture with seed ${options.seed}: ${left.length} parts`, ...before].join("\n"));
  console.log(`to go on when it is ended, or to have it again elsewhere: --seed ${options.seed}`);
  const ended = await runParts(left, options.width, done);
  console.log([summary(ended), ...before].join("\n"));
  return ended.some(({ outcome }) => outcome.failed > 0) ? 1 : 0;
};

const options = readOptions(process.argv.slice(2));
process.exitCode = typeof options === "number" ? options : await main(options);

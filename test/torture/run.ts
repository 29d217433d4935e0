/**
 * `npm run torture`: the long form of the tests named in `plan.ts`, part by part. With the same seed it goes on where
 * it was ended.
 *   --only faults,requests   only these jobs
 *   --seed N                 the choices of another run
 *   --count N                so many faults, requests … instead of all
 *   --shard 2/5              every fifth part, beginning with the second: for five machines
 *   --width N                parts at a time
 */
import { parseArgs } from "node:util";
import { MultiBar, type SingleBar } from "cli-progress";
import { type Outcome, runFile } from "../run-file.ts";
import { type Done, doneWith } from "./done.ts";
import { jobs, type Part, partsOf, type Wanted } from "./plan.ts";
import { type Ended, summary } from "./summary.ts";

/** Milliseconds a part may take. */
const patience = 2 * 3_600_000;

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    only: { type: "string", multiple: true },
    count: { type: "string" },
    shard: { type: "string", default: "1/1" },
    width: { type: "string", default: "1" },
  },
});

/** @throws a sentence about what cannot be used */
const wanted = (): Wanted => {
  const only = (values.only ?? []).flatMap((names) => names.split(","));
  const unknown = only.filter((name) => !jobs.some((job) => job.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `no such job: ${unknown}; there are ${jobs.map(({ name }) => name).join(", ")}`,
    );
  }
  const [at = 1, of = 1] = values.shard.split("/").map(Number);
  const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
  const count = values.count === undefined ? undefined : Number(values.count);
  if (![seed, count ?? 1, at, of].every(Number.isInteger) || at < 1 || at > of) {
    throw new Error("--seed and --count are whole numbers, --shard is such as 2/5");
  }
  return { seed, only, count, shard: [at, of] };
};

interface Shown {
  at(part: Part, done: number): void;
  ended(ended: Ended): void;
  close(): void;
}

/** A bar for each part at work, and a line for each that ended; only the lines where nobody watches. */
const show = (total: number): Shown => {
  const bars = process.stderr.isTTY
    ? new MultiBar({
        stream: process.stderr,
        format: "{name} {bar} {value}/{total} {unit} | {duration_formatted} | {eta_formatted} left",
        hideCursor: true,
        clearOnComplete: true,
      })
    : undefined;
  const known = new Map<Part, SingleBar>();
  let ended = 0;
  return {
    at(part, done) {
      const { name, unit } = part.job;
      if (!known.has(part)) {
        const bar = bars?.create(part.count, 0, { name: name.padEnd(12), unit });
        if (bar) known.set(part, bar);
      }
      known.get(part)?.update(done);
    },
    ended({ part, outcome }) {
      const bar = known.get(part);
      if (bar) bars?.remove(bar);
      ended += 1;
      const mark = outcome.failed === 0 ? "ok  " : "FAIL";
      const line = `${mark} ${ended}/${total} ${part.job.name}: ${part.count} ${part.job.unit}, seed ${part.seed}, ${outcome.seconds.toFixed(0)} s\n`;
      const text = outcome.failed === 0 ? line : line + outcome.output;
      if (bars) bars.log(text);
      else process.stdout.write(text);
    },
    close: () => bars?.stop(),
  };
};

const runPart = (part: Part, shown: Shown): Promise<Outcome> => {
  shown.at(part, 0);
  return runFile(part.job.file, {
    patience,
    onDone: (done) => shown.at(part, done),
    env: {
      VITRINE_TORTURE: "long",
      VITRINE_SEED: String(part.seed),
      VITRINE_COUNT: String(part.count),
    },
  });
};

const runParts = async (parts: readonly Part[], done: Done): Promise<readonly Ended[]> => {
  const waiting = [...parts];
  const shown = show(parts.length);
  const all: Ended[] = [];
  const work = async (): Promise<void> => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      const ended = { part, outcome: await runPart(part, shown) };
      if (ended.outcome.failed === 0) done.add(part);
      shown.ended(ended);
      all.push(ended);
    }
  };
  await Promise.all(Array.from({ length: Number(values.width) }, work));
  shown.close();
  return all;
};

const main = async (): Promise<number> => {
  const asked = wanted();
  const done = doneWith(asked.seed);
  const all = partsOf(asked);
  const left = all.filter((part) => !done.has(part));
  const before = all.length - left.length;
  console.log(
    `torture with seed ${asked.seed}: ${left.length} parts${before ? `, ${before} passed before` : ""}`,
  );
  console.log(`to go on when it is ended, or to have it again elsewhere: --seed ${asked.seed}`);
  const ended = await runParts(left, done);
  console.log(summary(ended));
  return ended.some(({ outcome }) => outcome.failed > 0) ? 1 : 0;
};

process.exitCode = await main().catch((error: Error) => {
  console.error(error.message);
  return 2;
});

import { MultiBar, type SingleBar } from "cli-progress";
import { measuredMark } from "../helpers/effort.ts";
import type { Outcome } from "../run-files.ts";
import type { Part } from "./plan.ts";
import type { Ended } from "./summary.ts";

export interface Shown {
  at(part: Part, done: number): void;
  ended(ended: Ended): void;
  close(): void;
}

/** Extracts the measured figures from the output of a test. */
const measuredOf = ({ output }: Outcome): string =>
  output
    .split("\n")
    .filter((line) => line.startsWith(measuredMark))
    .map((line) => `     ${line}\n`)
    .join("");

/** Shows a bar for each running part and a line for each finished one; only lines without a terminal. */
export const show = (total: number): Shown => {
  const bars = process.stderr.isTTY
    ? new MultiBar({
        stream: process.stderr,
        format: "{name} {bar} {value}/{total} {unit} | {duration_formatted} | {eta_formatted} left",
        hideCursor: true,
        clearOnComplete: true,
      })
    : undefined;
  const finished = new Map<Part, SingleBar>();
  let ended = 0;
  return {
    at(part, done) {
      const { name, unit } = part.job;
      if (!finished.has(part)) {
        const bar = bars?.create(part.count, 0, { name: name.padEnd(12), unit });
        if (bar) finished.set(part, bar);
      }
      finished.get(part)?.update(done);
    },
    ended({ part, outcome }) {
      const bar = finished.get(part);
      if (bar) bars?.remove(bar);
      ended += 1;
      const mark = outcome.failed === 0 ? "ok  " : "FAIL";
      const line = `${mark} ${ended}/${total} ${part.job.name}: ${part.count} ${part.job.unit}, seed ${part.seed}, ${outcome.seconds.toFixed(0)} s\n`;
      const text = line + (outcome.failed === 0 ? measuredOf(outcome) : outcome.output);
      if (bars) bars.log(text);
      else process.stdout.write(text);
    },
    close: () => bars?.stop(),
  };
};

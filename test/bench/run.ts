import { availableParallelism, cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import type { Comparison, Report } from "./figures.ts";
import { benchFirstLoad } from "./first-load.ts";
import { benchFreshness } from "./freshness.ts";
import { benchReads } from "./reads.ts";
import { benchReplay } from "./replay.ts";
import { benchScale } from "./scale.ts";
import { benchSearch } from "./search.ts";
import { tableOf } from "./table.ts";

const parts = ["replay", "load", "reads", "freshness", "search", "scale"] as const;
type Part = (typeof parts)[number];

const isPart = (text: string): text is Part => (parts as readonly string[]).includes(text);

const help = `Measures Vitrine beside named peers in the same run. Machines differ: ratios count.

usage: npm run bench -- [options]

  --only PART          one of ${parts.join(", ")}
  --events N           events of the replay beside the demo shop's own (100000)
  --products N         products of the large catalogue of search and scale (1000000)
  --rounds N           rounds that count, after one that warms up (3)
  --seconds N          length of each measurement of reads (3)
  --json               figures as JSON instead of a table
  --help

examples
  npm run bench
  npm run bench -- --only replay --events 10000
  npm run --silent bench -- --only reads --seconds 5 --json > reads.json`;

interface Settings {
  readonly only: Part | undefined;
  readonly products: number;
  readonly events: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly json: boolean;
}

const main = async (): Promise<number> => {
  const settings = readSettings();
  if (typeof settings === "string") {
    const asked = settings === help;
    (asked ? console.log : console.error)(settings);
    return asked ? 0 : 2;
  }
  const tell: Report = (line) => process.stderr.write(`${line}\n`);
  if (machine.load > machine.cores / 4)
    tell(`the machine is busy (load ${machine.load.toFixed(1)}): figures suffer`);
  const measures = (part: Part): boolean => settings.only === undefined || settings.only === part;
  const comparisons: readonly Comparison[] = [
    ...(measures("replay") ? await benchReplay({ ...settings, tell }) : []),
    ...(measures("load") ? await benchFirstLoad({ ...settings, tell }) : []),
    ...(measures("reads") ? await benchReads({ ...settings, tell }) : []),
    ...(measures("freshness") ? await benchFreshness({ tell }) : []),
    ...(measures("search") ? await benchSearch({ ...settings, tell }) : []),
    ...(measures("scale") ? await benchScale({ ...settings, tell }) : []),
  ];
  console.log(settings.json ? JSON.stringify({ machine, comparisons }) : shown(comparisons));
  return 0;
};

const machine = {
  cores: availableParallelism(),
  cpu: cpus()[0]?.model.trim() ?? "unknown",
  platform: `${process.platform} ${process.arch}`,
  node: process.version,
  /** Load average of the last minute, when the run began. */
  load: loadavg()[0] ?? 0,
};

const shown = (comparisons: readonly Comparison[]): string =>
  `${machine.cores} cores, ${machine.cpu}, ${machine.platform}, Node ${machine.node}, load ${machine.load.toFixed(1)} at the start\n\n${tableOf(comparisons)}`;

/** The settings; else what to print instead. */
const readSettings = (): Settings | string => {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: "string" },
        events: { type: "string", default: "100000" },
        rounds: { type: "string", default: "3" },
        products: { type: "string", default: "1000000" },
        seconds: { type: "string", default: "3" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) return help;
    const { only, json } = values;
    if (only !== undefined && !isPart(only)) {
      return `--only takes one of ${parts.join(", ")}, not ${only}`;
    }
    const [events, products, rounds, seconds] = [
      positive("--events", values.events),
      positive("--products", values.products),
      positive("--rounds", values.rounds),
      positive("--seconds", values.seconds),
    ];
    return { only, events, products, rounds, seconds, json };
  } catch (error) {
    return `${error instanceof Error ? error.message : error}\n\n${help}`;
  }
};

const positive = (flag: string, text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Error(`${flag} takes a positive integer, not ${text}`);
};

// An interrupted run ends its processes and removes its directories too, which hang on `exit`.
process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

main().then(
  (exitCode) => process.exit(exitCode),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);

import { isBuiltin } from "node:module";
import { availableParallelism, cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { benchFeed } from "./feed/feed.ts";
import type { Comparison, Report } from "./figures.ts";
import { benchFirstLoad } from "./first-load.ts";
import { formatTable } from "./format-table.ts";
import { benchFreshness } from "./freshness.ts";
import { benchGateway } from "./gateway.ts";
import { benchImport } from "./import-files.ts";
import { benchLayers } from "./layers.ts";
import { benchReads } from "./reads.ts";
import { benchReplay } from "./replay.ts";
import { benchScale } from "./scale.ts";
import { benchSearch } from "./search.ts";
import { benchVariants } from "./variants.ts";

type Bench = (options: Settings & { readonly report: Report }) => Promise<readonly Comparison[]>;

/** The parts, in the sequence in which they run. */
const benches = {
  replay: benchReplay,
  load: benchFirstLoad,
  reads: benchReads,
  layers: benchLayers,
  freshness: benchFreshness,
  // `measureSearch` is not defined yet here.
  search: (options) => measureSearch(options),
  scale: benchScale,
  variants: benchVariants,
  gateway: benchGateway,
  import: benchImport,
  feed: benchFeed,
} as const satisfies Readonly<Record<string, Bench>>;

type Part = keyof typeof benches;
const parts = Object.keys(benches) as readonly Part[];

const isPart = (text: string): text is Part => (parts as readonly string[]).includes(text);

const help = `Measures Vitrine and named peers in the same run. Compare the ratios: machines differ.

usage: npm run bench -- [options]

  --only PART          run one part: ${parts.join(", ")}
  --events N           replayed events after the history of the shop, in replay and feed (100000)
  --products N         products of the large catalogue in search, scale, variants and feed (1000000; the last two have 100000 at most)
  --rows N             rows of the file in import (100000)
  --rounds N           measured rounds, after one that warms up (3)
  --seconds N          duration of each measurement in reads, layers, scale, gateway and feed (3)
  --before DIR         folder of an earlier version with its build, which feed compares with
  --json               print JSON instead of a table
  --help               show this help

examples
  npm run bench
  npm run bench:newest -- --only search
  npm run bench -- --only replay --events 10000
  npm run --silent bench -- --only reads --seconds 5 --json > reads.json`;

interface Settings {
  readonly only: Part | undefined;
  readonly products: number;
  readonly events: number;
  readonly rows: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly before: string | undefined;
  readonly json: boolean;
}

const main = async (): Promise<number> => {
  const settings = parseSettings();
  if (typeof settings === "string") {
    const isHelp = settings === help;
    (isHelp ? console.log : console.error)(settings);
    return isHelp ? 0 : 2;
  }
  const report: Report = (line) => process.stderr.write(`${line}\n`);
  if (machine.load > machine.cores / 4)
    report(`the machine is busy (load ${machine.load.toFixed(1)}): figures are less reliable`);
  const comparisons: Comparison[] = [];
  for (const part of settings.only === undefined ? parts : [settings.only])
    comparisons.push(...(await benches[part]({ ...settings, report })));
  console.log(settings.json ? JSON.stringify(toJson(comparisons)) : format(comparisons));
  return 0;
};

/** Measures search, unless this Node lacks SQLite, which one of the peers uses. */
const measureSearch: Bench = async (options) => {
  if (isBuiltin("node:sqlite")) return benchSearch(options);
  options.report(
    `search is not measured, because Node ${process.version} has no SQLite: npm run bench:newest -- --only search`,
  );
  return [];
};

const machine = {
  cores: availableParallelism(),
  cpu: cpus()[0]?.model.trim() ?? "unknown",
  platform: `${process.platform} ${process.arch}`,
  node: process.version,
  /** Load average of the last minute at the start of the run. */
  load: loadavg()[0] ?? 0,
};

/** Renames the peer to the name of its column. */
const toJson = (comparisons: readonly Comparison[]) => ({
  machine,
  comparisons: comparisons.map(({ name, figure, unit, load, peer, ratio }) => ({
    ...{ name, figure, unit, load, beside: peer, ratio },
  })),
});

const format = (comparisons: readonly Comparison[]): string =>
  `${machine.cores} cores, ${machine.cpu}, ${machine.platform}, Node ${machine.node}, load ${machine.load.toFixed(1)} at the start\n\n${formatTable(comparisons)}`;

/** Parses the command line. @returns the text to print when it asks for help or is invalid */
const parseSettings = (): Settings | string => {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: "string" },
        events: { type: "string", default: "100000" },
        rows: { type: "string", default: "100000" },
        rounds: { type: "string", default: "3" },
        products: { type: "string", default: "1000000" },
        seconds: { type: "string", default: "3" },
        before: { type: "string" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) return help;
    const { only, json, before } = values;
    if (only !== undefined && !isPart(only)) {
      return `--only takes one of ${parts.join(", ")}, not ${only}`;
    }
    return {
      ...{ only, json, before },
      events: parsePositive("--events", values.events),
      products: parsePositive("--products", values.products),
      rows: parsePositive("--rows", values.rows),
      rounds: parsePositive("--rounds", values.rounds),
      seconds: parsePositive("--seconds", values.seconds),
    };
  } catch (error) {
    return `${error instanceof Error ? error.message : error}\n\n${help}`;
  }
};

const parsePositive = (flag: string, text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Error(`${flag} takes a positive integer, not ${text}`);
};

// Exit on a signal, because `exit` listeners stop the child processes and remove the directories.
process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));

main().then(
  (exitCode) => process.exit(exitCode),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);

import { isBuiltin } from "node:module";
import { availableParallelism, cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import type { Comparison, Report } from "./figures.ts";
import { benchFirstLoad } from "./first-load.ts";
import { formatTable } from "./format-table.ts";
import { benchFreshness } from "./freshness.ts";
import { benchLayers } from "./layers.ts";
import { benchReads } from "./reads.ts";
import { benchReplay } from "./replay.ts";
import { benchScale } from "./scale.ts";
import { benchSearch } from "./search.ts";
import { benchVariants } from "./variants.ts";

const parts = [
  "replay",
  "load",
  "reads",
  "layers",
  "freshness",
  "search",
  "scale",
  "variants",
] as const;
type Part = (typeof parts)[number];

const isPart = (text: string): text is Part => (parts as readonly string[]).includes(text);

const help = `Measures Vitrine and named peers in the same run. Compare the ratios: machines differ.

usage: npm run bench -- [options]

  --only PART          run one part: ${parts.join(", ")}
  --events N           replayed events after the history of the demo shop (100000)
  --products N         products of the large catalogue in search, scale and variants (1000000; variants has 100000 at most)
  --rounds N           measured rounds, after one that warms up (3)
  --seconds N          duration of each measurement in reads, layers and scale (3)
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
  readonly rounds: number;
  readonly seconds: number;
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
  const measures = (part: Part): boolean => settings.only === undefined || settings.only === part;
  const comparisons: readonly Comparison[] = [
    ...(measures("replay") ? await benchReplay({ ...settings, report }) : []),
    ...(measures("load") ? await benchFirstLoad({ ...settings, report }) : []),
    ...(measures("reads") ? await benchReads({ ...settings, report }) : []),
    ...(measures("layers") ? await benchLayers({ ...settings, report }) : []),
    ...(measures("freshness") ? await benchFreshness({ report }) : []),
    ...(measures("search") ? await measureSearch(settings, report) : []),
    ...(measures("scale") ? await benchScale({ ...settings, report }) : []),
    ...(measures("variants") ? await benchVariants({ ...settings, report }) : []),
  ];
  console.log(settings.json ? JSON.stringify(toJson(comparisons)) : format(comparisons));
  return 0;
};

/** Measures search, unless this Node lacks SQLite, which one of the peers uses. */
const measureSearch = async (
  settings: Settings,
  report: Report,
): Promise<readonly Comparison[]> => {
  if (isBuiltin("node:sqlite")) return benchSearch({ ...settings, report });
  report(
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
      parsePositive("--events", values.events),
      parsePositive("--products", values.products),
      parsePositive("--rounds", values.rounds),
      parsePositive("--seconds", values.seconds),
    ];
    return { only, events, products, rounds, seconds, json };
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

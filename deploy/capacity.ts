/**
 * Computes what a shop needs from the measured figures in capacity.json: `node deploy/capacity.ts --products N --requests N`.
 * Node 22.18 and newer run it as it is, older ones with `npx tsx`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { packageRoot } from "../src/package-info.ts";

/** What `npm run bench -- --only scale --json` prints. */
interface Measured {
  readonly machine: { readonly cores: number; readonly cpu: string; readonly node: string };
  readonly comparisons: readonly {
    readonly name: string;
    readonly figure: number;
    readonly beside: { readonly name: string; readonly figure: number };
  }[];
}

export interface Demand {
  readonly products: number;
  /** Requests per second of all clients. */
  readonly requests: number;
}

/** Share of the time of a core that HTTP processes use at the peak; the rest is for the projector, the system and other peaks. */
const peakShare = 0.6;

/** Cores of each machine in the calculation. */
const coresPerMachine = 16;

/** Generations on disk during a rebuild: the live one, the one before it, and the new one. */
const generations = 3;

const measured: Measured = JSON.parse(
  readFileSync(join(packageRoot, "deploy", "capacity.json"), "utf8"),
);

/** Sizes at which the figures were measured. */
export const measuredSizes = [10_000, 100_000, 1_000_000] as const;

const metrics = {
  loadSeconds: "time to first load",
  loadRate: "events of a first load",
  projectorMegabytes: "peak memory of the projector",
  lookups: "lookup of a product",
  pages: "page of 100 products",
  httpMegabytes: "memory of an HTTP process afterwards",
  startMs: "start to first response",
  diskBytes: "bytes on disk per product",
} as const;
type Metric = keyof typeof metrics;

/** Reads a figure at one of the measured sizes. @throws an Error when capacity.json lacks it */
export const figureAt = (metric: Metric, size: number): number => {
  const among = `among ${size.toLocaleString("en")}`;
  const own = measured.comparisons.find(({ name }) => name === `${metrics[metric]} ${among}`);
  if (own) return own.figure;
  const peer = measured.comparisons.find(
    ({ name, beside }) => name.startsWith(metrics[metric]) && beside.name === among,
  );
  if (peer) return peer.beside.figure;
  throw new Error(`capacity.json has no "${metrics[metric]} ${among}"`);
};

const largest = 1_000_000;

/** Figures of a number of products: those of the largest measured size, and what grows with the products in proportion. */
const estimate = ({ products, requests }: Demand) => {
  const scale = products / largest;
  const cores = requests / (figureAt("lookups", largest) * peakShare);
  const perMachine = coresPerMachine - 1;
  return {
    cores: Math.ceil(cores),
    // One more, so that the load is carried while a machine is replaced.
    machines: Math.ceil(cores / perMachine) + 1,
    diskGigabytes: (generations * products * figureAt("diskBytes", largest)) / 1e9,
    loadMinutes: (figureAt("loadSeconds", largest) * scale) / 60,
    // Does not grow with the products.
    httpGigabytes: (figureAt("httpMegabytes", largest) * perMachine) / 1e3,
    projectorGigabytes: (figureAt("projectorMegabytes", largest) * scale) / 1e3,
  };
};

const format = (value: number): string =>
  value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 1 : 0 });

/** Formats the answer as lines. */
export const describe = (demand: Demand): string => {
  const { cores, machines, ...sizes } = estimate(demand);
  return [
    `${format(demand.products)} products, ${format(demand.requests)} requests/s`,
    `cores for HTTP   ${format(cores)}, each ${format(figureAt("lookups", largest))} requests/s, ${peakShare * 100} % used`,
    `machines         ${format(machines)} of ${coresPerMachine} cores, one core for the projector, one machine more than needed`,
    `each machine has`,
    `  disk           ${format(sizes.diskGigabytes)} GB: three generations (live, previous, one being built); add the journal if there is no broker`,
    `  first load     ${format(sizes.loadMinutes)} minutes`,
    `  HTTP memory    ${format(sizes.httpGigabytes)} GB, ${coresPerMachine - 1} processes`,
    `  projector      ${format(sizes.projectorGigabytes)} GB at most in a first load, most of it pages of the model that the system can drop`,
  ].join("\n");
};

const units: { readonly [M in Metric]: string } = {
  loadSeconds: "s",
  loadRate: "events a second of one core",
  projectorMegabytes: "MB",
  diskBytes: "bytes",
  startMs: "ms",
  lookups: "requests a second of one core",
  pages: "requests a second of one core",
  httpMegabytes: "MB",
};

/** Sequence of the table. */
const sequence: readonly Metric[] = [
  "loadSeconds",
  "loadRate",
  "projectorMegabytes",
  "diskBytes",
  "startMs",
  "lookups",
  "pages",
  "httpMegabytes",
];

/** Formats the measured figures as a Markdown table. */
export const formatFigures = (): string => {
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rows = sequence.map((metric) =>
    row([
      `${metrics[metric]}, ${units[metric]}`,
      ...measuredSizes.map((size) => format(figureAt(metric, size))),
    ]),
  );
  return [
    row(["", ...measuredSizes.map((size) => `${format(size)} products`)]),
    row(["---", ...measuredSizes.map(() => "---:")]),
    ...rows,
  ].join("\n");
};

const help = `Computes what a shop needs from the measured figures in capacity.json.

usage: node deploy/capacity.ts [--products N] [--requests N]

  --products N   products of the shop (10000000)
  --requests N   requests per second of all clients at the peak (100000)

example
  node deploy/capacity.ts --products 500000 --requests 2000`;

const parseCount = (text: string, flag: string): number => {
  if (/^[1-9]\d{0,11}$/.test(text)) return Number(text);
  console.error(`${flag} ${text}: give a whole number above 0`);
  process.exit(2);
};

const main = (): void => {
  const { values } = parseArgs({
    options: {
      products: { type: "string", default: "10000000" },
      requests: { type: "string", default: "100000" },
      help: { type: "boolean", default: false },
    },
  });
  const demand = {
    products: parseCount(values.products, "--products"),
    requests: parseCount(values.requests, "--requests"),
  };
  console.log(values.help ? help : describe(demand));
};

if (process.argv[1]?.endsWith("capacity.ts")) main();

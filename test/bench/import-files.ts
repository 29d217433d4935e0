import { createReadStream, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../helpers/directory.ts";
import { type Comparison, median, type Report, toComparison } from "./figures.ts";
import { measureCommand, type Usage } from "./measured-command.ts";
import { rowsPerProduct, writeShopifyRows } from "./shopify-rows.ts";

export interface ImportOptions {
  /** Rows of the imported file. */
  readonly rows: number;
  readonly rounds: number;
  readonly report: Report;
}

/**
 * Measures `vitrine import` of an export of Shopify beside `vitrine publish` of the events that it makes, each with a new data
 * directory. No round warms up, because each command is a process of its own.
 */
export const benchImport = async ({
  rows,
  rounds,
  report,
}: ImportOptions): Promise<readonly Comparison[]> => {
  const directory = temporaryDirectory();
  try {
    const products = Math.ceil(rows / rowsPerProduct);
    report(`writing an export of ${products.toLocaleString("en")} products and its events`);
    const files = await writeFiles(directory.path, products);
    const used: Record<Command, Usage[]> = { import: [], publish: [] };
    for (let round = 1; round <= rounds; round += 1) {
      for (const command of ["import", "publish"] as const) {
        const usage = await runInNewDirectory(files, command);
        report(`round ${round}: ${command} ${describe(usage)}`);
        used[command].push(usage);
      }
    }
    return compareUsage(used, products * rowsPerProduct, await countLines(files.events));
  } finally {
    directory.remove();
  }
};

type Command = "import" | "publish";

interface Files {
  readonly dataDir: string;
  readonly csv: string;
  readonly connections: string;
  /** The events that the import makes, as NDJSON. */
  readonly events: string;
}

const writeFiles = async (directory: string, products: number): Promise<Files> => {
  const files = {
    dataDir: join(directory, "data"),
    csv: join(directory, "products_export.csv"),
    connections: join(directory, "connections.json"),
    events: join(directory, "events.ndjson"),
  };
  await writeShopifyRows(files.csv, products);
  const feed = { platform: "files", url: "https://shop.example", currency: "EUR" };
  writeFileSync(files.connections, JSON.stringify({ connections: { feed } }));
  await measureCommand([...importArguments(files), "--dry-run"], files.dataDir, files.events);
  return files;
};

const importArguments = ({ csv, connections }: Files): readonly string[] => [
  ...["import", csv, "--connection", "feed", "--connections", connections],
];

const runInNewDirectory = (files: Files, command: Command): Promise<Usage> => {
  rmSync(files.dataDir, { recursive: true, force: true });
  const args = command === "import" ? importArguments(files) : ["publish", files.events];
  return measureCommand([...args, "--json"], files.dataDir);
};

const describe = ({ seconds, cpuSeconds, peakMegabytes, anonymousMegabytes }: Usage): string =>
  `${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of CPU, at most ${Math.round(peakMegabytes)} MB, ${Math.round(anonymousMegabytes)} MB of them anonymous`;

const countLines = async (file: string): Promise<number> => {
  let count = 0;
  for await (const chunk of createReadStream(file)) {
    for (const byte of chunk as Buffer) if (byte === lineFeed) count += 1;
  }
  return count;
};

const lineFeed = 10;

const compareUsage = (
  used: Readonly<Record<Command, readonly Usage[]>>,
  rows: number,
  events: number,
): readonly Comparison[] => {
  const compareFigure = (part: string, unit: string, figure: (usage: Usage) => number) => {
    const medianOf = (command: Command): number => median(used[command].map(figure));
    const peer = { name: "vitrine publish of its events", figure: medianOf("publish") };
    const name = `import of ${rows.toLocaleString("en")} rows${part}`;
    return toComparison(name, unit, medianOf("import"), peer);
  };
  return [
    compareFigure("", "events/CPU-s", ({ cpuSeconds }) => events / cpuSeconds),
    compareFigure(", by the clock", "events/s", ({ seconds }) => events / seconds),
    compareFigure(", peak memory", "MB", ({ peakMegabytes }) => peakMegabytes),
    compareFigure(", anonymous memory", "MB", ({ anonymousMegabytes }) => anonymousMegabytes),
  ];
};

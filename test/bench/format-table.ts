import { type Comparison, type Load, minBusy } from "./figures.ts";

const titles = [
  ...["name", "figure", "unit", "requests/s", "CPU µs", "busy"],
  ...["beside", "its figure", "its CPU µs", "its busy", "ratio"],
] as const;
const text = new Set<number>([0, 2, 6]);

/** Formats comparisons as an aligned table without a final line break. */
export const formatTable = (comparisons: readonly Comparison[]): string => {
  const rows = [titles, ...comparisons.map(toCells)];
  const widths = titles.map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  const rule = widths.map((width) => "-".repeat(width));
  return [rows[0] ?? [], rule, ...rows.slice(1)]
    .map((row) =>
      row
        .map((cell, column) => align(cell, column, widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
};

const toCells = ({ name, figure, unit, load, peer, ratio }: Comparison): readonly string[] => [
  ...[name, integer(figure), unit],
  ...[load ? integer(load.perSecond) : "", load ? integer(load.cpuMicros) : "", formatBusy(load)],
  ...[peer.name, integer(peer.figure)],
  ...[peer.load ? integer(peer.load.cpuMicros) : "", formatBusy(peer.load)],
  ratio.toFixed(2),
];

/** Marks a share at which the figure is no figure of the server's speed. */
const formatBusy = (load: Load | undefined): string =>
  load
    ? `${Math.round(load.busy * 100)} %${load.busy < minBusy ? " (no figure of speed)" : ""}`
    : "";

const integer = (figure: number): string => Math.round(figure).toLocaleString("en");

const align = (cell: string, column: number, width: number): string =>
  text.has(column) ? cell.padEnd(width) : cell.padStart(width);

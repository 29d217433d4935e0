import type { Comparison } from "./figures.ts";

const titles = ["name", "figure", "unit", "beside", "its figure", "ratio"] as const;
const numeric = new Set<number>([1, 4, 5]);

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

const toCells = ({ name, figure, unit, peer, ratio }: Comparison): readonly string[] => [
  name,
  integer(figure),
  unit,
  peer.name,
  integer(peer.figure),
  ratio.toFixed(2),
];

const integer = (figure: number): string => Math.round(figure).toLocaleString("en");

const align = (cell: string, column: number, width: number): string =>
  numeric.has(column) ? cell.padStart(width) : cell.padEnd(width);

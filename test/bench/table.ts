import type { Comparison } from "./figures.ts";

const titles = ["name", "figure", "unit", "beside", "its figure", "ratio"] as const;
const numeric = new Set<number>([1, 4, 5]);

/** One aligned table, without a line end at its end. */
export const tableOf = (comparisons: readonly Comparison[]): string => {
  const rows = [titles, ...comparisons.map(cellsOf)];
  const widths = titles.map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  const rule = widths.map((width) => "-".repeat(width));
  return [rows[0] ?? [], rule, ...rows.slice(1)]
    .map((row) =>
      row
        .map((cell, at) => aligned(cell, at, widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
};

const cellsOf = ({ name, figure, unit, beside, ratio }: Comparison): readonly string[] => [
  name,
  integer(figure),
  unit,
  beside.name,
  integer(beside.figure),
  ratio.toFixed(2),
];

const integer = (figure: number): string => Math.round(figure).toLocaleString("en");

const aligned = (cell: string, column: number, width: number): string =>
  numeric.has(column) ? cell.padStart(width) : cell.padEnd(width);

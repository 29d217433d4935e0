import { escapeBreaks } from "../../platform/escape-control.ts";
import { colours } from "./output.ts";

/** Formats one line for each field, with aligned values. A field without a value is left out. */
export const formatFields = (
  fields: readonly (readonly [name: string, value: string | null | undefined])[],
  gap = " ",
): readonly string[] => {
  const present = fields.flatMap(([name, value]) =>
    value == null ? [] : [[name, value] as const],
  );
  const width = maxLength(present.map(([name]) => name));
  return present.map(
    ([name, value]) => `${colours.dim(name.padEnd(width))}${gap}${escapeBreaks(value)}`,
  );
};

export const formatTable = (
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] => {
  const widths = head.map((title, column) =>
    maxLength([title, ...rows.map((row) => row[column] ?? "")]),
  );
  const format = (cells: readonly string[]): string =>
    widths
      .map((width, column) => {
        const cell = cells[column] ?? "";
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join("  ");
  return [colours.dim(format(head)), ...rows.map(format)];
};

export const formatEventLine = (sequence: number, ...columns: readonly string[]): string =>
  [String(sequence).padStart(6), ...columns.map(escapeBreaks)].join("  ");

const maxLength = (texts: readonly string[]): number =>
  Math.max(0, ...texts.map(({ length }) => length));

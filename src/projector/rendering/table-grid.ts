import { type Cell, type Row, readTable } from "./table-rows.ts";

/** Maximum number of cells added to one table. A table that needs more is shown without structure. */
const maxAddedCells = 1_000;

/** Maximum length of a repeated cell, in UTF-16 units of HTML; a longer one is repeated as an empty cell. */
const maxRepeatedLength = 200;

/** A cell with the columns that it spans in one row. */
interface CellSpan {
  readonly cell: Cell;
  readonly from: number;
  readonly to: number;
  /** False when the cell begins in a row above. */
  readonly isOwn: boolean;
  readonly remainingRows: number;
}

/**
 * Rewrites a table so that no cell spans rows or columns, because Markdown has no spans.
 * A spanning cell is repeated, so that each value is under its own heading. Columns that no row separates are merged.
 * @param html content between `<table>` and `</table>`: no nested table, and each cell on one line
 * @returns undefined when more than `maxAddedCells` cells would be added
 */
export const toGrid = (html: string): string | undefined => {
  const table = readTable(html);
  if (!table) return html.replace(/<(t[dh]) [^>]*>/g, "<$1>");
  const { rows, outside } = table;
  const layout = layOutRows(rows);
  if (!layout) return undefined;
  const starts = [...new Set(layout.flatMap((row) => row.map(({ from }) => from)))].sort(
    (a, b) => a - b,
  );
  const filled: string[][] = [];
  let added = 0;
  for (const row of layout) {
    const cells = writeCells(row, starts, maxAddedCells - added);
    added += cells.length - row.filter(({ isOwn }) => isOwn).length;
    if (added > maxAddedCells) return undefined;
    if (row.some(({ isOwn }) => isOwn)) filled.push(cells);
  }
  return outside + writeTable(filled, rows, starts.length);
};

/** Computes the columns of each cell in each row that it spans, as HTML does. */
const layOutRows = (rows: readonly Row[]): readonly (readonly CellSpan[])[] | undefined => {
  let above: readonly CellSpan[] = [];
  let repeated = 0;
  const layout: (readonly CellSpan[])[] = [];
  for (const [index, row] of rows.entries()) {
    if (rows[index - 1]?.group !== row.group) above = [];
    repeated += above.length;
    if (repeated > maxAddedCells) return undefined;
    const spans = layOutRow(row, above);
    layout.push(spans);
    above = spans
      .filter(({ remainingRows }) => remainingRows > 0)
      .map((span) => ({ ...span, isOwn: false, remainingRows: span.remainingRows - 1 }));
  }
  return layout;
};

/** @param above cells that reach into this row from rows above, from left to right */
const layOutRow = ({ cells }: Row, above: readonly CellSpan[]): readonly CellSpan[] => {
  const spans: CellSpan[] = [];
  let [column, next] = [0, 0];
  for (const cell of cells) {
    for (let span = above[next]; span && span.from <= column; span = above[next]) {
      spans.push(span);
      column = span.to;
      next += 1;
    }
    const to = Math.min(column + cell.columns, above[next]?.from ?? Number.POSITIVE_INFINITY);
    spans.push({ cell, from: column, to, isOwn: true, remainingRows: cell.rows - 1 });
    column = to;
  }
  return [...spans, ...above.slice(next)];
};

/**
 * Writes one cell for each column of the table, up to the last column of the row.
 * @param starts columns at which a cell of the table begins; columns between them are merged
 * @param maxAdded number of added cells after which writing stops, because the table is rejected
 */
const writeCells = (
  row: readonly CellSpan[],
  starts: readonly number[],
  maxAdded: number,
): string[] => {
  const cells: string[] = [];
  const isTitle = row.length === 1;
  let index = 0;
  for (const start of starts) {
    while (index < row.length && (row[index]?.to ?? 0) <= start) index += 1;
    const span = row[index];
    const isLast = !span || (isTitle && start > span.from);
    if (isLast || cells.length > maxAdded + row.length) break;
    cells.push(start < span.from ? "<td></td>" : writeCell(span, start));
  }
  return cells;
};

const writeCell = ({ cell: { name, html }, isOwn, from }: CellSpan, column: number): string => {
  const isShown = (isOwn && column === from) || html.length <= maxRepeatedLength;
  return `<${name}>${isShown ? html : ""}</${name}>`;
};

/** Writes the table with one heading row that has a cell for each column, as Markdown requires. */
const writeTable = (
  filled: readonly (readonly string[])[],
  rows: readonly Row[],
  columns: number,
): string => {
  const [first, ...others] = filled;
  const firstRow = rows.find(({ cells }) => cells.length > 0);
  if (!first || !firstRow) return "";
  const isHeading = firstRow.isHead || firstRow.cells.every(({ name }) => name === "th");
  const missing = Array<string>(columns - first.length).fill("<th></th>");
  return isHeading
    ? `<thead>${writeRow([...first, ...missing])}</thead><tbody>${others.map(writeRow).join("")}</tbody>`
    : `<tbody>${filled.map(writeRow).join("")}</tbody>`;
};

const writeRow = (cells: readonly string[]): string => `<tr>${cells.join("")}</tr>`;

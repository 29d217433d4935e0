import { type Cell, type Row, readTable } from "./table-rows.ts";

/**
 * Most cells that one table may need beside those it has, to show each value under its own heading. A table of more is
 * shown without its structure.
 */
const maxAddedCells = 1_000;

/** Longest cell that is repeated, in UTF-16 units of HTML; of a longer one an empty cell keeps the place. */
const maxRepeatedLength = 200;

/** A cell at its columns of one row. */
interface Placed {
  readonly cell: Cell;
  readonly from: number;
  readonly to: number;
  /** False where the cell began in a row above. */
  readonly isOwn: boolean;
  readonly rowsLeft: number;
}

/**
 * Rewrites the cells of a table so that none takes more than one row and column, as Markdown has them. A cell that took
 * more is repeated, so that each value stands under its own heading; columns that no row takes apart are one.
 * @param html what stands between `<table>` and `</table>`: no other table, and the cells on one line each
 * @returns undefined when that would take more than `maxAddedCells`
 */
export const asGrid = (html: string): string | undefined => {
  const table = readTable(html);
  if (!table) return html.replace(/<(t[dh]) [^>]*>/g, "<$1>");
  const { rows, outside } = table;
  const placed = place(rows);
  if (!placed) return undefined;
  const starts = [...new Set(placed.flatMap((row) => row.map(({ from }) => from)))].sort(
    (a, b) => a - b,
  );
  const filled: string[][] = [];
  let added = 0;
  for (const row of placed) {
    const cells = fill(row, starts, maxAddedCells - added);
    added += cells.length - row.filter(({ isOwn }) => isOwn).length;
    if (added > maxAddedCells) return undefined;
    if (row.some(({ isOwn }) => isOwn)) filled.push(cells);
  }
  return outside + write(filled, rows, starts.length);
};

/** Finds the columns of each cell, in each row it takes, as HTML does. */
const place = (rows: readonly Row[]): readonly (readonly Placed[])[] | undefined => {
  let above: readonly Placed[] = [];
  let repeated = 0;
  const placed: (readonly Placed[])[] = [];
  for (const [at, row] of rows.entries()) {
    if (rows[at - 1]?.group !== row.group) above = [];
    repeated += above.length;
    if (repeated > maxAddedCells) return undefined;
    const here = placeRow(row, above);
    placed.push(here);
    above = here
      .filter(({ rowsLeft }) => rowsLeft > 0)
      .map((one) => ({ ...one, isOwn: false, rowsLeft: one.rowsLeft - 1 }));
  }
  return placed;
};

/** @param above cells of rows above that reach into this one, from left to right */
const placeRow = ({ cells }: Row, above: readonly Placed[]): readonly Placed[] => {
  const placed: Placed[] = [];
  let [column, next] = [0, 0];
  for (const cell of cells) {
    for (let taken = above[next]; taken && taken.from <= column; taken = above[next]) {
      placed.push(taken);
      column = taken.to;
      next += 1;
    }
    const to = Math.min(column + cell.columns, above[next]?.from ?? Number.POSITIVE_INFINITY);
    const rowsLeft = cell.rows - 1;
    placed.push({ cell, from: column, to, isOwn: true, rowsLeft });
    column = to;
  }
  return [...placed, ...above.slice(next)];
};

/**
 * Writes one cell for each column of the table, up to the last that the row takes.
 * @param starts columns at which some cell of the table begins: those between them are no columns of their own
 * @param most cells after which it ends, as the table is given up
 */
const fill = (row: readonly Placed[], starts: readonly number[], most: number): string[] => {
  const cells: string[] = [];
  const isTitle = row.length === 1;
  let at = 0;
  for (const start of starts) {
    while (at < row.length && (row[at]?.to ?? 0) <= start) at += 1;
    const placed = row[at];
    const isLast = !placed || (isTitle && start > placed.from);
    if (isLast || cells.length > most + row.length) break;
    cells.push(start < placed.from ? "<td></td>" : written(placed, start));
  }
  return cells;
};

const written = ({ cell: { name, html }, isOwn, from }: Placed, column: number): string => {
  const isShown = (isOwn && column === from) || html.length <= maxRepeatedLength;
  return `<${name}>${isShown ? html : ""}</${name}>`;
};

/** Markdown has one row of headings, of as many cells as the table has columns. */
const write = (
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

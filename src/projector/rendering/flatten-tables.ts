import { asGrid } from "./table-grid.ts";

/**
 * Tables as Markdown can show them, in rows of one line each. What stands in a cell becomes one line; a table that
 * only arranges a page (it holds another table, or a single cell) becomes the blocks it arranges, and so does a caption,
 * which a reader of HTML puts before the table.
 * @param html sanitised: every `<` begins a tag, and of those of tables only cells have attributes
 * @returns undefined when a table has cells over so many rows or columns that it would grow out of bounds
 */
export const plainTables = (html: string): string | undefined =>
  html.includes("<table>") ? withGrids(withPlainCells(withoutLayout(html))) : html;

const parts = /<(\/?)(table|thead|tbody|tfoot|tr|th|td|caption)(?: [^>]*)?>/g;

const withoutLayout = (html: string): string => {
  const layout = layoutTables(html);
  const open: number[] = [];
  let tables = 0;
  return html.replace(parts, (tag, slash: string, name: string) => {
    if (name === "table" && !slash) open.push(tables++);
    const isLayout = layout.has(open.at(-1) ?? -1);
    if (name === "table" && slash) open.pop();
    return isLayout || name === "caption" ? `<${slash}div>` : tag;
  });
};

interface Table {
  cells: number;
  holdsTable: boolean;
}

/** Places, in the order they begin, of the tables that only arrange what is in them. */
const layoutTables = (html: string): ReadonlySet<number> => {
  const tables: Table[] = [];
  const open: Table[] = [];
  for (const [, slash, name] of html.matchAll(parts)) {
    const around = open.at(-1);
    if (name === "table" && slash) open.pop();
    else if (name === "table") {
      if (around) around.holdsTable = true;
      const table = { cells: 0, holdsTable: false };
      tables.push(table);
      open.push(table);
    } else if (around && !slash && (name === "td" || name === "th")) around.cells += 1;
  }
  return new Set(
    tables.flatMap(({ cells, holdsTable }, at) => (holdsTable || cells < 2 ? [at] : [])),
  );
};

const withPlainCells = (html: string): string =>
  html
    .split(/(<\/?t[dh](?: [^>]*)?>)/)
    .map((part, at, all) => (/^<[^/]/.test(all[at - 1] ?? "") ? oneLine(part) : part))
    .join("");

/** No table is within another any more. */
const withGrids = (html: string): string | undefined => {
  const pieces: string[] = [];
  for (const [at, piece] of html.split(/(<\/?table>)/).entries()) {
    // Each other piece is a tag, and every second of those a closing one.
    const grid = at % 4 === 2 ? asGrid(piece) : piece;
    if (grid === undefined) return undefined;
    pieces.push(grid);
  }
  return pieces.join("");
};

const blocks =
  /<\/?(?:p|div|section|article|header|footer|main|aside|address|h[1-6]|[uod]l|li|dt|dd|pre|blockquote|hr|br)\b[^>]*>/;

/** Blocks side by side, with a semicolon where neither a mark nor the end of a sentence parts them. */
const oneLine = (cell: string): string => {
  let line = "";
  let isParted = true;
  for (const part of cell.split(blocks).map((text) => text.trim())) {
    const shown = part.replace(/<(?!img)[^>]*>/g, "").trim();
    if (shown !== "" && line !== "") line += isParted ? " " : "; ";
    line += part;
    if (shown !== "") isParted = /[.:;,!?…]$/.test(shown);
  }
  return line;
};

import { toGrid } from "./table-grid.ts";

/**
 * Flattens tables for Markdown, which has one line for each row.
 * The content of a cell becomes one line. A layout table (with a nested table, or a single cell) and a caption become
 * blocks; an HTML parser moves a caption's block before the table.
 * @param html sanitised: every `<` begins a tag, and among table tags only cells have attributes
 * @returns undefined when spanning cells would make a table too large
 */
export const flattenTables = (html: string): string | undefined =>
  html.includes("<table>") ? gridTables(flattenCells(unwrapLayoutTables(html))) : html;

const tablePart = /<(\/?)(table|thead|tbody|tfoot|tr|th|td|caption)(?: [^>]*)?>/g;

const unwrapLayoutTables = (html: string): string => {
  const layout = findLayoutTables(html);
  const open: number[] = [];
  let tables = 0;
  return html.replace(tablePart, (tag, slash: string, name: string) => {
    if (name === "table" && !slash) open.push(tables++);
    const isLayout = layout.has(open.at(-1) ?? -1);
    if (name === "table" && slash) open.pop();
    return isLayout || name === "caption" ? `<${slash}div>` : tag;
  });
};

interface TableInfo {
  cells: number;
  hasNestedTable: boolean;
}

/** @returns indexes of the layout tables, counted by their opening tags */
const findLayoutTables = (html: string): ReadonlySet<number> => {
  const tables: TableInfo[] = [];
  const open: TableInfo[] = [];
  for (const [, slash, name] of html.matchAll(tablePart)) {
    const enclosing = open.at(-1);
    if (name === "table" && slash) open.pop();
    else if (name === "table") {
      if (enclosing) enclosing.hasNestedTable = true;
      const table = { cells: 0, hasNestedTable: false };
      tables.push(table);
      open.push(table);
    } else if (enclosing && !slash && (name === "td" || name === "th")) enclosing.cells += 1;
  }
  return new Set(
    tables.flatMap(({ cells, hasNestedTable }, index) =>
      hasNestedTable || cells < 2 ? [index] : [],
    ),
  );
};

const flattenCells = (html: string): string =>
  html
    .split(/(<\/?t[dh](?: [^>]*)?>)/)
    .map((part, index, all) => (/^<[^/]/.test(all[index - 1] ?? "") ? toOneLine(part) : part))
    .join("");

/** Rewrites each table as a grid. No table is nested at this point. */
const gridTables = (html: string): string | undefined => {
  const pieces: string[] = [];
  for (const [index, piece] of html.split(/(<\/?table>)/).entries()) {
    // Pieces repeat in fours: text, opening tag, content of the table, closing tag.
    const grid = index % 4 === 2 ? toGrid(piece) : piece;
    if (grid === undefined) return undefined;
    pieces.push(grid);
  }
  return pieces.join("");
};

const blocks =
  /<\/?(?:p|div|section|article|header|footer|main|aside|address|h[1-6]|[uod]l|li|dt|dd|pre|blockquote|hr|br)\b[^>]*>/;

/** Joins the blocks of a cell, with a semicolon after each that does not end in punctuation. */
const toOneLine = (cell: string): string => {
  let line = "";
  let endsInPunctuation = true;
  for (const part of cell.split(blocks).map((text) => text.trim())) {
    const visible = part.replace(/<(?!img)[^>]*>/g, "").trim();
    if (visible !== "" && line !== "") line += endsInPunctuation ? " " : "; ";
    line += part;
    if (visible !== "") endsInPunctuation = /[.:;,!?…]$/.test(visible);
  }
  return line;
};

/** Maximum spans in HTML. */
const [maxColumns, maxRows] = [1_000, 65_534];

export interface Cell {
  readonly name: string;
  readonly html: string;
  /** Number of columns and rows that the cell spans. */
  readonly columns: number;
  readonly rows: number;
}

export interface Row {
  readonly cells: Cell[];
  /** Number of its `thead`, `tbody` or `tfoot`: no cell spans two of them. */
  readonly group: number;
  readonly isHead: boolean;
}

const tablePart = /(<\/?(?:thead|tbody|tfoot|tr|td|th)(?: [^>]*)?>)/;

/**
 * Reads the rows and cells of a table.
 * @param html content between `<table>` and `</table>`
 * @returns the rows and the content outside of cells, such as a caption, which an HTML parser moves before the table; undefined
 * when the parts of the table are not nested correctly
 */
export const readTable = (html: string) => {
  const rows: Row[] = [];
  let [group, isHead] = [0, false];
  let open: Open = "table";
  const [first = "", ...others] = html.split(tablePart);
  let outside = first;
  for (let index = 0; index < others.length; index += 2) {
    const [tag = "", text = ""] = others.slice(index, index + 2);
    const [, slash = "", name = ""] = /^<(\/?)(\w+)/.exec(tag) ?? [];
    const [parent, next] = transitions[`${slash}${name}`] ?? groupTransition;
    if (open !== parent) return undefined;
    open = next;
    if (open === "cell") rows.at(-1)?.cells.push(buildCell(name, tag, text));
    else outside += text;
    if (parent === "table" && open === "row") rows.push({ cells: [], group, isHead });
    else if (parent === open) {
      group += 1;
      isHead = name === "thead" && !slash;
    }
  }
  return { rows, outside: outside.trim() };
};

/** Innermost open part of the table. */
type Open = "table" | "row" | "cell";

/** For each tag, the part it must be in and the part that is open after it. */
const transitions: Readonly<Record<string, readonly [parent: Open, next: Open]>> = {
  tr: ["table", "row"],
  td: ["row", "cell"],
  th: ["row", "cell"],
  "/td": ["cell", "row"],
  "/th": ["cell", "row"],
  "/tr": ["row", "table"],
};

/** Transition of the tags of `thead`, `tbody` and `tfoot`. */
const groupTransition: readonly [parent: Open, next: Open] = ["table", "table"];

const buildCell = (name: string, tag: string, html: string): Cell => ({
  name,
  html,
  columns: Math.min(readSpan(tag, "colspan") || 1, maxColumns),
  // `rowspan="0"` spans all remaining rows.
  rows: Math.min((readSpan(tag, "rowspan") ?? 1) || maxRows, maxRows),
});

/** @returns undefined when the attribute is missing, no number, or negative */
const readSpan = (tag: string, name: string): number | undefined => {
  const digits = new RegExp(` ${name}="\\s*\\+?(\\d+)`).exec(tag)?.[1];
  return digits === undefined ? undefined : Number(digits);
};

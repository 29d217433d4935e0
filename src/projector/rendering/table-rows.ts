/** The greatest spans that HTML knows. */
const [maxColumns, maxRows] = [1_000, 65_534];

export interface Cell {
  readonly name: string;
  readonly html: string;
  /** Columns and rows that the cell takes. */
  readonly columns: number;
  readonly rows: number;
}

export interface Row {
  readonly cells: Cell[];
  /** `thead`, `tbody`, `tfoot` in the order of the table: no cell reaches from one into another. */
  readonly group: number;
  readonly isHead: boolean;
}

const parts = /(<\/?(?:thead|tbody|tfoot|tr|td|th)(?: [^>]*)?>)/;

export interface Table {
  readonly rows: readonly Row[];
  /** What stands in no cell, as a caption does: readers of HTML put it before the table. */
  readonly outside: string;
}

/**
 * Reads the rows and cells of a table.
 * @param html what stands between `<table>` and `</table>`
 * @returns undefined where the parts of a table do not stand within each other as they must
 */
export const readTable = (html: string): Table | undefined => {
  const rows: Row[] = [];
  let [group, isHead] = [0, false];
  let open: Open = "table";
  const [first = "", ...others] = html.split(parts);
  let outside = first;
  for (let at = 0; at < others.length; at += 2) {
    const [tag = "", text = ""] = others.slice(at, at + 2);
    const [, slash = "", name = ""] = /^<(\/?)(\w+)/.exec(tag) ?? [];
    const [needed, next] = steps[`${slash}${name}`] ?? groupStep;
    if (open !== needed) return undefined;
    open = next;
    if (open === "cell") rows.at(-1)?.cells.push(cellOf(name, tag, text));
    else outside += text;
    if (needed === "table" && open === "row") rows.push({ cells: [], group, isHead });
    else if (needed === open) {
      group += 1;
      isHead = name === "thead" && !slash;
    }
  }
  return { rows, outside: outside.trim() };
};

/** The innermost part that is open. */
type Open = "table" | "row" | "cell";

/** For a tag, the part in which it must stand, and the one that is open behind it. */
const steps: Readonly<Record<string, readonly [needed: Open, next: Open]>> = {
  tr: ["table", "row"],
  td: ["row", "cell"],
  th: ["row", "cell"],
  "/td": ["cell", "row"],
  "/th": ["cell", "row"],
  "/tr": ["row", "table"],
};

/** For the tags of `thead`, `tbody` and `tfoot`. */
const groupStep: readonly [needed: Open, next: Open] = ["table", "table"];

const cellOf = (name: string, tag: string, html: string): Cell => ({
  name,
  html,
  columns: Math.min(spanOf(tag, "colspan") || 1, maxColumns),
  // No rows are as many as there are left.
  rows: Math.min((spanOf(tag, "rowspan") ?? 1) || maxRows, maxRows),
});

/** @returns undefined for no number, or a negative one */
const spanOf = (tag: string, name: string): number | undefined => {
  const digits = new RegExp(` ${name}="\\s*\\+?(\\d+)`).exec(tag)?.[1];
  return digits === undefined ? undefined : Number(digits);
};

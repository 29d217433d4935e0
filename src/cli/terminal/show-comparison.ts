import { escapeBreaks } from "../../platform/escape-control.ts";
import type {
  Comparison,
  RowDifference,
  TableComparison,
} from "../../read-model/compare/compare.ts";
import { colours, formatCount, print } from "./output.ts";
import { formatTable } from "./table.ts";

/** Applies to the rows of a table and to the fields of a row. */
const maxShown = 3;

export const showComparison = ({ tables, isSame, before, after }: Comparison): void => {
  const at =
    before.sequence === after.sequence
      ? `at event ${before.sequence}`
      : `at event ${before.sequence}, the new one at ${after.sequence}`;
  if (isSame) {
    const rows = tables.reduce((sum, table) => sum + table.rows.after, 0);
    print(
      `compared with the live generation ${at}: ${colours.green("the same")}, ${formatCount(tables.length, "table")}, ${formatCount(rows, "row")}`,
    );
    return;
  }
  const differing = tables.filter(isDifferent);
  print(
    `compared with the live generation ${at}: ${colours.yellow(`${formatCount(differing.length, "table")} of ${tables.length} differ`)}`,
  );
  showTable(differing);
  for (const table of differing) showRows(table);
};

const isDifferent = ({ added, removed, changed, damage }: TableComparison): boolean =>
  added + removed + changed > 0 || damage !== null;

const showTable = (tables: readonly TableComparison[]): void => {
  const head = ["table", "live", "new", "added", "removed", "changed"];
  const rows = tables.map(({ table, rows, added, removed, changed }) => [
    table,
    ...[rows.before, rows.after, added, removed, changed].map((count) =>
      count.toLocaleString("en"),
    ),
  ]);
  print("");
  for (const line of formatTable(head, rows)) print(`  ${line}`);
  print("");
};

const showRows = ({ table, first, added, removed, changed, damage }: TableComparison): void => {
  if (damage !== null) print(`  ${table}: ${colours.red("damaged")}: ${damage}`);
  for (const row of first.slice(0, maxShown)) showRow(table, row);
  const more = added + removed + changed - Math.min(first.length, maxShown);
  if (more > 0) print(colours.dim(`  ${table}: ${formatCount(more, "more row")}`));
};

const showRow = (table: string, { key, kind, isDamaged, fields }: RowDifference): void => {
  const name = `  ${table} ${colours.bold(JSON.stringify(key))}`;
  if (isDamaged) {
    print(`${name}: ${colours.red("damaged")}: the live row is not what was written`);
    return;
  }
  const shown = fields
    .slice(0, maxShown)
    .map(({ path, before, after }) => `${path || "value"} ${before ?? "-"} -> ${after ?? "-"}`);
  print(`${name} ${[kind, ...shown.map(escapeBreaks)].join("; ")}`);
};

import { formatAttribute } from "../../text/attribute-value.ts";
import { escapeInline } from "../../text/markdown/escape.ts";
import type { Specification } from "../schema/goods.ts";

/** Formats specifications as a table, and those of each group as a table below its heading. */
export const formatSpecifications = (
  specifications: readonly Specification[],
): string | undefined => {
  if (specifications.length === 0) return undefined;
  const groups = new Map<string, Specification[]>([["", []]]);
  for (const specification of specifications) {
    const name = specification.typed?.group ?? "";
    const members = groups.get(name);
    if (members) members.push(specification);
    else groups.set(name, [specification]);
  }
  return [...groups]
    .filter(([, members]) => members.length > 0)
    .map(([name, members]) => (name ? `### ${escapeInline(name)}\n\n` : "") + formatTable(members))
    .join("\n\n");
};

const formatTable = (rows: readonly Specification[]): string =>
  [
    "| Name | Value |",
    "| --- | --- |",
    ...rows.map(
      (row) =>
        `| ${escapeInline(row.name)} | ${escapeInline(formatAttribute(row.value, row.typed))} |`,
    ),
  ].join("\n");

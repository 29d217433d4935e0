import type { Product } from "../../read-model/reader/product.ts";
import type { Snapshot } from "../../read-model/reader/reader.ts";
import type { Specification } from "../../read-model/schema/product-parts.ts";
import { formatAttribute } from "../../text/attribute-value.ts";
import { section } from "../../text/markdown/blocks.ts";
import { escapeInline, link } from "../../text/markdown/escape.ts";
import { relationshipNames } from "../words/facts.ts";
import { markdownUrl } from "./url.ts";

export const toList = (lines: readonly string[] = []): string =>
  lines.map((line) => `- ${line}`).join("\n");

/** Formats links to the Markdown of related products. */
export const formatRelated = (snapshot: Snapshot, baseUrl: string, product: Product): string => {
  const lines = snapshot.relatedProducts(product).flatMap(({ productId, relationship }) => {
    const related = snapshot.product(productId);
    if (!related) return [];
    const { name, url } = related.text;
    return `${link(name, markdownUrl(baseUrl, url))}: ${relationshipNames[relationship]}`;
  });
  return section("Related products", toList(lines)) ?? "";
};

/** Formats specifications as a table, and those of each group as a table below its heading. */
export const formatSpecifications = (specifications: readonly Specification[]): string => {
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

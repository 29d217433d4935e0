import type { ProductFacts } from "../../events/product-facts.ts";
import type { Product } from "../../read-model/reader/product.ts";
import type { Snapshot } from "../../read-model/reader/reader.ts";
import type { ProductText } from "../../read-model/schema/documents.ts";
import type { Specification } from "../../read-model/schema/product-parts.ts";
import { formatAttribute } from "../../text/attribute-value.ts";
import { joinBlocks, section } from "../../text/markdown/blocks.ts";
import { escapeInline, link } from "../../text/markdown/escape.ts";
import { factLine, formatMedia, formatWarning, relationshipNames } from "../words/facts.ts";
import type { Style } from "../words/style.ts";
import { markdownUrl } from "./url.ts";

/** Formats the sections before the description. */
export const formatNotices = ({ warnings, highlights }: ProductFacts, style: Style): string =>
  joinBlocks(
    section("Warnings", toList(warnings?.map((warning) => formatWarning(warning, style)))),
    section("Highlights", toList(highlights?.map(style.text))),
  );

/** Formats the sections after the images. */
export const formatMediaAndTags = ({ media, tags }: ProductFacts, style: Style): string =>
  joinBlocks(
    section("Media", toList(media?.map((medium) => formatMedia(medium, style)))),
    section("Tags", tags?.map(style.text).join(", ")),
  );

export const toItems = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => `- ${line}`);

export const toList = (lines: readonly string[] = []): string => toItems(lines).join("\n");

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

/** Formats the names and codes of a product. */
export const identityLines = ({ brand, reference, gtin, id }: ProductText): readonly string[] => [
  ...factLine("Brand", brand && escapeInline(brand)),
  ...factLine("Reference", reference && escapeInline(reference)),
  ...factLine("GTIN", gtin && escapeInline(gtin)),
  `Id: ${id}`,
];

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

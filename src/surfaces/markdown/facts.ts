import type { ProductFacts } from "../../events/goods.ts";
import { parseMember } from "../../read-model/reader/product-json.ts";
import type { Snapshot } from "../../read-model/reader/reader.ts";
import { joinBlocks, section } from "../../text/markdown/blocks.ts";
import { link } from "../../text/markdown/escape.ts";
import { formatMedia, formatWarning, relationshipNames } from "../words/facts.ts";
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
export const formatRelated = (snapshot: Snapshot, baseUrl: string, id: number) => {
  const lines = snapshot.relatedProducts(id).flatMap(({ productId, relationship }) => {
    const product = snapshot.productMembers(productId);
    if (!product) return [];
    const url = markdownUrl(baseUrl, parseMember(product, "url"));
    return `${link(parseMember(product, "name"), url)}: ${relationshipNames[relationship]}`;
  });
  return section("Related products", toList(lines));
};

import type { Media, ProductFacts, Relationship, Warning } from "../../../events/goods.ts";
import { parseMember } from "../../../read-model/reader/product-json.ts";
import type { Snapshot } from "../../../read-model/reader/reader.ts";
import { joinBlocks, section } from "../../../text/markdown/blocks.ts";
import { escapeInline, link } from "../../../text/markdown/escape.ts";
import { markdownUrl } from "../url.ts";

/** Formats the sections before the description. */
export const formatNotices = ({ warnings, highlights }: ProductFacts): string =>
  joinBlocks(
    section("Warnings", formatList(warnings, formatWarning)),
    section("Highlights", formatList(highlights, escapeInline)),
  );

/** Formats the sections after the images. */
export const formatMediaAndTags = ({ media, tags }: ProductFacts): string =>
  joinBlocks(
    section("Media", formatList(media, formatMedia)),
    section("Tags", tags?.map(escapeInline).join(", ")),
  );

const formatList = <T>(
  items: readonly T[] | null | undefined,
  format: (item: T) => string,
): string | undefined => items?.map((item) => `- ${format(item)}`).join("\n");

/** Formats a warning. Its text is never shortened. */
const formatWarning = ({ text, code, url, imageUrl }: Warning): string =>
  [
    escapeInline(text),
    ...(code ? [`(${escapeInline(code)})`] : []),
    ...(url ? [link("details", url)] : []),
    ...(imageUrl ? [link("picture", imageUrl)] : []),
  ].join(" ");

const mediaNames: Readonly<Record<Media["type"], string>> = {
  image: "image",
  video: "video",
  model_3d: "3D model",
};

const formatMedia = ({ type, url, alt, previewUrl }: Media): string => {
  const preview = previewUrl ? `, ${link("preview", previewUrl)}` : "";
  return `${link(alt ?? "", url)}: ${mediaNames[type]}${preview}`;
};

const relationshipNames: Readonly<Record<Relationship, string>> = {
  part_of_set: "part of the same set",
  required_part: "required part",
  often_bought_with: "often bought together",
  substitute: "substitute",
  different_brand: "same kind of another brand",
  accessory: "accessory",
  similar: "similar",
};

/** Formats links to the Markdown of related products. */
export const formatRelated = (snapshot: Snapshot, baseUrl: string, id: number): string => {
  const lines = snapshot.relatedProducts(id).flatMap(({ productId, relationship }) => {
    const product = snapshot.productMembers(productId);
    if (!product) return [];
    const url = markdownUrl(baseUrl, parseMember(product, "url"));
    return [`- ${link(parseMember(product, "name"), url)}: ${relationshipNames[relationship]}`];
  });
  return section("Related products", lines.join("\n")) ?? "";
};

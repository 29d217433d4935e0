import type { Product } from "../../read-model/reader/product.ts";
import type { Snapshot } from "../../read-model/reader/reader.ts";
import { section } from "../../text/markdown/blocks.ts";
import { autolink, escapeInline, link } from "../../text/markdown/escape.ts";
import type { MemberOn } from "../product-members.ts";
import { readPolicy } from "../shop-info.ts";
import { factLines, formatMedia, formatWarning, identityLines } from "../words/facts.ts";
import { type OfferWords, offerLines, upcomingSaleName } from "../words/offer.ts";
import { formatStockDetails } from "../words/stock.ts";
import { markdownStyle, type Style } from "../words/style.ts";
import { joinPage, type Page } from "./document.ts";
import { formatRelated, formatSpecifications, toList } from "./facts.ts";
import { buildPageLocation, markdownUrl } from "./url.ts";
import { formatVariantTable } from "./variants.ts";

/** Reads the page of a product (Specification §4.4). */
export const productPage = (snapshot: Snapshot, baseUrl: string, id: number): Page | undefined => {
  const product = snapshot.product(id);
  if (!product) return undefined;
  const policy = readPolicy(snapshot);
  const style = markdownStyle(policy.timeZone);
  const { json, text, offer, updatedAt, lastmod } = product;
  const parts: ChangingParts = {
    offer: formatOfferLines({ offer, facts: text.facts, policy }, style),
    variants: formatVariantTable(product, policy),
    related: formatRelated(snapshot, baseUrl, product),
    categories: formatCategories(snapshot, baseUrl, product),
    updatedAt,
  };
  const { canonical, address } = buildPageLocation(baseUrl, text.url);
  return {
    canonical,
    address,
    // A late stock or price event changes the page and may be older, so the time alone does not validate a cached page.
    lastModified: lastmod,
    version: () => json + JSON.stringify(parts),
    markdown: () => renderProduct(product, parts, style),
  };
};

/** What instants, and events of other entities than the product's core, change on the page. Each part is Markdown, or empty. */
interface ChangingParts {
  readonly offer: readonly string[];
  readonly variants: string;
  readonly related: string;
  readonly categories: string;
  readonly updatedAt: string;
}

/** Formats what a buyer decides by. The sales of variants are in their table. */
const formatOfferLines = (words: OfferWords, style: Style): readonly string[] => {
  const { offer } = words;
  const stock = offer.availability + formatStockDetails(offer.stock, style);
  const showsVariant = offer.featured !== null;
  return offerLines(words, stock, style).filter(
    (line) => !obvious.has(line) && !(showsVariant && line.startsWith(`${upcomingSaleName}: `)),
  );
};

/** What goes without saying. */
const obvious: ReadonlySet<string> = new Set(["Condition: new", "Delivery: physical"]);

const renderProduct = (product: Product, parts: ChangingParts, style: Style): string => {
  const { id, text } = product;
  return joinPage(
    `# ${escapeInline(text.name)}`,
    toList([
      ...parts.offer,
      ...identityLines(text, style),
      `Id: ${id}`,
      ...factLines(text.facts, style),
      `Updated: ${parts.updatedAt}`,
      `Page: ${autolink(text.url)}`,
    ]),
    ...Object.values(sections).map((write) => write(product, parts, style)),
  );
};

type Section = (product: Product, parts: ChangingParts, style: Style) => string | undefined;

/** Members with a section of their own, in the sequence of the page. */
const sections: Readonly<Record<MemberOn<"section"> | "description" | "variants", Section>> = {
  warnings: ({ text: { facts } }, _parts, style) =>
    section("Warnings", toList(facts.warnings?.map((warning) => formatWarning(warning, style)))),
  highlights: ({ text: { facts } }, _parts, style) =>
    section("Highlights", toList(facts.highlights?.map(style.text))),
  description: ({ markdown }) => section("Description", markdown),
  variants: (_product, { variants }) => section("Variants", variants),
  specifications: ({ text }) =>
    section("Specifications", formatSpecifications(text.specifications)),
  related: (_product, { related }) => related,
  categoryIds: (_product, { categories }) => section("Categories", categories),
  images: ({ text }) =>
    section("Images", toList(text.images.map(({ url, alt }) => link(alt ?? "", url)))),
  media: ({ text: { facts } }, _parts, style) =>
    section("Media", toList(facts.media?.map((medium) => formatMedia(medium, style)))),
  tags: ({ text: { facts } }, _parts, style) =>
    section("Tags", facts.tags?.map(style.text).join(", ")),
};

const formatCategories = (snapshot: Snapshot, baseUrl: string, { text }: Product): string =>
  toList(
    text.categoryIds.flatMap((id) => {
      const category = snapshot.listedCategory(id);
      return category ? link(category.name, markdownUrl(baseUrl, category.url)) : [];
    }),
  );

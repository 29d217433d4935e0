import { toGoodsPolicy } from "../../offers/policy.ts";
import { type JsonMembers, parseMember } from "../../read-model/reader/product-json.ts";
import type { Snapshot } from "../../read-model/reader/reader.ts";
import type { ProductDocument, ProductFragments } from "../../read-model/schema/documents.ts";
import { section } from "../../text/markdown/blocks.ts";
import { link } from "../../text/markdown/escape.ts";
import { formatPrice } from "../format.ts";
import { factLines } from "../words/facts.ts";
import { type OfferSource, offerLines } from "../words/offer.ts";
import { formatStockDetails } from "../words/stock.ts";
import { hiddenPrice, markdownStyle, type Style } from "../words/style.ts";
import { joinPage, type Page } from "./document.ts";
import { formatMediaAndTags, formatNotices, formatRelated, toItems, toList } from "./facts.ts";
import { buildPageLocation, markdownUrl } from "./url.ts";
import { formatVariantTable } from "./variants.ts";

/** Reads the page of a product (Specification §4.4). */
export const productPage = (snapshot: Snapshot, baseUrl: string, id: number): Page | undefined => {
  const product = snapshot.productMembers(id);
  const fragments = snapshot.productFragments(id);
  if (!product || !fragments) return undefined;
  const categories = readCategories(snapshot, baseUrl, fragments);
  const parts = { ...readParts(snapshot, baseUrl, id, product), categories };
  const updatedAt = parseMember(product, "updatedAt");
  return {
    ...buildPageLocation(baseUrl, parseMember(product, "url")),
    // A late stock or price event changes the page and may be older, so the time alone does not validate a cached page.
    lastModified: parseMember(product, "lastmod"),
    version: [fragments.digest, updatedAt, parts],
    markdown: () => renderProduct(fragments, updatedAt, parts),
  };
};

/** What a page shows in addition to its stored parts: each is Markdown. Most products have `offer` and `categories` only. */
interface Parts {
  /** Lines before the identity. */
  readonly offer: readonly string[];
  /** Lines after the identity. */
  readonly facts?: readonly string[];
  readonly notices?: string;
  readonly variants?: string | undefined;
  readonly related?: string | undefined;
  readonly categories: string | undefined;
  readonly mediaAndTags?: string;
}

const readCategories = (
  snapshot: Snapshot,
  baseUrl: string,
  fragments: JsonMembers<ProductFragments>,
): string | undefined => {
  const categories = parseMember(fragments, "categoryIds").flatMap(
    (id) => snapshot.listedCategory(id) ?? [],
  );
  const links = categories.map(({ name, url }) => link(name, markdownUrl(baseUrl, url)));
  return section("Categories", toList(links));
};

const readParts = (
  snapshot: Snapshot,
  baseUrl: string,
  id: number,
  product: JsonMembers<ProductDocument>,
): Omit<Parts, "categories"> => {
  const availability = parseMember(product, "availability");
  const offer = snapshot.hasGoods(id) ? snapshot.productOffer(id) : undefined;
  if (!offer) {
    const price = formatPrice(parseMember(product, "price"), hiddenPrice);
    return { offer: [`- Price: ${price}`, `- Availability: ${availability}`] };
  }
  const policy = toGoodsPolicy(snapshot.shop()?.goods);
  const style = markdownStyle(policy.timeZone);
  const { facts = {}, options = [], variantIds = [] } = snapshot.productGoods(id) ?? {};
  const variants = variantIds.length > 0 ? snapshot.variants(id)?.variants : undefined;
  return {
    offer: formatOfferLines({ offer, facts, policy }, availability, style),
    facts: toItems(factLines(facts, style)),
    notices: formatNotices(facts, style),
    variants: section("Variants", formatVariantTable(id, options, variants ?? [], policy)),
    related: formatRelated(snapshot, baseUrl, id),
    mediaAndTags: formatMediaAndTags(facts, style),
  };
};

/** Formats what a buyer decides by. The sales of variants are in their table. */
const formatOfferLines = (
  { offer, ...source }: OfferSource,
  availability: string,
  style: Style,
): readonly string[] => {
  const shown = offer.featured === null ? offer : { ...offer, upcomingSales: [] };
  const stock = availability + formatStockDetails(offer.stock, style);
  const lines = offerLines({ ...source, offer: shown }, stock, style);
  return toItems(lines.filter((line) => !obvious.has(line)));
};

/** What goes without saying. */
const obvious: ReadonlySet<string> = new Set(["Condition: new", "Delivery: physical"]);

/** Joins the stored parts of the page with the others. */
const renderProduct = (
  fragments: JsonMembers<ProductFragments>,
  updatedAt: string,
  { offer, facts = [], notices, variants, related, categories, mediaAndTags }: Parts,
): string =>
  joinPage(
    parseMember(fragments, "title"),
    [
      ...offer,
      parseMember(fragments, "identity"),
      ...facts,
      `- Updated: ${updatedAt}`,
      parseMember(fragments, "pageLink"),
    ].join("\n"),
    notices,
    ...insertVariants(fragments, variants),
    related,
    categories,
    parseMember(fragments, "gallery"),
    mediaAndTags,
  );

/** Inserts the variants before the specifications. */
const insertVariants = (
  fragments: JsonMembers<ProductFragments>,
  variants: string | undefined,
): readonly string[] => {
  const sections = parseMember(fragments, "sections");
  if (!variants) return [sections];
  if (parseMember(fragments, "specifications").length === 0) return [sections, variants];
  // A description can contain this line as code, but the specifications, which are last, cannot.
  const end = `\n${sections}`.lastIndexOf(specificationHeading);
  return [sections.slice(0, end).trimEnd(), variants, sections.slice(end)];
};

const specificationHeading = "\n## Specifications\n";

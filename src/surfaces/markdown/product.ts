import { toGoodsPolicy } from "../../offers/policy.ts";
import { type JsonMembers, parseMember } from "../../read-model/reader/product-json.ts";
import type { Snapshot } from "../../read-model/reader/reader.ts";
import type {
  ListedCategory,
  ProductDocument,
  ProductFragments,
} from "../../read-model/schema/documents.ts";
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
  const variable = readVariableParts(snapshot, baseUrl, product, fragments);
  const added = readAddedParts(snapshot, baseUrl, product);
  return {
    ...buildPageLocation(baseUrl, parseMember(product, "url")),
    // A late stock or price event changes the page and may be older, so the time alone does not validate a cached page.
    lastModified: parseMember(product, "lastmod"),
    version: [fragments.digest, variable, ...(added ? [added] : [])],
    markdown: () => renderProduct(fragments, variable, added),
  };
};

/** What events of other entities change on the page. */
interface VariableParts {
  readonly members: JsonMembers<Pick<ProductDocument, "price" | "availability" | "updatedAt">>;
  readonly categories: readonly Pick<ListedCategory, "name" | "url">[];
  /** Links to categories contain the URL of this service, which no event states. */
  readonly baseUrl: string;
}

const readVariableParts = (
  snapshot: Snapshot,
  baseUrl: string,
  { price, availability, updatedAt }: JsonMembers<ProductDocument>,
  fragments: JsonMembers<ProductFragments>,
): VariableParts => ({
  members: { price, availability, updatedAt },
  baseUrl,
  categories: parseMember(fragments, "categoryIds").flatMap((id) => {
    const category = snapshot.listedCategory(id);
    return category ? [{ name: category.name, url: category.url }] : [];
  }),
});

/** What variants, an offer and facts add to the page. Each part is Markdown, or empty. */
interface AddedParts {
  /** Lines before the identity, in place of price and availability. */
  readonly offer: readonly string[];
  /** Lines after the identity. */
  readonly facts: readonly string[];
  /** Sections before the description. */
  readonly notices: string;
  /** Section after the description. */
  readonly variants: string;
  /** Section after the specifications. */
  readonly related: string;
  /** Sections after the images. */
  readonly mediaAndTags: string;
}

/** @returns undefined for a product with a price, a stock and texts alone */
const readAddedParts = (
  snapshot: Snapshot,
  baseUrl: string,
  product: JsonMembers<ProductDocument>,
): AddedParts | undefined => {
  const id = parseMember(product, "id");
  const offer = snapshot.hasGoods(id) ? snapshot.productOffer(id) : undefined;
  if (!offer) return undefined;
  const policy = toGoodsPolicy(snapshot.shop()?.goods);
  const style = markdownStyle(policy.timeZone);
  const { facts = {}, options = [], variantIds = [] } = snapshot.productGoods(id) ?? {};
  const variants = variantIds.length > 0 ? snapshot.variants(id)?.variants : undefined;
  const table = formatVariantTable(id, options, variants ?? [], policy);
  const availability = parseMember(product, "availability");
  return {
    offer: formatOfferLines({ offer, facts, policy }, availability, style),
    facts: toItems(factLines(facts, style)),
    notices: formatNotices(facts, style),
    variants: section("Variants", table) ?? "",
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
  { members, categories, baseUrl }: VariableParts,
  added: AddedParts | undefined,
): string =>
  joinPage(
    parseMember(fragments, "title"),
    [
      ...(added?.offer ?? formatOffer(members)),
      parseMember(fragments, "identity"),
      ...(added?.facts ?? []),
      `- Updated: ${parseMember(members, "updatedAt")}`,
      parseMember(fragments, "pageLink"),
    ].join("\n"),
    added?.notices,
    ...insertVariants(fragments, added?.variants),
    added?.related,
    section("Categories", formatCategories(categories, baseUrl)),
    parseMember(fragments, "gallery"),
    added?.mediaAndTags,
  );

const formatOffer = (members: VariableParts["members"]): readonly string[] => [
  `- Price: ${formatPrice(parseMember(members, "price"), hiddenPrice)}`,
  `- Availability: ${parseMember(members, "availability")}`,
];

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

const formatCategories = (categories: VariableParts["categories"], baseUrl: string): string =>
  toList(categories.map(({ name, url }) => link(name, markdownUrl(baseUrl, url))));

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
import { hiddenPrice, joinPage, type Page } from "./document.ts";
import { type GoodsParts, readGoodsParts } from "./goods/goods-parts.ts";
import { buildPageLocation, markdownUrl } from "./url.ts";

/** Reads the page of a product (Specification §4.4). */
export const productPage = (snapshot: Snapshot, baseUrl: string, id: number): Page | undefined => {
  const product = snapshot.productMembers(id);
  const fragments = snapshot.productFragments(id);
  if (!product || !fragments) return undefined;
  const variable = readVariableParts(snapshot, baseUrl, product, fragments);
  const goods = readGoodsParts(snapshot, baseUrl, product);
  return {
    ...buildPageLocation(baseUrl, parseMember(product, "url")),
    // A late stock or price event changes the page and may be older, so the time alone does not validate a cached page.
    lastModified: parseMember(product, "lastmod"),
    version: [fragments.digest, variable, ...(goods ? [goods] : [])],
    markdown: () => renderProduct(fragments, variable, goods),
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

/** Joins the stored parts of the page with the others. */
const renderProduct = (
  fragments: JsonMembers<ProductFragments>,
  { members, categories, baseUrl }: VariableParts,
  goods: GoodsParts | undefined,
): string =>
  joinPage(
    parseMember(fragments, "title"),
    [
      ...(goods?.offer ?? formatOffer(members)),
      parseMember(fragments, "identity"),
      ...(goods?.facts ?? []),
      `- Updated: ${parseMember(members, "updatedAt")}`,
      parseMember(fragments, "pageLink"),
    ].join("\n"),
    goods?.notices,
    ...insertVariants(fragments, goods),
    goods?.related,
    section("Categories", formatCategories(categories, baseUrl)),
    parseMember(fragments, "gallery"),
    goods?.mediaAndTags,
  );

const formatOffer = (members: VariableParts["members"]): readonly string[] => [
  `- Price: ${formatPrice(parseMember(members, "price"), hiddenPrice)}`,
  `- Availability: ${parseMember(members, "availability")}`,
];

/** Inserts the variants before the specifications. */
const insertVariants = (
  fragments: JsonMembers<ProductFragments>,
  goods: GoodsParts | undefined,
): readonly string[] => {
  const sections = parseMember(fragments, "sections");
  if (!goods?.variants) return [sections];
  if (parseMember(fragments, "specifications").length === 0) return [sections, goods.variants];
  // A description can contain this line as code, but the specifications, which are last, cannot.
  const end = `\n${sections}`.lastIndexOf(specificationHeading);
  return [sections.slice(0, end).trimEnd(), goods.variants, sections.slice(end)];
};

const specificationHeading = "\n## Specifications\n";

const formatCategories = (categories: VariableParts["categories"], baseUrl: string): string =>
  categories.map(({ name, url }) => `- ${link(name, markdownUrl(baseUrl, url))}`).join("\n");

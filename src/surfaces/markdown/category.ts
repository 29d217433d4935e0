import { type JsonMembers, parseMember } from "../../read-model/reader/product-json.ts";
import type { CategoryProducts, Snapshot } from "../../read-model/reader/reader.ts";
import {
  categoryPageSize,
  type ListedCategory,
  type ProductDocument,
} from "../../read-model/schema/documents.ts";
import { section } from "../../text/markdown/blocks.ts";
import { autolink, escapeInline, link } from "../../text/markdown/escape.ts";
import { formatPrice, pluralize } from "../format.ts";
import { findAncestors } from "./ancestors.ts";
import { createPage, joinPage, latestTime, type Page } from "./document.ts";
import { hiddenPrice } from "./product.ts";
import { buildPageLocation, markdownUrl, nextPageUrl } from "./url.ts";

/** Maximum ancestors on a page; the nearest are listed. */
const maxAncestors = 100;

/**
 * Reads a page of a category (Specification §4.4): its ancestors, its children, and one page of its products by id.
 * @param after cursor from the link to the next page; undefined for the first page
 * @returns `bad_cursor` when `after` is not a cursor of this category, undefined when there is no such category
 */
export const categoryPage = (
  snapshot: Snapshot,
  baseUrl: string,
  id: number,
  after?: string,
): Page | "bad_cursor" | undefined => {
  const found = snapshot.category(id);
  if (!found) return undefined;
  // The date of the first page is not on later ones, whose ETag must not follow it.
  const { lastmod, ...category } = found;
  const page = snapshot.categoryProducts(id, {
    first: categoryPageSize,
    ...(after ? { after } : {}),
  });
  if (!page) return "bad_cursor";
  const lastModified = latestTime(
    lastmod,
    // Adds the products of a further page; those of the first page are included in the category's date.
    ...(after ? page.products.map((product) => parseMember(product, "lastmod")) : []),
  );
  return createPage(
    { ...buildPageLocation(baseUrl, category.url, after), lastModified },
    {
      baseUrl,
      category,
      ancestors: findAncestors(snapshot, category, maxAncestors),
      ...(after ? laterPage : readFirstPage(snapshot, id)),
      products: page.products.map(selectShownMembers),
      next: page.next,
    },
    renderCategory,
  );
};

type CountedCategory = ListedCategory & { readonly productCount: number };

/** Members of a product as stored JSON. */
type ShownMembers = JsonMembers<Pick<ProductDocument, "name" | "url" | "price" | "availability">>;

/** Parts that only the first page of a category shows. */
interface FirstPageParts {
  readonly description: string | null | undefined;
  readonly children: readonly CountedCategory[];
}

interface CategorySource extends FirstPageParts {
  readonly baseUrl: string;
  readonly category: CountedCategory;
  readonly ancestors: readonly ListedCategory[];
  readonly products: readonly ShownMembers[];
  readonly next: CategoryProducts["next"];
}

const laterPage: FirstPageParts = { description: undefined, children: [] };

const readFirstPage = (snapshot: Snapshot, id: number): FirstPageParts => ({
  description: snapshot.categoryDetail(id)?.markdown,
  children: snapshot.subcategories(id),
});

const selectShownMembers = ({ name, url, price, availability }: ShownMembers): ShownMembers => ({
  ...{ name, url, price, availability },
});

const renderCategory = (source: CategorySource): string => {
  const { baseUrl, category, description, next } = source;
  return joinPage(
    `# ${escapeInline(category.name)}`,
    formatMetadata(source),
    section("Description", description),
    section("Subcategories", formatCategories(source)),
    section("Products", formatProducts(source)),
    next && `[Next products](${nextPageUrl(markdownUrl(baseUrl, category.url), next)})`,
  );
};

const formatMetadata = ({ baseUrl, category, ancestors }: CategorySource): string => {
  const path = ancestors.map(({ name, url }) => link(name, markdownUrl(baseUrl, url)));
  if (category.depth > 1 + maxAncestors) path.unshift("…");
  return [
    ...(path.length > 0 ? [`- In: ${path.join(" / ")}`] : []),
    `- Products directly in it: ${category.productCount}`,
    `- Id: ${category.id}`,
    `- Page: ${autolink(category.url)}`,
  ].join("\n");
};

/** Formats links to the Markdown of the children. A category with direct products has their number. */
const formatCategories = ({ children, baseUrl }: CategorySource): string =>
  children
    .map(({ name, url, productCount }) => {
      const item = `- ${link(name, markdownUrl(baseUrl, url))}`;
      return productCount === 0 ? item : `${item}: ${pluralize(productCount, "product")}`;
    })
    .join("\n");

const formatProducts = ({ products, baseUrl }: CategorySource): string =>
  products
    .map((product) => {
      const url = markdownUrl(baseUrl, parseMember(product, "url"));
      const price = formatPrice(parseMember(product, "price"), hiddenPrice);
      return `- ${link(parseMember(product, "name"), url)}: ${price}, ${parseMember(product, "availability")}`;
    })
    .join("\n");

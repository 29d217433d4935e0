import { parseMember } from "../../read-model/reader/product-json.ts";
import type { CategoryProducts, Snapshot } from "../../read-model/reader/reader.ts";
import { categoryPageSize, type ListedCategory } from "../../read-model/schema/documents.ts";
import { section } from "../../text/markdown/blocks.ts";
import { autolink, escapeInline, link } from "../../text/markdown/escape.ts";
import { formatPrice, pluralize } from "../format.ts";
import { findAncestors } from "./ancestors.ts";
import { joinPage, latestTime, type RenderedPage } from "./document.ts";
import { hiddenPrice } from "./product.ts";
import { buildPageLocation, markdownUrl, nextPageUrl } from "./url.ts";

/** Maximum ancestors on a page; the nearest are listed. */
const maxAncestors = 100;

/**
 * Renders a page of a category (Specification §4.4): its ancestors, its children, and one page of its products by id.
 * @param after cursor from the link to the next page; undefined for the first page
 * @returns `bad_cursor` when `after` is not a cursor of this category, undefined when there is no such category
 */
export const categoryPage = (
  snapshot: Snapshot,
  baseUrl: string,
  id: number,
  after?: string,
): RenderedPage | "bad_cursor" | undefined => {
  const category = snapshot.category(id);
  if (!category) return undefined;
  const page = snapshot.categoryProducts(id, {
    first: categoryPageSize,
    ...(after ? { after } : {}),
  });
  if (!page) return "bad_cursor";
  const address = markdownUrl(baseUrl, category.url);
  const children = snapshot.subcategories(id);
  return {
    ...buildPageLocation(baseUrl, category.url, after),
    lastModified: latestTime(
      category.lastmod,
      // Adds the products of a further page; those of the first page are included in the category's date.
      ...(after ? page.products.map((product) => parseMember(product, "lastmod")) : []),
    ),
    markdown: joinPage(
      `# ${escapeInline(category.name)}`,
      formatMetadata(snapshot, baseUrl, category, category.productCount),
      section("Description", after ? null : snapshot.categoryDetail(id)?.markdown),
      section("Subcategories", after ? undefined : formatCategories(children, baseUrl)),
      section("Products", formatProducts(page, baseUrl)),
      page.next && `[Next products](${nextPageUrl(address, page.next)})`,
    ),
  };
};

const formatMetadata = (
  snapshot: Snapshot,
  baseUrl: string,
  category: ListedCategory,
  productCount: number,
): string => {
  const chain = findAncestors(snapshot, category, maxAncestors);
  const path = chain.map(({ name, url }) => link(name, markdownUrl(baseUrl, url)));
  if (category.depth > 1 + maxAncestors) path.unshift("…");
  return [
    ...(path.length > 0 ? [`- In: ${path.join(" / ")}`] : []),
    `- Products directly in it: ${productCount}`,
    `- Id: ${category.id}`,
    `- Page: ${autolink(category.url)}`,
  ].join("\n");
};

type CountedCategory = ListedCategory & { readonly productCount: number };

/** Formats links to the Markdown of categories. A category with direct products has their number. */
const formatCategories = (categories: readonly CountedCategory[], baseUrl: string): string =>
  categories
    .map(({ name, url, productCount }) => {
      const item = `- ${link(name, markdownUrl(baseUrl, url))}`;
      return productCount === 0 ? item : `${item}: ${pluralize(productCount, "product")}`;
    })
    .join("\n");

const formatProducts = ({ products }: CategoryProducts, baseUrl: string): string =>
  products
    .map((product) => {
      const url = markdownUrl(baseUrl, parseMember(product, "url"));
      const price = formatPrice(parseMember(product, "price"), hiddenPrice);
      return `- ${link(parseMember(product, "name"), url)}: ${price}, ${parseMember(product, "availability")}`;
    })
    .join("\n");

import type { CategoryProducts, Snapshot } from "../../read-model/reader/reader.ts";
import { categoryPageProducts, type ListedCategory } from "../../read-model/schema/documents.ts";
import { ancestors } from "./ancestors.ts";
import { blocks, counted, newest, type Rendered, section } from "./document.ts";
import { autolink, inline, link } from "./escape.ts";
import { priceOf } from "./product.ts";
import { prose } from "./sanitize.ts";
import { following, locationOf, markdownAddress } from "./url.ts";

/** Categories above it that a page names: the nearest. */
const mostAbove = 100;

/**
 * A category's page (§4.4): where it stands, its children, its products by id, a page at a time.
 * @param after the cursor in the `after` of the link to the next page; the first page without
 * @returns `bad_cursor` when `after` is none of ours
 */
export const categoryPage = (
  moment: Snapshot,
  baseUrl: string,
  id: number,
  after?: string,
): Rendered | "bad_cursor" | undefined => {
  const category = moment.category(id);
  if (!category) return undefined;
  const found = moment.categoryProducts(id, {
    first: categoryPageProducts,
    ...(after ? { after } : {}),
  });
  if (!found) return "bad_cursor";
  const address = markdownAddress(baseUrl, category.url);
  const children = moment.subcategories(id);
  return {
    ...locationOf(baseUrl, category.url, after),
    lastModified: newest(
      category.lastmod,
      // The category is dated by the products of its first page.
      ...(after ? found.products.map(({ lastmod }) => lastmod) : []),
    ),
    markdown: blocks(
      `# ${inline(category.name)}`,
      facts(moment, baseUrl, category, category.productCount),
      section("Description", after ? null : description(moment, category)),
      section("Subcategories", after ? undefined : list(children, baseUrl)),
      section("Products", products(found, baseUrl)),
      found.next && `[Next products](${following(address, found.next)})`,
    ),
  };
};

const facts = (
  moment: Snapshot,
  baseUrl: string,
  category: ListedCategory,
  productCount: number,
): string => {
  const chain = ancestors(moment, category, mostAbove);
  const path = chain.map(({ name, url }) => link(name, markdownAddress(baseUrl, url)));
  if (category.depth > 1 + mostAbove) path.unshift("…");
  return [
    ...(path.length > 0 ? [`- In: ${path.join(" / ")}`] : []),
    `- Products directly in it: ${productCount}`,
    `- Id: ${category.id}`,
    `- Page: ${autolink(category.url)}`,
  ].join("\n");
};

const description = (moment: Snapshot, { id, url }: ListedCategory): string | null => {
  const markdown = moment.categoryDetail(id)?.markdown;
  return markdown ? prose(markdown, url) : null;
};

type Counted = ListedCategory & { readonly productCount: number };

/** Links to the Markdown of categories, with the number of products directly in those that have any. */
const list = (categories: readonly Counted[], baseUrl: string): string =>
  categories
    .map(({ name, url, productCount }) => {
      const item = `- ${link(name, markdownAddress(baseUrl, url))}`;
      return productCount === 0 ? item : `${item}: ${counted(productCount, "product")}`;
    })
    .join("\n");

const products = ({ products }: CategoryProducts, baseUrl: string): string =>
  products
    .map(
      (product) =>
        `- ${link(product.name, markdownAddress(baseUrl, product.url))}: ${priceOf(product)}, ${product.availability}`,
    )
    .join("\n");

import type { Product } from "../../read-model/reader/product.ts";
import type { CategoryProducts, Snapshot } from "../../read-model/reader/reader.ts";
import { categoryPageSize, type ListedCategory } from "../../read-model/schema/documents.ts";
import { section } from "../../text/markdown/blocks.ts";
import { autolink, escapeInline, link } from "../../text/markdown/escape.ts";
import { formatPrice, pluralize } from "../format.ts";
import { readPolicy } from "../shop-info.ts";
import { formatTax, lowestWord } from "../words/price.ts";
import { hiddenPrice } from "../words/style.ts";
import { createPage, joinPage, latestTime, type Page } from "./document.ts";
import { toList } from "./facts.ts";
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
    ...(after ? page.products.map((product) => product.lastmod) : []),
  );
  return createPage(
    { lastModified, ...buildPageLocation(baseUrl, category.url, after) },
    readSource(snapshot, baseUrl, category, page, after),
    renderCategory,
  );
};

type CategorySource = ReturnType<typeof readSource>;

/** Reads what a page shows. The description and the subcategories are on the first page only. */
const readSource = (
  snapshot: Snapshot,
  baseUrl: string,
  category: ReturnType<Snapshot["subcategories"]>[number],
  { products, next }: CategoryProducts,
  after: string | undefined,
) => ({
  ...{ baseUrl, category },
  ancestors: findAncestors(snapshot, category, maxAncestors),
  description: after ? undefined : snapshot.categoryDetail(category.id)?.markdown,
  children: after ? [] : snapshot.subcategories(category.id),
  products: formatListedProducts(products, baseUrl),
  tax: products.length > 0 ? readListedTax(snapshot) : "",
  next,
});

const renderCategory = (source: CategorySource): string => {
  const { baseUrl, category, description, products, next } = source;
  return joinPage(
    `# ${escapeInline(category.name)}`,
    formatMetadata(source),
    section("Description", description),
    section("Subcategories", formatCategories(source)),
    section("Products", products),
    next && `[Next products](${nextPageUrl(markdownUrl(baseUrl, category.url), next)})`,
  );
};

const formatMetadata = ({ baseUrl, category, ancestors, tax }: CategorySource): string => {
  const path = ancestors.map(({ name, url }) => link(name, markdownUrl(baseUrl, url)));
  if (category.depth > 1 + maxAncestors) path.unshift("…");
  return [
    ...(path.length > 0 ? [`- In: ${path.join(" / ")}`] : []),
    `- Products directly in it: ${category.productCount}`,
    ...(tax ? [`- Prices:${tax}`] : []),
    `- Id: ${category.id}`,
    `- Page: ${autolink(category.url)}`,
  ].join("\n");
};

/** Formats links to the Markdown of the children. A category with direct products has their number. */
const formatCategories = ({ children, baseUrl }: CategorySource): string =>
  toList(
    children.map(({ name, url, productCount }) => {
      const item = link(name, markdownUrl(baseUrl, url));
      return productCount === 0 ? item : `${item}: ${pluralize(productCount, "product")}`;
    }),
  );

/** Formats the products of a category as a list of links. */
const formatListedProducts = (products: readonly Product[], baseUrl: string): string =>
  toList(
    products.map(({ text, offer }) => {
      const { price, range, availability } = offer;
      const shown = `${lowestWord(range)}${formatPrice(price, hiddenPrice)}`;
      return `${link(text.name, markdownUrl(baseUrl, text.url))}: ${shown}, ${availability}`;
    }),
  );

/** Formats whether the listed prices include tax; empty where the shop does not say, or shows none. */
const readListedTax = (snapshot: Snapshot): string => {
  const policy = readPolicy(snapshot);
  return policy.pricesVisible ? formatTax(policy) : "";
};

/**
 * Lists the ancestors of a category, root first; of more than `maxCount`, the nearest.
 *
 * Invariant: every visible category has a complete chain of ancestors without a cycle.
 */
const findAncestors = (
  snapshot: Snapshot,
  { parentId }: ListedCategory,
  maxCount: number,
): readonly ListedCategory[] => {
  const above: ListedCategory[] = [];
  for (let id = parentId; id !== null && above.length < maxCount; ) {
    const parent = snapshot.listedCategory(id);
    if (!parent) break;
    above.push(parent);
    id = parent.parentId;
  }
  return above.reverse();
};

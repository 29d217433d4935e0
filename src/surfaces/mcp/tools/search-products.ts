import type { ProductDocument } from "../../../read-model/documents.ts";
import type { ListingQuery } from "../../../read-model/reader.ts";
import { notFound, unavailable } from "../refusal.ts";
import { type Id, idOf, type Tool } from "../tool.ts";
import { availabilityText, counted, lines, priceText } from "../wording.ts";

interface Arguments {
  readonly query?: string;
  readonly category_id?: Id;
  readonly in_stock_only?: boolean;
  readonly sort?: ListingQuery["sort"];
  readonly limit?: number;
  readonly offset?: number;
}

export const searchProducts: Tool<Arguments> = {
  name: "search_products",
  answer({ moment }, args) {
    const { sort = "relevance", limit = 20, offset = 0, in_stock_only: inStockOnly = false } = args;
    const categoryId = args.category_id === undefined ? undefined : idOf(args.category_id);
    if (categoryId !== undefined && !moment.category(categoryId)) {
      return notFound(["category_id"], `No category has the id ${args.category_id}.`);
    }
    if (sort.startsWith("price") && moment.shop()?.pricesVisible === false) {
      return unavailable(["sort"], "This shop hides its prices: sort by relevance or name.");
    }
    const { products, total } = moment.listing({
      ...(args.query !== undefined && { query: args.query }),
      ...(categoryId !== undefined && { categoryId }),
      inStockOnly,
      sort,
      limit,
      offset,
    });
    const hasMore = offset + products.length < total && products.length > 0;
    return {
      structured: {
        products: products.map(shown),
        total,
        limit,
        offset,
        has_more: hasMore,
      },
      text: textOf(products, { total, offset, hasMore }),
    };
  },
};

const shown = ({ id, name, price, availability, url }: ProductDocument) => ({
  id,
  name,
  price,
  availability,
  url,
});

interface Page {
  readonly total: number;
  readonly offset: number;
  readonly hasMore: boolean;
}

const textOf = (products: readonly ProductDocument[], { total, offset, hasMore }: Page): string => {
  if (total === 0) return "No products match.";
  const matching = total === 1 ? "1 product matches" : `${total} products match`;
  if (products.length === 0) return `${matching}; none after the first ${offset}.`;
  const next = offset + products.length;
  return lines(
    products.length === 1
      ? `${matching}; this is number ${next}:`
      : `${matching}; these are ${offset + 1} to ${next}:`,
    ...products.map(line),
    hasMore ? `${counted(total - next, "more product")}: ask with offset ${next}.` : undefined,
  );
};

const line = ({ id, name, price, availability, url }: ProductDocument): string =>
  `- ${name} (id ${id}): ${priceText(price)}, ${availabilityText(availability)}, ${url}`;

import type {
  Facets,
  OffsetPageQuery,
  ProductFilters,
} from "../../../read-model/schema/queries.ts";
import { joinLines, pluralize } from "../../format.ts";
import { reportSearch, type SearchReport, toFilters } from "../../product-search.ts";
import { hidesPrices } from "../../shop-info.ts";
import { invalidArgument, notFound, unavailable } from "../../user-error.ts";
import { toFoundProduct } from "../found-product.ts";
import { countFitting } from "../text-bound.ts";
import { type Id, parseId, type Tool } from "./tool.ts";

interface Arguments {
  readonly query?: string;
  readonly category_id?: Id;
  readonly in_stock_only?: boolean;
  readonly sort?: OffsetPageQuery["sort"];
  readonly limit?: number;
  readonly offset?: number;
  readonly brand?: string;
  readonly price_min?: string;
  readonly price_max?: string;
  readonly reference?: string;
  readonly gtin?: string;
  readonly url?: string;
  readonly mpn?: string;
  readonly options?: NonNullable<ProductFilters["options"]>;
  readonly attributes?: NonNullable<ProductFilters["attributes"]>;
  readonly on_sale?: boolean;
  readonly condition?: NonNullable<ProductFilters["condition"]>;
  readonly stock_status?: NonNullable<ProductFilters["stockStatuses"]>;
  readonly min_rating?: number;
  readonly match_all?: boolean;
  readonly with_facets?: boolean;
}

export const searchProducts: Tool<Arguments> = {
  name: "search_products",
  answer({ snapshot }, args) {
    const { sort = "relevance", limit = 20, offset = 0 } = args;
    const blank = textArguments.find((name) => args[name]?.trim() === "");
    if (blank) {
      return invalidArgument(
        [blank],
        `\`${blank}\` must not be blank: omit it to match any value.`,
      );
    }
    const invalid = findInvalidNames(args);
    if (invalid) return invalid;
    const categoryIds = args.category_id === undefined ? undefined : [parseId(args.category_id)];
    if (categoryIds?.some((id) => !snapshot.category(id))) {
      return notFound(["category_id"], `No category has the id ${args.category_id}.`);
    }
    const rejected = hidesPrices(snapshot) ? findPriceArgument(args) : undefined;
    if (rejected) {
      return unavailable([rejected], "This shop hides its prices: sort by relevance or name.");
    }
    const query = {
      ...toFilters({
        ...args,
        categoryIds,
        inStockOnly: args.in_stock_only,
        priceMin: args.price_min,
        priceMax: args.price_max,
        options: args.options?.length ? args.options : undefined,
        attributes: args.attributes?.length ? args.attributes : undefined,
        onSale: args.on_sale,
        stockStatuses: args.stock_status,
        minRating: args.min_rating,
      }),
      ...(args.query !== undefined && { query: args.query }),
      relax: !args.match_all,
      sort,
      limit,
      offset,
    };
    const { products, total, understood } = snapshot.listing(query);
    const matched = snapshot.matchedVariants(products, query);
    const items = products.map((product) => toFoundProduct(product, matched.get(product.id) ?? []));
    const blocks = items.map(({ text }) => text);
    const hasMore = offset + products.length < total && products.length > 0;
    const facets = args.with_facets ? toFacets(snapshot.facets(query)) : undefined;
    const report = toReport(reportSearch(snapshot, understood, total, args.query ?? ""));
    return {
      structured: {
        products: items.map(({ data }) => data),
        total,
        limit,
        offset,
        has_more: hasMore,
        ...report,
        ...(facets && { facets }),
      },
      text: joinLines(
        formatReport(report),
        formatResults(blocks, total, offset),
        facets && `Facets: ${JSON.stringify(facets)}`,
      ),
    };
  },
};

const textArguments = ["brand", "reference", "gtin", "mpn", "url"] as const;

/** Omits the facets that a shop without variants and attributes does not have. */
const toFacets = ({ options, attributes, ...facets }: Facets) => ({
  ...facets,
  ...(options.length > 0 && { options }),
  ...(attributes.length > 0 && { attributes }),
});

/** Finds the argument that would reveal hidden prices by filtering or sorting. */
const findPriceArgument = ({ sort, ...args }: Arguments): string | undefined =>
  sort?.startsWith("price") || sort === "discount"
    ? "sort"
    : (["on_sale", "price_min", "price_max"] as const).find((name) => args[name]);

/** How the search read the query, where it differs from the query itself. */
type Report = ReturnType<typeof toReport>;

const toReport = (report: SearchReport | null) => {
  if (!report) return {};
  const { relaxed, matchedWords, corrections, unknownWords, suggestions } = report;
  return {
    ...(relaxed && { relaxed, matched_words: matchedWords }),
    ...(corrections.length > 0 && { corrections }),
    ...(unknownWords.length > 0 && { unknown_words: unknownWords }),
    ...(suggestions.length > 0 && { suggestions }),
  };
};

const formatReport = (report: Report): string => {
  const { relaxed, matched_words, corrections, unknown_words, suggestions } = report;
  return joinLines(
    relaxed && "Nothing matches every word; these products match most of them.",
    matched_words && `Words that products have: ${matched_words.join(", ")}.`,
    ...(corrections ?? []).map(({ word, words }) => `"${word}" was read as ${words.join(", ")}.`),
    unknown_words && `Nothing was found for: ${unknown_words.join(", ")}.`,
    suggestions && `The catalogue has: ${suggestions.join(", ")}.`,
  );
};

/** Formats as many products of the page as fit. */
const formatResults = (blocks: readonly string[], total: number, offset: number): string => {
  const shown = blocks.slice(0, countFitting(blocks));
  if (total === 0) return "No products match.";
  const matching = total === 1 ? "1 product matches" : `${total} products match`;
  if (shown.length === 0) return `${matching}; none after the first ${offset}.`;
  const next = offset + shown.length;
  return joinLines(
    shown.length === 1
      ? `${matching}; this is number ${next}:`
      : `${matching}; these are ${offset + 1} to ${next}:`,
    ...shown,
    next < total
      ? `${pluralize(total - next, "more product")}: continue with offset ${next}.`
      : undefined,
  );
};

/** Checks what the schema of the tool cannot say of options and attributes. */
const findInvalidNames = ({ options = [], attributes = [] }: Arguments) => {
  for (const [name, entries] of Object.entries({ options, attributes })) {
    if (entries.some((entry) => entry.name.trim() === "" || entry.value?.trim() === "")) {
      return invalidArgument([name], `The names and values of \`${name}\` must not be blank.`);
    }
  }
  const isOpen = attributes.some(
    ({ value, min, max }) => value === undefined && min === undefined && max === undefined,
  );
  return isOpen
    ? invalidArgument(["attributes"], "An attribute needs `value`, `min` or `max`.")
    : undefined;
};

import type { Snapshot } from "../../../read-model/reader/reader.ts";
import type { ProductQuery } from "../../../read-model/schema/queries.ts";
import { type RequestedFilters, toFilters } from "../../product-search.ts";
import { hidesPrices } from "../../shop-info.ts";
import { invalidArgument, notFound, type UserError, unavailable } from "../../user-error.ts";
import { graphqlLimits } from "../limits/limits.ts";
import { type FilterArguments, findInvalidFilters, toValueFilters } from "./filter-arguments.ts";

/** Arguments of `Query.products` from a client; each may be absent or null. */
export interface ProductsArguments
  extends Omit<
      RequestedFilters,
      "categoryIds" | "ids" | "options" | "attributes" | "condition" | "stockStatuses" | "minRating"
    >,
    FilterArguments {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly query?: string | null;
  readonly relax?: boolean | null;
  readonly orderBy?: "RELEVANCE" | keyof typeof readerSorts | null;
  readonly categoryId?: string | null;
  readonly ids?: readonly string[] | null;
}

/** Converts valid arguments to a query of the read model. */
export const toProductQuery = (args: ProductsArguments): ProductQuery => {
  const { first, after, query, relax, orderBy, categoryId, ids, ...others } = args;
  return {
    first: Math.min(first ?? graphqlLimits.defaultPageSize, graphqlLimits.pageSize),
    ...toFilters({
      categoryIds: categoryId == null ? null : [Number(categoryId)],
      ids: ids == null ? null : ids.map(Number),
      ...others,
      ...toValueFilters(args, args.reference),
    }),
    ...(after != null && { after }),
    // Ignores a query of spaces only.
    ...(query?.trim() && { query }),
    ...(relax && { relax }),
    ...(orderBy && orderBy !== "RELEVANCE" && { sort: readerSorts[orderBy] }),
  };
};

const readerSorts = {
  PRICE_ASC: "price_asc",
  PRICE_DESC: "price_desc",
  NAME: "name",
  DISCOUNT: "discount",
  RATING: "rating",
  NEWEST: "newest",
} as const;

/** Warns about a capped `first`; the page is still served. */
export const capWarning = ({ first }: ProductsArguments): readonly UserError[] => {
  if (first == null || first <= graphqlLimits.pageSize) return [];
  const message = `\`first\` is capped at ${graphqlLimits.pageSize}: the page was served at ${graphqlLimits.pageSize}.`;
  return [invalidArgument(toPath("first"), message)];
};

/** Checks the arguments. @returns an error for each invalid argument; no page is served then */
export const argumentErrors = (
  snapshot: Snapshot,
  args: ProductsArguments,
): readonly UserError[] => [
  ...findInvalidArguments(args),
  ...findInvalidFilters(args, args.reference),
  ...findUnknownCategory(snapshot, args),
  ...findPriceArguments(snapshot, args),
];

const findInvalidArguments = (args: ProductsArguments): readonly UserError[] => {
  const { first, query, categoryId, ids } = args;
  const check = (
    name: keyof ProductsArguments,
    isInvalid: boolean,
    message: string,
  ): UserError[] => (isInvalid ? [invalidArgument(toPath(name), message)] : []);
  return [
    ...check("first", first != null && first <= 0, "`first` must be 1 or more."),
    ...check(
      "query",
      query != null && [...query].length > graphqlLimits.queryCharacters,
      `\`query\` may have at most ${graphqlLimits.queryCharacters} characters.`,
    ),
    ...check(
      "categoryId",
      categoryId != null && !isId(categoryId),
      "The id of a category is a positive integer.",
    ),
    ...check("ids", ids != null && !ids.every(isId), "The id of a product is a positive integer."),
    ...check(
      "ids",
      ids != null && ids.length > graphqlLimits.pageSize,
      `\`ids\` may have at most ${graphqlLimits.pageSize} ids.`,
    ),
    ...(["priceMin", "priceMax"] as const).flatMap((name) =>
      check(
        name,
        args[name] != null && !/^\d{1,15}(\.\d{1,6})?$/.test(args[name]),
        `\`${name}\` must be a decimal number such as 10 or 9.90.`,
      ),
    ),
    ...(["brand", "reference", "gtin", "sku", "mpn", "url"] as const).flatMap((name) => [
      ...check(
        name,
        args[name] != null && args[name].length > maxCharacters[name],
        `\`${name}\` may have at most ${maxCharacters[name]} characters.`,
      ),
      ...check(
        name,
        args[name]?.trim() === "",
        `\`${name}\` must not be empty: omit it to match any value.`,
      ),
    ]),
  ];
};

/** Maximum characters of the arguments; no product has more. */
const maxCharacters = {
  ...{ brand: 500, reference: 500, gtin: 500, sku: 500, mpn: 500 },
  url: 2_048,
} as const;

const isId = (id: string): boolean => /^[1-9]\d{0,15}$/.test(id);

const findUnknownCategory = (
  snapshot: Snapshot,
  { categoryId }: ProductsArguments,
): readonly UserError[] =>
  categoryId != null && isId(categoryId) && !snapshot.category(Number(categoryId))
    ? [notFound(toPath("categoryId"), `No category has the id ${categoryId}.`)]
    : [];

const findPriceArguments = (snapshot: Snapshot, args: ProductsArguments): readonly UserError[] => {
  if (!hidesPrices(snapshot)) return [];
  const names = (["priceMin", "priceMax"] as const).filter((name) => args[name] != null);
  const sales = args.onSale ? (["onSale"] as const) : [];
  const isPriceSort = args.orderBy?.startsWith("PRICE") || args.orderBy === "DISCOUNT";
  const sorts = isPriceSort ? (["orderBy"] as const) : [];
  return [...names, ...sales, ...sorts].map((name) =>
    unavailable(
      toPath(name),
      "This shop hides its prices: products cannot be filtered or sorted by price.",
    ),
  );
};

const toPath = (name: keyof ProductsArguments): readonly string[] => ["products", name];

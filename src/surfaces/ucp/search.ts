import type { Product } from "../../read-model/reader/product.ts";
import type { ProductFilters, QueryReport } from "../../read-model/schema/queries.ts";
import { findLines, listLines } from "../entry/lines.ts";
import { omitEmpty } from "../mcp/offer-answer.ts";
import { readFilters } from "./filters.ts";
import { listDisclosures } from "./messages.ts";
import { toUcpProduct } from "./product-answer.ts";
import { invalidRequest, type Refusal } from "./refusal.ts";
import type { SearchRequest } from "./request.ts";
import { listPolicies } from "./shop-answer.ts";
import { info, toEnvelope, type UcpView } from "./view.ts";

const [defaultLimit, maxLimit, maxVariants] = [10, 100, 10];

/** Answers a search (Contract §12): what `search_products` finds, in its sequence. */
export const searchCatalog = (view: UcpView, request: SearchRequest): object | Refusal => {
  const { snapshot } = view;
  const { limit = defaultLimit, cursor } = request.pagination ?? {};
  const { filters, messages } = readFilters(view, request);
  const words = request.query && /[\p{L}\p{N}]/u.test(request.query) ? request.query : undefined;
  const wanted = { ...filters, ...(words !== undefined && { query: words, relax: true }) };
  const page = snapshot.products({
    ...withPrice(wanted),
    first: Math.min(limit, maxLimit),
    ...(cursor !== undefined && { after: cursor }),
  });
  if (!page)
    return invalidRequest("pagination.cursor: must be the cursor of a page of this search");
  const isFound = !isTooRelaxed(page.understood);
  const products = isFound ? page.products : [];
  const matched = snapshot.matchedVariants(products, wanted);
  const shown = products
    .map((product) => ({ product, lines: selectLines(product, matched.get(product.id)) }))
    .filter(({ lines }) => lines.length > 0);
  const paths = shown.map((_, at) => `$.products[${at}]`);
  const all = [
    ...shown.flatMap(({ product }, at) => listDisclosures(product, paths[at] ?? "")),
    ...messages,
    ...relaxedMessages(page.understood),
  ];
  return {
    ucp: toEnvelope(view),
    products: shown.map((each) => toUcpProduct(view, each)),
    pagination: {
      has_next_page: isFound && page.hasNextPage,
      ...(isFound && page.hasNextPage && { cursor: page.cursor(-1) }),
      total_count: isFound ? page.totalCount : 0,
    },
    ...(shown.length > 0 &&
      omitEmpty({
        messages: all,
        policies: listPolicies(
          view,
          shown.map(({ product }) => product),
          paths,
        ),
      })),
  };
};

/** Selects products with a price in the currency of the shop, as every filter of prices does. */
const withPrice = <T extends ProductFilters>(wanted: T): T & ProductFilters =>
  wanted.priceMin === undefined && wanted.priceMax === undefined
    ? { ...wanted, priceMin: "0" }
    : wanted;

/** A word that many products have would find them for a text that means nothing here. */
const isTooRelaxed = (understood: QueryReport | undefined): boolean =>
  understood?.relaxed === true && understood.matched.length <= understood.unknown.length;

const relaxedMessages = (understood: QueryReport | undefined) =>
  understood?.relaxed ? [info("query_relaxed", understood.matched.join(", "))] : [];

const selectLines = (product: Product, matched: readonly number[] | undefined) => {
  const { variants } = product;
  return variants ? findLines(product, matched ?? variants.ids, maxVariants) : listLines(product);
};

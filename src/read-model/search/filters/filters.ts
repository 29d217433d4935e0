import { parseUrl } from "../../../text/parse-url.ts";
import { storedQueries } from "../../../text/tracking-parameters.ts";
import { pathKey } from "../../schema/keys.ts";
import type { SearchRequest } from "../../schema/queries.ts";
import { idUpperBound, tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import { brandKey, inStockKey } from "../postings/list-keys.ts";
import { emptySource, idSource, type PostingSource } from "../postings/posting-source.ts";
import { unionSources } from "../postings/source-union.ts";
import type { SearchContext } from "../query/search-context.ts";
import { namedVariantSource } from "./matched-variants.ts";
import { findByMember } from "./products-by-identifier.ts";
import { mayNameVariants, toValueFilter } from "./value-filter.ts";
import { valueSource } from "./value-source.ts";

/** Builds a posting source for each filter, to be intersected with the sources of the query terms. */
export const buildFilterSources = (
  context: SearchContext,
  filters: SearchRequest,
): readonly PostingSource[] => {
  const { stored } = context;
  const { inStockOnly, categoryIds, brand, ids, reference, gtin, mpn, url } = filters;
  const values = toValueFilter(filters);
  return [
    inStockOnly && openListSource(context, inStockKey),
    categoryIds && categorySource(context, categoryIds),
    brand !== undefined && openListSource(context, brandKey(brand)),
    ids && visibleSource(stored, ids),
    reference !== undefined && idSource(findByMember(stored, "reference", reference)),
    gtin !== undefined && idSource(findByMember(stored, "gtin", gtin)),
    mpn !== undefined && idSource(findByMember(stored, "mpn", mpn)),
    url !== undefined && visibleSource(stored, findProductsByUrl(stored, url)),
    mayNameVariants(filters)
      ? namedVariantSource(context, filters)
      : values && valueSource(context, values),
  ].filter((source) => typeof source === "object");
};

const openListSource = ({ openList }: SearchContext, key: string): PostingSource =>
  openList(key) ?? emptySource;

const categorySource = (context: SearchContext, roots: readonly number[]): PostingSource =>
  unionSources([...subtrees(context, roots)].flatMap((id) => context.openCategoryList(id) ?? []));

const subtrees = ({ parents }: SearchContext, roots: readonly number[]): ReadonlySet<number> => {
  const descendants = new Set<number>();
  for (const [id, parent] of parents()) {
    if (roots.includes(id) || (parent !== null && descendants.has(parent))) descendants.add(id);
  }
  return descendants;
};

/** Matches those of some products that are visible. */
const visibleSource = (stored: ReadTables, ids: readonly number[]): PostingSource => {
  const visibleIds = [...new Set(ids)].filter((id) => id > 0 && stored.has(tables.products, id));
  return idSource(visibleIds.sort((a, b) => a - b));
};

/**
 * Finds the products whose page has this URL: an absolute one, or a path and query. A suffix `.md` is accepted,
 * because agents receive such links. Without a match, tracking parameters of assistants, advertisements and
 * newsletters are removed, and the trailing slash is added or removed. The host is ignored, because a shop may have
 * several and this service has its own.
 */
const findProductsByUrl = (stored: ReadTables, url: string): readonly number[] => {
  const parsed = parseUrl(url, "http://any");
  if (!parsed) return [];
  const { pathname, search } = parsed;
  const paths = [
    ...new Set([pathname, pathname.replace(/\.md$/, ""), toggleTrailingSlash(pathname)]),
  ];
  for (const query of storedQueries(search)) {
    for (const path of paths) {
      const ids = readIdsByPath(stored, path + query);
      if (ids.length > 0) return ids;
    }
  }
  return [];
};

const toggleTrailingSlash = (path: string): string =>
  path.endsWith("/") ? path.slice(0, -1) : `${path}/`;

const readIdsByPath = (stored: ReadTables, pathAndQuery: string): readonly number[] => {
  const start = [pathKey(pathAndQuery), "product"] as const;
  const range = { start, end: [...start, idUpperBound] } as const;
  return [...stored.keys(tables.addresses, range)].map(([, , id]) => id);
};

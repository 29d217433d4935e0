import { tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import { mayNameVariants, toGoodsFilter } from "../goods/goods-filter.ts";
import { goodsSource } from "../goods/goods-source.ts";
import { namedVariantSource } from "../goods/matched-variants.ts";
import { brandKey, inStockKey } from "../postings/list-keys.ts";
import {
  emptySource,
  idSource,
  listSource,
  type PostingSource,
} from "../postings/posting-source.ts";
import { unionSources } from "../postings/source-union.ts";
import type { SearchContext } from "../query/search-context.ts";
import type { SearchRequest } from "../search-request.ts";
import { findByMember } from "./products-by-identifier.ts";
import { findProductsByUrl } from "./products-by-url.ts";

/** Builds a posting source for each filter, to be intersected with the sources of the query terms. */
export const buildFilterSources = (
  context: SearchContext,
  filters: SearchRequest,
): readonly PostingSource[] => {
  const { stored, instant } = context;
  const { inStockOnly, categoryId, brand, ids, reference, gtin, mpn, url } = filters;
  const goods = toGoodsFilter(filters);
  return [
    inStockOnly && openListSource(context, inStockKey),
    categoryId !== undefined && categorySource(context, categoryId),
    brand !== undefined && openListSource(context, brandKey(brand)),
    ids && visibleSource(stored, ids),
    reference !== undefined && idSource(findByMember(stored, "reference", reference)),
    gtin !== undefined && idSource(findByMember(stored, "gtin", gtin)),
    mpn !== undefined && idSource(findByMember(stored, "mpn", mpn)),
    url !== undefined && visibleSource(stored, findProductsByUrl(stored, url)),
    goods && goodsSource(stored, goods, instant),
    mayNameVariants(filters) && namedVariantSource(stored, filters, instant),
  ].filter((source) => typeof source === "object");
};

const openListSource = ({ openList }: SearchContext, key: string): PostingSource => {
  const list = openList(key);
  return list ? listSource(list) : emptySource;
};

/** Matches the products of a category and its descendants. */
const categorySource = (context: SearchContext, categoryId: number): PostingSource =>
  unionSources(
    [...subtree(context, categoryId)].flatMap((id) => {
      const list = context.openCategoryList(id);
      return list ? [listSource(list)] : [];
    }),
  );

const subtree = ({ parents }: SearchContext, root: number): ReadonlySet<number> => {
  const descendants = new Set<number>();
  for (const [id, parent] of parents()) {
    if (id === root || (parent !== null && descendants.has(parent))) descendants.add(id);
  }
  return descendants;
};

/** Matches those of some products that are visible. */
const visibleSource = (stored: ReadTables, ids: readonly number[]): PostingSource => {
  const visibleIds = [...new Set(ids)].filter((id) => id > 0 && stored.has(tables.products, id));
  return idSource(visibleIds.sort((a, b) => a - b));
};

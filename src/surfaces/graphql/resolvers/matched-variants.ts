import type { Product } from "../../../read-model/reader/product.ts";
import type { ProductQuery } from "../../../read-model/schema/queries.ts";
import { graphqlLimits } from "../limits/limits.ts";
import type { ResolverContext } from "../resolver-context.ts";
import { countVariants } from "./variants.ts";

/** An edge of `products`. */
interface Edge {
  readonly node: Product;
  /** Returns the ids of the variants that the query of the page is about, by product. */
  matched(): ReadonlyMap<number, readonly number[]>;
}

/** Resolves `ProductEdge.matchedVariants`. */
export const matchedVariants = (
  { node, matched }: Edge,
  { first }: { readonly first?: number | null },
  context: ResolverContext,
) => {
  const all = matched();
  const ids = (countVariants(node, context) && all.get(node.id)) || [];
  const count = Math.max(
    0,
    Math.min(first ?? graphqlLimits.defaultMatches, graphqlLimits.pageSize),
  );
  const nodes = ids.slice(0, count).flatMap((id) => node.variants?.find(id) ?? []);
  return { nodes, totalCount: ids.length };
};

/** Finds the variants that a query is about, of the products of its page whose variants the limit allows to read. */
export const findMatched = (
  nodes: readonly Product[],
  query: ProductQuery | undefined,
  { snapshot, budget }: ResolverContext,
): ReadonlyMap<number, readonly number[]> => {
  const allowed: Product[] = [];
  let read = budget.variants;
  for (const node of nodes) {
    read += node.variants?.ids.length ?? 0;
    if (read > graphqlLimits.readVariants) break;
    allowed.push(node);
  }
  return query ? snapshot.matchedVariants(allowed, query) : new Map();
};

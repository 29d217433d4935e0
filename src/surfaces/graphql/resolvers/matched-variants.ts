import type { Product } from "../../../read-model/reader/product.ts";
import type { ProductQuery } from "../../../read-model/schema/queries.ts";
import { graphqlLimits } from "../limits/limits.ts";
import type { ResolverContext } from "../resolver-context.ts";
import { countVariants } from "./variants.ts";

/** An edge of `products` with the query of its page. */
interface Edge {
  readonly node: Product;
  readonly query: ProductQuery | undefined;
}

/** Resolves `ProductEdge.matchedVariants`. */
export const matchedVariants = (
  { node, query }: Edge,
  { first }: { readonly first?: number | null },
  context: ResolverContext,
) => {
  const isCounted = countVariants(node, context);
  const ids = query && isCounted ? context.snapshot.matchedVariants(node, query) : [];
  const count = Math.max(
    0,
    Math.min(first ?? graphqlLimits.defaultMatches, graphqlLimits.pageSize),
  );
  const nodes = ids.slice(0, count).flatMap((id) => node.variants?.find(id) ?? []);
  return { nodes, totalCount: ids.length };
};

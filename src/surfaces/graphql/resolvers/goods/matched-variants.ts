import type { Snapshot } from "../../../../read-model/reader/reader.ts";
import type { ProductDocument } from "../../../../read-model/schema/documents.ts";
import type { ProductQuery } from "../../../../read-model/schema/queries.ts";
import { graphqlLimits } from "../../limits/limits.ts";
import { toVariant } from "./shapes.ts";

/** An edge of `products` with the query of its page. */
interface Edge {
  readonly node: ProductDocument;
  readonly query: ProductQuery | undefined;
}

/** Resolves `ProductEdge.matchedVariants`. */
export const matchedVariants = (
  snapshot: Snapshot,
  { node, query }: Edge,
  { first }: { readonly first?: number | null },
) => {
  const ids = query ? snapshot.matchedVariants(node.id, query) : [];
  const count = Math.max(
    0,
    Math.min(first ?? graphqlLimits.defaultMatches, graphqlLimits.pageSize),
  );
  const nodes = ids.slice(0, count).flatMap((id) => {
    const variant = snapshot.variant(node.id, id);
    return variant ? [toVariant(node, variant)] : [];
  });
  return { nodes, totalCount: ids.length };
};

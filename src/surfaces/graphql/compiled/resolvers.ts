import type { GraphQLField, GraphQLObjectType } from "graphql";
import type { ProductJson } from "../../../read-model/reader/product-json.ts";
import type { ProductQueries, Snapshot } from "../../../read-model/reader/reader.ts";
import type { ResolverContext } from "../resolver-context.ts";
import { product } from "../resolvers/product.ts";
import { products } from "../resolvers/products.ts";
import { notCompilable } from "./scalars.ts";

type Resolve = (source: unknown, args: object, context: ResolverContext) => unknown;
type Field = GraphQLField<unknown, unknown>;

/**
 * Selects the resolver of a field: one for stored text, or that of the schema.
 * @throws notCompilable for a field that needs more than the stored text of a product
 */
export const selectResolver = (type: GraphQLObjectType, field: Field): Resolve => {
  const name = `${type.name}.${field.name}`;
  if (name === "ProductEdge.matchedVariants") throw notCompilable;
  return storedTextResolvers[name] ?? (field.resolve as Resolve);
};

/** Resolvers that return products as their stored text. */
const storedTextResolvers: Readonly<Record<string, Resolve>> = {
  "Query.product": (_source, args, { snapshot }) =>
    product(readTexts(snapshot), args as Parameters<typeof product>[1]),
  "Query.products": (_source, args, { snapshot }) => products(snapshot, args, readTexts(snapshot)),
};

const readTexts = (snapshot: Snapshot): ProductQueries<ProductJson> => {
  const texts = snapshot.rawProducts?.();
  if (!texts) throw notCompilable;
  return texts;
};

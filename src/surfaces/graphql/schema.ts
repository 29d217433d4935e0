import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildSchema, GraphQLObjectType, type GraphQLSchema } from "graphql";
import { packageRoot } from "../../package-info.ts";
import { memoizeLast } from "../../platform/memo.ts";
import type { Product } from "../../read-model/reader/product.ts";
import type { Snapshot } from "../../read-model/reader/reader.ts";
import { readShopInfo } from "../shop-info.ts";
import {
  internalError,
  invalidArgument,
  notFound,
  type UserError,
  type WithUserErrors,
} from "../user-error.ts";
import { countWritten } from "./limits/limits.ts";
import type { ResolverContext } from "./resolver-context.ts";
import { matchedVariants } from "./resolvers/matched-variants.ts";
import { valueFields } from "./resolvers/offer.ts";
import { productFields } from "./resolvers/product-fields.ts";
import { edges, emptyPage, facets, products } from "./resolvers/products.ts";
import type { ProductsArguments } from "./resolvers/products-args.ts";
import { variantFields } from "./resolvers/variants.ts";

/** Reads the published schema byte for byte (Specification §1 table). */
export const readSdl = (): Buffer =>
  readFileSync(join(packageRoot, "schema", "graphql", "schema.graphql"));

/** Builds the executable schema: the published text, with a resolver for each field that counts what it writes. */
export const createSchema = memoizeLast((sdl: string): GraphQLSchema => {
  // The tests validate the text, which takes as long as parsing it.
  const schema = buildSchema(sdl, { assumeValidSDL: true });
  for (const [typeName, fields] of Object.entries(resolvers)) {
    const type = schema.getType(typeName);
    for (const fieldName of Object.keys(fields)) {
      if (!(type instanceof GraphQLObjectType && type.getFields()[fieldName]))
        throw new Error(`schema.graphql lacks ${typeName}.${fieldName}`);
    }
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (!(type instanceof GraphQLObjectType) || type.name.startsWith("__")) continue;
    for (const field of Object.values(type.getFields())) {
      const resolve = resolvers[type.name]?.[field.name] ?? readMember(field.name);
      field.resolve = countWritten(type.name, field.type, resolve);
    }
  }
  return schema;
});

const readMember =
  (name: string): Resolve =>
  (source) =>
    (source as Readonly<Record<string, unknown>>)[name];

/** A method, so that each resolver may name the source and the arguments of its own field. */
type Resolve = {
  resolve(source: unknown, args: object, context: ResolverContext): unknown;
}["resolve"];

/**
 * Creates a resolver that reports its failure in userErrors (Specification §7.1 rule 1).
 * @param toPayload builds the payload around the error
 */
const withUserErrors =
  <A, P>(
    field: string,
    resolve: (snapshot: Snapshot, args: A) => P,
    toPayload: (error: UserError) => P,
  ): ((source: unknown, args: A, context: ResolverContext) => P) =>
  (_source, args, { snapshot: current, log, budget }) => {
    try {
      return resolve(current, args);
    } catch (err) {
      log.error({ err, field }, "a GraphQL field could not be resolved");
      budget.isIncomplete = true;
      return toPayload(internalError([field]));
    }
  };

const categories = withUserErrors(
  "categories",
  (snapshot) => ({ categories: snapshot.categories(), userErrors: [] as UserError[] }),
  (error) => ({ categories: [], userErrors: [error] }),
);

const policies = withUserErrors(
  "policies",
  (snapshot) => ({ policies: snapshot.policies(), userErrors: [] as UserError[] }),
  (error) => ({ policies: [], userErrors: [error] }),
);

interface ProductPayload extends WithUserErrors {
  readonly product: Product | null;
}

/** Resolves `Query.product` (Specification §4.1 rule 3): null with an error when no visible product has the id. */
const product = (
  snapshot: Pick<Snapshot, "product">,
  { id }: { readonly id: string },
): ProductPayload => {
  if (!positiveInteger.test(id)) {
    return noProduct(
      invalidArgument(["product", "id"], "The id of a product is a positive integer."),
    );
  }
  const result = Number.isSafeInteger(Number(id)) ? snapshot.product(Number(id)) : undefined;
  if (!result) return noProduct(notFound(["product", "id"], `No product has the id ${id}.`));
  return { product: result, userErrors: [] };
};

const noProduct = (...userErrors: readonly UserError[]): ProductPayload => ({
  product: null,
  userErrors,
});

/**
 * Matches the canonical form of an id: no sign, exponent, space or leading zero, and no more digits than any id has.
 */
const positiveInteger = /^[1-9][0-9]{0,30}$/;

/** Resolvers by type and field. */
const resolvers: Readonly<Record<string, Readonly<Record<string, Resolve>>>> = {
  Query: {
    shop: (_source, _args, { snapshot, baseUrl }) => readShopInfo(snapshot, baseUrl),
    product: withUserErrors("product", product, noProduct),
    products: withUserErrors(
      "products",
      (snapshot, args: ProductsArguments) => products(snapshot, args),
      (error) => emptyPage([error]),
    ),
    categories,
    policies,
  },
  Product: productFields,
  Variant: variantFields,
  ...valueFields,
  ProductEdge: { matchedVariants },
  ProductConnection: {
    edges,
    facets,
  },
};

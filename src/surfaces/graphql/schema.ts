import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  buildSchema,
  type GraphQLFieldResolver,
  GraphQLObjectType,
  type GraphQLSchema,
} from "graphql";
import type { Logger } from "../../log.ts";
import { packageRoot } from "../../package-info.ts";
import type { Snapshot } from "../../read-model/reader/reader.ts";
import type { ProductDocument } from "../../read-model/schema/documents.ts";
import { ceilings } from "./limits/limits.ts";
import { noProduct, product } from "./resolvers/product.ts";
import {
  edges,
  emptyPage,
  facets,
  type ProductConnection,
  products,
} from "./resolvers/products.ts";
import type { ProductsArguments } from "./resolvers/products-args.ts";
import { shop } from "./resolvers/shop.ts";
import { internalError, type UserError } from "./user-errors.ts";

/** What every resolver may ask: one moment of the model, and what the service knows of itself. */
export interface Context {
  readonly moment: Snapshot;
  /** Canonical address of the service, without a slash at the end. */
  readonly baseUrl: string;
  readonly log: Logger;
  readonly told: Progress;
}

/** What became of an answer so far. */
export interface Progress {
  /** Of product text and of lists: an alias repeats a long description for a few bytes. */
  characters: number;
  /** A field could not be resolved, which may be otherwise the next time. */
  isIncomplete: boolean;
}

/** The published schema, byte for byte (§1 table). */
export const readSdl = (): Buffer =>
  readFileSync(join(packageRoot, "schema", "graphql", "schema.graphql"));

/** The executable schema: the published text with a resolver at each field that is not a plain property. */
export const createSchema = (sdl: string): GraphQLSchema => {
  const schema = buildSchema(sdl);
  for (const [typeName, fields] of Object.entries(resolvers)) {
    for (const [fieldName, resolve] of Object.entries(fields)) {
      const type = schema.getType(typeName);
      const field = type instanceof GraphQLObjectType ? type.getFields()[fieldName] : undefined;
      if (!field) throw new Error(`schema.graphql lacks ${typeName}.${fieldName}`);
      field.resolve = resolve;
    }
  }
  return schema;
};

type Resolve = GraphQLFieldResolver<unknown, Context>;

/** A resolver whose failure is told in userErrors (§7.1 rule 1): `failed` makes the payload around it. */
const guarded =
  <A, P>(
    field: string,
    answer: (moment: Snapshot, args: A) => P,
    failed: (error: UserError) => P,
  ): GraphQLFieldResolver<unknown, Context, A> =>
  (_source, args, { moment, log, told }) => {
    try {
      return answer(moment, args);
    } catch (err) {
      log.error({ err, field }, "a GraphQL field could not be resolved");
      told.isIncomplete = true;
      return failed(internalError([field]));
    }
  };

const categories = guarded(
  "categories",
  (moment) => ({ categories: moment.categories(), userErrors: [] as UserError[] }),
  (error) => ({ categories: [], userErrors: [error] }),
);

const policies = guarded(
  "policies",
  (moment) => ({ policies: moment.policies(), userErrors: [] as UserError[] }),
  (error) => ({ policies: [], userErrors: [error] }),
);

const resolvers: Readonly<Record<string, Readonly<Record<string, Resolve>>>> = {
  Query: {
    shop: (_source, _args, { moment, baseUrl }) => shop(moment, baseUrl),
    product: guarded("product", product, noProduct),
    products: guarded(
      "products",
      (moment, args: ProductsArguments) => products(moment, args, moment),
      (error) => emptyPage([error]),
    ),
    categories,
    policies,
  },
  Product: {
    description: (source, _args, { told }) => {
      const { description } = source as ProductDocument;
      told.characters += description?.length ?? 0;
      return told.characters > ceilings.answerCharacters ? null : description;
    },
    inStock: (source) => (source as ProductDocument).availability === "IN_STOCK",
  },
  ProductConnection: {
    edges: (source) => edges(source as ProductConnection<unknown>),
    facets: (source, _args, { moment }) => facets(moment, source as ProductConnection<unknown>),
  },
};

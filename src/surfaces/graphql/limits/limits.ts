import {
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  getNamedType,
  isLeafType,
} from "graphql";
import type { ResolverContext, ResponseBudget } from "../resolver-context.ts";

/**
 * Limits on the size of documents and of pages (Specification §8). There is no cost budget (Specification §4.1 rule 4).
 * The description in `schema/graphql/schema.graphql` publishes the same numbers.
 */
export const graphqlLimits = {
  /** Bytes of the request body. Bounds comments and commas, which are not tokens. */
  bytes: 64 * 1024,
  tokens: 2000,
  /** Specification §8: nested fields with fragments inlined, without the subtrees of `__schema` and `__type`. */
  depth: 12,
  /** The next nine limits count with fragments inlined. */
  aliases: 30,
  rootFields: 20,
  /** Lists of all categories, whose length no argument bounds, as that of the lists of all policies. */
  categoryLists: 2,
  policyLists: 2,
  /** `__schema` fields. The standard query has one; GraphQL's own rule on introspection checks each separately. */
  schemas: 1,
  types: 5,
  /** Lists at any depth below `__schema` and `__type`; the standard query has nine. */
  introspectionLists: 20,
  fields: 2000,
  directives: 50,
  fragments: 50,
  /** Times that one field of the response is selected, fragments inlined; validation compares each pair of them. */
  repeats: 60,
  /** Sum of `first` over all `products` fields, each capped at `pageSize`. */
  pageSizes: 1000,
  /** Variants in all pages of variants; what reads all variants of a product counts `defaultPageSize`. Measured: about 100 ms. */
  variants: 3_000,
  /** All variants of the products of which a field reads some, for each such field. Measured: 1 to 3 ms for 1,000. */
  readVariants: 15_000,
  /** Fields and list entries of one answer. Page sizes multiply them before they are written, other lists count as they are written. */
  writtenFields: 60_000,
  /** `products` fields that filter, sort or count products; each may read a large part of the index. */
  searches: 5,
  /** `products` fields with `facets`, which read the values of all matches. Measured: about 40 ms for 20,000 products. */
  facets: 1,
  /** Weights of filters by values, and of sorts by values, `stockStatus` and `facets` (one each), over all `products` fields. */
  expensiveArguments: 5,
  /** Reads options, facts, prices and stock of the variants of all matches. */
  valueFilterWeight: 2,
  /**
   * Fields in all entries of the lists of categories and policies. 20,000 categories with all their fields and
   * `__typename` stay below it. Measured: writing them takes about 100 ms.
   */
  listedFields: 140_000,
  /** Characters of all texts in one response. */
  answerCharacters: 5_000_000,
  /** Specification §8: a larger `first` is capped at it. */
  pageSize: 100,
  defaultPageSize: 20,
  /** Page size of `matchedVariants`. */
  defaultMatches: 10,
  /** Characters of the `query` argument of `products`. */
  queryCharacters: 200,
} as const;

/** Creates the error of an exceeded limit, with the measured and the allowed number. */
export const limitError = (limit: LimitName, actual: number): GraphQLError =>
  new GraphQLError(
    `The document is too large: ${limitLabels[limit]} ${actual} of at most ${graphqlLimits[limit]}.${limit in answerLabels ? fix : ""}`,
  );

const fix = " Ask for smaller pages or fewer fields, or send several requests.";

/** Limits on the cost of an answer, which page sizes and the data decide. */
const answerLabels = {
  expensiveArguments: "expensive arguments",
  variants: "variants of products",
  readVariants: "variants of the products that fields read variants of,",
  writtenFields: "fields and list entries of the response",
  answerCharacters: "characters of text in the response",
} as const;

const limitLabels = {
  depth: "selection depth",
  rootFields: "root fields",
  categoryLists: "lists of all categories",
  policyLists: "lists of all policies",
  schemas: "`__schema` fields",
  types: "`__type` fields",
  introspectionLists: "introspection lists",
  fields: "fields",
  aliases: "aliases",
  directives: "directives",
  fragments: "fragments",
  repeats: "selections of one field of the response",
  pageSizes: "sum of page sizes",
  searches: "searches",
  facets: "`products` fields with `facets`",
  listedFields: "fields of listed categories and policies",
  ...answerLabels,
} as const;

type LimitName = keyof typeof limitLabels;

const limitNames = Object.keys(limitLabels) as LimitName[];

/** @returns an error for each exceeded limit */
export const findExceeded = (
  sizes: Readonly<Partial<Record<LimitName, number>>>,
): readonly GraphQLError[] =>
  limitNames
    .filter((limit) => (sizes[limit] ?? 0) > graphqlLimits[limit])
    .map((limit) => limitError(limit, sizes[limit] ?? 0));

type Resolve = GraphQLFieldResolver<unknown, ResolverContext>;

/**
 * Counts what a resolver writes: the field, the entries of a list, and the characters of its texts. Over a limit it throws, so that
 * no later field is resolved. Listed categories and policies are counted before. @param of name of the type that has the field
 */
export const countWritten = (of: string, type: GraphQLOutputType, resolve: Resolve): Resolve => {
  if (listTypes.includes(of)) return resolve;
  // A plan resolves products to their stored text, which it counts as it writes it.
  const isText = isLeafType(getNamedType(type));
  return (source, args, context, info) => {
    const { budget } = context;
    if (isOver(budget)) throw overLimit;
    const value: unknown = resolve(source, args, context, info);
    budget.fields += Array.isArray(value) ? 1 + value.length : 1;
    if (isText) budget.characters += countCharacters(value);
    return value;
  };
};

const listTypes = "CategoryPayload Category PolicyPayload Policy".split(" ");

const countCharacters = (value: unknown): number => {
  if (typeof value === "string") return value.length;
  if (!Array.isArray(value)) return 0;
  return value.reduce((sum: number, text: unknown) => sum + countCharacters(text), 0);
};

/** Checks whether a response is over a limit, without its error. */
export const isOver = ({ fields, characters, variants }: ResponseBudget): boolean =>
  fields > graphqlLimits.writtenFields ||
  characters > graphqlLimits.answerCharacters ||
  variants > graphqlLimits.readVariants;

/** One error for all fields. Its path makes graphql-js pass it on without a copy. */
const overLimit = new GraphQLError("The response is over a limit.", { path: [] });

/** Checks a response after it was written, or after it was given up. */
export const checkWritten = ({
  fields,
  characters,
  variants,
}: ResponseBudget): GraphQLError | undefined =>
  findExceeded({
    ...{ writtenFields: fields, answerCharacters: characters, readVariants: variants },
  })[0];

/**
 * How large a document may be, and the page sizes of §8: size limits, never a cost budget
 * (§4.1 rule 4). The description in `schema/graphql/schema.graphql` publishes the same numbers.
 */
export const ceilings = {
  /** Of the request body. Bounds comments and commas too, which no count of tokens does. */
  bytes: 64 * 1024,
  tokens: 2000,
  /** §8: nested fields, fragments inlined, `__schema` and `__type` subtrees not counted. */
  depth: 12,
  /** The next nine are counted with fragments inlined. */
  aliases: 30,
  rootFields: 20,
  /** No argument bounds what such a list tells. */
  categoryLists: 2,
  policyLists: 2,
  /** GraphQL's own rule on introspection looks at each of them by itself. The standard query has one `__schema`. */
  schemas: 1,
  types: 5,
  /** At any depth below those two: the standard query has nine. */
  introspectionLists: 20,
  fields: 2000,
  directives: 50,
  fragments: 50,
  /** One field of the answer: validation compares each time it is asked for with every other. Fragments inlined. */
  repeats: 60,
  /** `first` summed over all `products` fields, each as it would be served. */
  pageSizes: 1000,
  /** `products` fields that narrow, sort or count the catalogue: each may have to read a good part of the index. */
  searches: 5,
  /**
   * Fields of all entries of such lists. 20,000 categories with all they have and `__typename` are below it, and are
   * written in some 100 ms.
   */
  listedFields: 140_000,
  /** Characters of text of all products in one answer, and of such lists. */
  answerCharacters: 5_000_000,
  /** §8: `first` above it is served at it. */
  pageSize: 100,
  defaultPageSize: 20,
  /** Characters of the `query` argument of `products`. */
  queryCharacters: 200,
} as const;

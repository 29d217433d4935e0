/** The tables of §2, field by field. */
export const types: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Shop: {
    name: "String!",
    url: "String!",
    language: "String!",
    currency: "String!",
    productCount: "Int!",
    categoryCount: "Int!",
    apiVersion: "String!",
    deprecationPolicy: "String!",
  },
  Product: {
    id: "ID!",
    name: "String!",
    description: "String",
    url: "String!",
    reference: "String",
    gtin: "String",
    brand: "String",
    price: "Money",
    availability: "Availability!",
    inStock: "Boolean!",
    updatedAt: "String",
  },
  Money: { amount: "String!", currency: "String!" },
  Category: {
    id: "ID!",
    name: "String!",
    url: "String!",
    depth: "Int!",
    parentId: "ID",
    productCount: "Int!",
  },
  Policy: { id: "ID!", title: "String!", url: "String!", summary: "String" },
  UserError: { code: "UserErrorCode!", field: "[String!]", message: "String!" },
  ProductPayload: { product: "Product", userErrors: "[UserError!]!" },
  CategoryPayload: { categories: "[Category!]!", userErrors: "[UserError!]!" },
  PolicyPayload: { policies: "[Policy!]!", userErrors: "[UserError!]!" },
  ProductConnection: {
    edges: "[ProductEdge!]!",
    nodes: "[Product!]!",
    pageInfo: "PageInfo!",
    totalCount: "Int!",
    // Later additions.
    facets: "ProductFacets!",
    search: "SearchReport",
    userErrors: "[UserError!]!",
  },
  ProductEdge: { cursor: "String!", node: "Product!" },
  PageInfo: {
    hasNextPage: "Boolean!",
    hasPreviousPage: "Boolean!",
    startCursor: "String",
    endCursor: "String",
  },
};

/** Members of the enumerations of §2, in the order of the specification. */
export const enums: Readonly<Record<string, readonly string[]>> = {
  Availability: ["IN_STOCK", "OUT_OF_STOCK"],
  UserErrorCode: ["NOT_FOUND", "INVALID_ARGUMENT", "UNAVAILABLE", "RATE_LIMITED", "INTERNAL"],
};

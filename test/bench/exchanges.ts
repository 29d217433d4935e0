/** A request body, and what Vitrine answered. */
export interface Exchange {
  readonly body: string;
  readonly answer: string;
}

/** What is asked for, by the name it has in the table; several bodies are sent one after the other. */
export const workloads = (ids: readonly number[]): Readonly<Record<string, readonly string[]>> => ({
  "product, the same": [request(productQuery, { id: String(ids[0]) })],
  "product, another each time": ids.map((id) => request(productQuery, { id: String(id) })),
  "page of 100 products": [request(pageQuery, { first: 100 })],
});

const fields =
  "id name description url reference gtin brand price { amount currency } availability updatedAt";

const productQuery = `query Product($id: ID!) {
  product(id: $id) { product { ${fields} } userErrors { code field message } }
}`;

const pageQuery = `query Page($first: Int!) {
  products(first: $first) {
    edges { cursor node { ${fields} } }
    pageInfo { hasNextPage endCursor }
    totalCount
    userErrors { code field message }
  }
}`;

const request = (query: string, variables: object): string => JSON.stringify({ query, variables });

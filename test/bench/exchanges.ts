/** A request of the load generator. */
export interface SentRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request and Vitrine's response to it. */
export interface Exchange {
  readonly request: SentRequest;
  readonly status: number;
  /** Response headers without those that Node writes itself. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A product of a page, and its cursor. */
export interface Edge {
  readonly cursor: string;
  readonly node: { readonly id: string; readonly url: string };
}

/** Builds the key under which a peer finds the response to a request. */
export const exchangeKey = (path: string, body = ""): string => `${path}\n${body}`;

/** Headers that fetch, axios, httpx, requests and Go send with each request. */
const client = { accept: "*/*", "accept-encoding": "gzip, deflate, br" };

const json = { ...client, "content-type": "application/json" };

/** Removes the headers with which a client accepts compression. */
export const acceptIdentity = (request: SentRequest): SentRequest => {
  const { "accept-encoding": _, ...headers } = request.headers;
  return { ...request, headers };
};

export const query = (text: string, variables: object): SentRequest => ({
  method: "POST",
  path: "/graphql",
  headers: json,
  body: JSON.stringify({ query: text, variables }),
});

const fields =
  "id name description url reference gtin brand price { amount currency } availability updatedAt";

export const productRequest = (id: string): SentRequest =>
  query(
    `query Product($id: ID!) {
  product(id: $id) { product { ${fields} } userErrors { code field message } }
}`,
    { id },
  );

export const pageRequest = (after: string | null): SentRequest =>
  query(
    `query Page($first: Int!, $after: String) {
  products(first: $first, after: $after) {
    edges { cursor node { ${fields} } }
    pageInfo { hasNextPage endCursor }
    totalCount
    userErrors { code field message }
  }
}`,
    { first: 100, after },
  );

export const markdownRequest = (url: string, etag?: string): SentRequest => ({
  method: "GET",
  path: new URL(url).pathname,
  headers: {
    ...client,
    accept: "text/markdown",
    ...(etag !== undefined && { "if-none-match": etag }),
  },
});

/** @param id JSON-RPC id of the request */
export const callTool = (token: string, id: number, name: string, args: object): SentRequest => ({
  method: "POST",
  path: "/agent/mcp",
  headers: {
    ...json,
    accept: "application/json, text/event-stream",
    authorization: `Bearer ${token}`,
  },
  body: JSON.stringify({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name, arguments: args },
  }),
});

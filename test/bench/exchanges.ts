/** A request as the load sends it. */
export interface SentRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request, and what Vitrine answered. */
export interface Exchange {
  readonly sent: SentRequest;
  readonly status: number;
  /** All but those that node writes by itself. */
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: string;
}

/** A product as a page tells it, and its cursor. */
export interface Edge {
  readonly cursor: string;
  readonly node: { readonly id: string; readonly url: string };
}

/** By what a peer that repeats answers finds them. */
export const keyOf = (path: string, body = ""): string => `${path}\n${body}`;

const json = { "content-type": "application/json" };

export const query = (text: string, variables: object): SentRequest => ({
  method: "POST",
  path: "/graphql",
  headers: json,
  body: JSON.stringify({ query: text, variables }),
});

const fields =
  "id name description url reference gtin brand price { amount currency } availability updatedAt";

export const askProduct = (id: string): SentRequest =>
  query(
    `query Product($id: ID!) {
  product(id: $id) { product { ${fields} } userErrors { code field message } }
}`,
    { id },
  );

export const askPage = (after: string | null): SentRequest =>
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

export const askMarkdown = (url: string, etag?: string): SentRequest => ({
  method: "GET",
  path: new URL(url).pathname,
  headers: { accept: "text/markdown", ...(etag !== undefined && { "if-none-match": etag }) },
});

/** @param id of the request, as JSON-RPC has it */
export const callTool = (token: string, id: number, name: string, given: object): SentRequest => ({
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
    params: { name, arguments: given },
  }),
});

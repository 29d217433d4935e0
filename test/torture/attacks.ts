/** Known attacks by name, each as requests of one kind and their acceptable outcomes. */
import { json, type Request } from "../helpers/wire.ts";

export interface Attack {
  readonly name: string;
  /** Another request for each attempt, of the same cost, so that no cached response answers it. */
  readonly request: Attempts;
  /** Acceptable statuses; 0 stands for a connection closed without a response. */
  readonly answers: readonly number[];
  /** Pattern of the response: a limit was enforced, or none was necessary. */
  readonly says: RegExp;
}

/** The request of each attempt, from 0 up to `mostAttempts`, exclusive. */
type Attempts = (attempt: number) => Request;

export const mostAttempts = 7;

const many = (count: number, make: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => make(at)).join(" ");

const post = (body: Buffer, headers: Request["headers"] = []): Request => ({
  method: "POST",
  target: "/graphql",
  headers: [["Content-Type", "application/json"], ...headers],
  body,
});

/** For rejected requests, which are not cached: no two attempts have the same bytes. */
const refused =
  (request: Request): Attempts =>
  (attempt) => ({ ...request, headers: [["Attempt", String(attempt)], ...request.headers] });

/**
 * A malformed document. Clients of the older media type get 200 with top-level errors. A comment makes each attempt
 * another document, because the caches use the exact text as the key. A comment is not a token.
 */
const graphql = (
  name: string,
  query: string | ((attempt: number) => string),
  more: object = {},
): Attack => ({
  name,
  request: (attempt) => {
    const text = typeof query === "string" ? query : query(attempt);
    return post(json({ query: `${text} #${attempt}`, ...more }));
  },
  answers: [200],
  says: /^{"errors":.*(2000 tokens|too large|too deeply|within itself|depth|never used|invalid value)/,
});

/** A document that looks dangerous and is served. */
const served = (...attack: Parameters<typeof graphql>): Attack => ({
  ...graphql(...attack),
  says: /^{"data":{/,
});

const page = "products(first: 100) { edges { node { name description } } }";

const facets = "facets { brands { brand count } categories { id count } prices { min max count } }";

const category = "categories { id name url depth parentId productCount __typename }";

/** Queries the fields of all types, and the fields of the types of these fields. */
const introspection = `fragment S on __Schema { types { fields(includeDeprecated: true) { name description
  type { kind name fields(includeDeprecated: true) { ...F }
    ofType { kind name fields(includeDeprecated: true) { ...F }
      ofType { ofType { fields(includeDeprecated: true) { ...F } } } } } } } }
  fragment F on __Field { name description isDeprecated deprecationReason
    args { name description defaultValue }
    type { kind name description ofType { kind name ofType { kind name } } } }`;

const letter = (at: number): string => String.fromCharCode(97 + at);

/** Letters that search folds to the same letter, so that each attempt has another text of the same cost. */
const accented = "a\u{e1}\u{e0}\u{e2}\u{e3}\u{e4}\u{e5}";

/** Words of four letters: the third depends on the turn, the last on the attempt. */
const unknownWords = (attempt: number, turn: number): string =>
  many(40, (at) => `${at > 25 ? "x" : "q"}${letter(at % 26)}${letter(turn)}${"jkqvwxz"[attempt]}`);

/** Characters that normalise to two words. */
const doubles = "\u{33ae}\u{33a7}\u{33af}\u{33a8}\u{33df}\u{33de}\u{33c6}";

const searches = (count: number, query: (turn: number) => string): string => {
  const search = "totalCount search { suggestions unknownWords }";
  return `{ ${many(count, (turn) => `a${turn}: products(query: "${query(turn)}") { ${search} }`)} }`;
};

export const graphqlAttacks: readonly Attack[] = [
  graphql("200 aliases of a full page", `{ ${many(200, (at) => `a${at}: ${page}`)} }`),
  graphql("3,000 aliases", `{ ${many(3_000, (at) => `a${at}:__typename`)} }`),
  graphql("one field 10,000 times", `{ ${many(10_000, () => "shop")} }`),
  graphql("2,500 directives", `{ __typename ${many(2_500, () => "@include(if: true)")} }`),
  graphql("5,000 unknown directives", `{ __typename ${many(5_000, (at) => `@d${at}`)} }`),
  graphql("fields nested 5,000 deep", `${"{ a ".repeat(5_000)}${"}".repeat(5_000)}`),
  graphql(
    "a list nested 5,000 deep",
    `{ product(id: ${"[".repeat(5_000)}${"]".repeat(5_000)}) { __typename } }`,
  ),
  graphql(
    "fragments that lead back to themselves",
    "{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }",
  ),
  graphql(
    "fragments that multiply to 2^18",
    `{ ...f0 } ${many(18, (at) => `fragment f${at} on Query { ...f${at + 1} ...f${at + 1} }`)} fragment f18 on Query { __typename }`,
  ),
  {
    ...graphql(
      "170 operations that share 1,800 fields",
      `${many(170, (at) => `query q${at} { shop { ...g } }`)} fragment f on Shop { ${many(40, (at) => `f${at}`)} } fragment g on Shop { ${many(45, (at) => `a${at} { ...f }`)} }`,
      { operationName: "q7" },
    ),
    says: /^{"errors":.*(Cannot query field|Validation aborted)/,
  },
  graphql(
    "fragments that multiply to 2^40 and end nowhere",
    `{ ...f0 } ${many(40, (at) => `fragment f${at} on Query { ...f${at + 1} ...f${at + 1} }`)}`,
  ),
  graphql(
    "a chain of 1,000 fragments",
    `{ ...f0 } ${many(1_000, (at) => `fragment f${at} on Query { ...f${at + 1} }`)} fragment f1000 on Query { __typename }`,
  ),
  served("60 KB of comments", `{ __typename } ${`#${"x".repeat(59)}\n`.repeat(1_000)}`),
  served("60 KB of commas", `{ __typename ${",".repeat(60_000)} }`),
  graphql(
    "introspection into the depths",
    `{ __schema { types { ${"fields { type { ".repeat(10)}name${" } }".repeat(10)} } } }`,
  ),
  graphql(
    "introspection twenty times, two lists deep",
    `{ ${many(20, (at) => `a${at}: __schema { ...S }`)} } ${introspection}`,
  ),
  graphql(
    "one introspection of which each list is requested repeatedly",
    `{ __schema { ${many(9, () => "...S")} ${many(9, (at) => `a${at}: types { ...T }`)} } } ${introspection} fragment T on __Type { fields { type { fields { ...F } } } }`,
  ),
  served("introspection once, two lists deep", `{ __schema { ...S } } ${introspection}`),
  graphql(
    "every category, twenty times",
    `{ ${many(20, (at) => `a${at}: categories { ${category} }`)} }`,
  ),
  graphql(
    "every category, thirty times in one field",
    `{ categories { ${many(30, (at) => `a${at}: ${category}`)} } }`,
  ),
  graphql("1,000 operations", `${many(1_000, (at) => `query q${at} { __typename }`)}`, {
    operationName: "q7",
  }),
  {
    ...graphql(
      "a list of 10,000 ids",
      "query($ids: [ID!]) { products(ids: $ids) { totalCount userErrors { message } } }",
      { variables: { ids: Array.from({ length: 10_000 }, () => "1") } },
    ),
    says: /`ids` may have at most 100 ids/,
  },
  graphql(
    "variables nested 10,000 deep",
    "query($id: ID!) { product(id: $id) { product { name } } }",
    { variables: JSON.parse(`{"id":${"[".repeat(4_000)}${"]".repeat(4_000)}}`) },
  ),
  served(
    "a search of one letter, five times",
    (attempt) =>
      `{ ${many(5, (at) => `a${at}: products(query: "${accented[attempt]}", first: 100) { totalCount edges { node { name } } }`)} }`,
  ),
  served(
    "a search of a hundred words",
    (attempt) => `{ products(query: "${`${accented[attempt]} b `.repeat(50)}") { totalCount } }`,
  ),
  {
    ...served("five searches of forty words that nobody says", (attempt) =>
      searches(5, (turn) => unknownWords(attempt, turn)),
    ),
    says: /"unknownWords":\["/,
  },
  served("five searches of 200 signs, each of them two words", (attempt) =>
    searches(5, (turn) => `${doubles[attempt]}${"\u{33ae}".repeat(198 - turn)}`),
  ),
  served(
    "thirty times the same facets",
    `{ products { ${many(30, (at) => `f${at}: ${facets}`)} } }`,
  ),
  graphql(
    "a field 490 times, which validation compares pair by pair",
    `{ product(id: 1) { product { ${"price { amount } ".repeat(490)} } } }`,
  ),
  graphql(
    "fields that are 900 when they are merged",
    `{ ${many(30, () => `shop { ${"name ".repeat(30)} }`)} }`,
  ),
  {
    name: "a batch of 1,000 operations",
    request: refused(
      post(json(Array.from({ length: 1_000 }, () => ({ query: "{ __typename }" })))),
    ),
    answers: [400],
    says: /Batches are not supported/,
  },
  {
    name: "a body nested 30,000 deep",
    request: refused(post(Buffer.from("[".repeat(30_000)))),
    answers: [400],
    says: /not JSON/,
  },
];

/** The cache key is the full request target. */
const get = (attempt: number, headers: Request["headers"]): Request => ({
  method: "GET",
  target: `/llms.txt?${attempt}`,
  headers,
  body: Buffer.alloc(0),
});

const search = (id: number, query: string): object => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "search_products", arguments: { query, match_all: true } },
});

/** Builds a body that a faulty parser would read as a second request, on a keep-alive connection. */
const smuggling = (name: string, headers: Request["headers"], body = smuggled): Attack => ({
  name: `smuggling: ${name}`,
  request: refused(post(body, [["Connection", "keep-alive"], ...headers])),
  answers: [0, 400],
  says: /^$|This is not an HTTP request|Transfer-Encoding may only/,
});

const smuggled = Buffer.from("0\r\n\r\nGET /llms.txt HTTP/1.1\r\nHost: localhost\r\n\r\n");

export const httpAttacks: readonly Attack[] = [
  {
    name: "a body with a Content-Length of 1 GB",
    request: refused(post(Buffer.from("{"), [["Content-Length", "1000000000"]])),
    answers: [413],
    says: /payload_too_large/,
  },
  {
    name: "a megabyte in chunks",
    request: refused(
      post(Buffer.from(`${`10000\r\n${"x".repeat(65_536)}\r\n`.repeat(16)}0\r\n\r\n`), [
        ["Transfer-Encoding", "chunked"],
      ]),
    ),
    answers: [413],
    says: /payload_too_large/,
  },
  {
    name: "a packed body that would unpack to gigabytes",
    request: refused(
      post(Buffer.from("1f8b08000000000000ff", "hex"), [["Content-Encoding", "gzip"]]),
    ),
    answers: [415],
    says: /unsupported_media_type/,
  },
  {
    name: "a packed registration",
    request: refused({
      ...post(Buffer.from("1f8b08000000000000ff", "hex"), [["Content-Encoding", "gzip"]]),
      target: "/v1/register",
    }),
    answers: [415],
    says: /unsupported_media_type/,
  },
  {
    name: "a packed call of a tool",
    request: refused({
      ...post(Buffer.from("1f8b08000000000000ff", "hex"), [
        ["Content-Encoding", "br, gzip"],
        ["Authorization", "Bearer {token}"],
      ]),
      target: "/agent/mcp",
    }),
    answers: [415],
    says: /unsupported_media_type/,
  },
  {
    name: "a batch of ten searches of words that nobody says",
    request: (attempt) => ({
      ...post(
        json(
          Array.from({ length: 10 }, (_, turn) =>
            search(10 * attempt + turn, unknownWords(attempt, turn)),
          ),
        ),
        [["Authorization", "Bearer {token}"]],
      ),
      target: "/agent/mcp",
    }),
    answers: [200],
    says: /unknown_words/,
  },
  {
    name: "a User-Agent of 3,000 products",
    request: (attempt) => get(attempt, [["User-Agent", `bo${letter(attempt)}/1 `.repeat(2_500)]]),
    answers: [200],
    says: /./,
  },
  {
    name: "an Idempotency-Key of 14 KB that is quoted half",
    request: refused({
      ...post(json({ label: "a" }), [["Idempotency-Key", `"${'\\"'.repeat(7_000)}`]]),
      target: "/v1/register",
    }),
    answers: [400],
    says: /bad_request/,
  },
  {
    name: "3,000 headers",
    request: (attempt) =>
      get(
        attempt,
        Array.from({ length: 3_000 }, (_, at) => [`a${at}`, "b"] as const),
      ),
    answers: [431],
    says: /headers are too large/,
  },
  {
    name: "a header of 100 KB",
    request: (attempt) => get(attempt, [["Cookie", "a".repeat(100_000)]]),
    answers: [431],
    says: /headers are too large/,
  },
  {
    name: "Accept with 3,000 ranges",
    request: (attempt) => get(attempt, [["Accept", `a/${letter(attempt)};q=0.1,`.repeat(1_500)]]),
    answers: [200, 406],
    says: /./,
  },
  {
    ...graphql(
      "a type that is nearly the one another is declared as",
      (attempt) =>
        `scalar x${letter(attempt)}${"a".repeat(16_000)} query($v: y${letter(attempt)}${"a".repeat(16_000)}b) { shop { name } }`,
    ),
    says: /^{"errors":.*may not define types/,
  },
  ...[
    { ...get(0, []), target: "/nothing" },
    { ...get(0, []), target: "/graphql" },
    post(json({ query: "{ shop { shop { name } } }" })),
  ].map(
    ({ headers, ...request }): Attack => ({
      name: `${request.method} ${request.target} with 14 KB of quotes for Accept`,
      request: refused({
        ...request,
        headers: [...headers, ["Accept", `"${',""'.repeat(4_700)}`]],
      }),
      answers: [200, 404, 405],
      says: /./,
    }),
  ),
  smuggling("both Content-Length and Transfer-Encoding", [
    ["Content-Length", String(smuggled.length)],
    ["Transfer-Encoding", "chunked"],
  ]),
  smuggling("two lengths", [
    ["Content-Length", "5"],
    ["Content-Length", String(smuggled.length)],
  ]),
  smuggling("a length with a sign", [["Content-Length", "+5"]]),
  smuggling("an encoding that is none", [["Transfer-Encoding", "xchunked"]]),
  smuggling("chunked hidden behind a tab", [["Transfer-Encoding", "\x0bchunked"]]),
  smuggling(
    "a chunk size that is too large for a number",
    [["Transfer-Encoding", "chunked"]],
    Buffer.from("fffffffffffffffff\r\nx"),
  ),
  {
    name: "a folded header",
    request: (attempt) => get(attempt, [["Accept", "text/html\r\n text/markdown"]]),
    answers: [200, 400, 406],
    says: /./,
  },
  {
    name: "two hosts",
    request: (attempt) =>
      get(attempt, [
        ["Host", "a"],
        ["Host", "b"],
      ]),
    answers: [400],
    says: /more than one Host/,
  },
];

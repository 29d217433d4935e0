/** Makes requests hostile with a few changes at a time. */
import type { Chance } from "../bench/seeded.ts";
import { json, type Request } from "../helpers/wire.ts";

/** A header that only an injected line could put on a response. */
export const injected = "x-vitrine-injected";

const texts: readonly string[] = [
  "",
  " ",
  "\0",
  "\r\n",
  `a\r\n${injected}: yes\r\n\r\n`,
  `%0d%0a${injected}:%20yes`,
  "%",
  "%00",
  "%ff%fe",
  "%c0%ae%c0%ae/",
  "../../../../etc/passwd",
  "\u202e\u200b\ufeff",
  "\ud800",
  "é".repeat(300),
  "a".repeat(2_000),
  "a".repeat(15_000),
  "-1",
  "0",
  "1e999",
  "9007199254740993",
  "999999999999999999999999",
  "__proto__",
  "constructor",
  "' OR 1=1 --",
  "<script>alert(1)</script>",
  "{{7*7}}",
  "((((((((((a+)+)+)+)+)+)+)+)+)+)$",
  "*/*;q=0.0000000000001",
  "text/markdown;q=2, text/html;q=-1, ;;;,,,",
  "Bearer ",
  "Bearer vit_.",
  "gzip;q=1, br;q=, *;q=0",
  'W/"',
  "Thu, 01 Jan 1970 00:00:00 GMT",
  "Bm90IGEgY3Vyc29y",
  "multipart/form-data; boundary=x",
  "application/json; charset=utf-16",
];

export const hostileValues: readonly unknown[] = [
  ...texts,
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  [],
  {},
  [[[[[[]]]]]],
  { __proto__: null, constructor: { prototype: {} } },
  Array.from({ length: 200 }, (_, at) => at),
  "x".repeat(30_000),
];

const words: readonly string[] = [
  ...'{ } ( ) [ ] : ! | = @ $ & ... # " """ \\ ,'.split(" "),
  "query",
  "mutation",
  "subscription",
  "fragment core on Product { ...core }",
  "on",
  "{ __typename }",
  "__schema { types { fields { type { ofType { name } } } } }",
  "@skip(if: true)",
  "@include(if: $x)",
  "products(first: -5)",
  "products(first: 2147483648)",
  'products(after: "bad", query: "*")',
  "product(id: 1.5)",
  "a: product(id: 1) { product { id } }",
  "\u0000",
  "\ufeff",
  "null",
  '"\\u{110000}"',
  "{ a ".repeat(900),
  "[".repeat(1_900),
];

const methods = ["GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND"];

const names: readonly string[] = [
  "Accept",
  "Accept-Encoding",
  "Accept-Language",
  "Authorization",
  "Content-Type",
  "Content-Encoding",
  "Content-Length",
  "Cookie",
  "Expect",
  "Forwarded",
  "Host",
  "Idempotency-Key",
  "If-Match",
  "If-Modified-Since",
  "If-None-Match",
  "Mcp-Method",
  "Mcp-Name",
  "MCP-Protocol-Version",
  "Origin",
  "Access-Control-Request-Method",
  "Range",
  "Transfer-Encoding",
  "Upgrade",
  "User-Agent",
  "X-Forwarded-For",
  "X-Forwarded-Host",
  "X-HTTP-Method-Override",
];

type Change = (request: Request, chance: Chance) => Request;

const spliced = (text: string, piece: string, { below }: Chance): string => {
  const at = below(text.length + 1);
  return text.slice(0, at) + piece + text.slice(at + below(6));
};

const changeTarget: Change = (request, chance) => ({
  ...request,
  target: chance.pick([
    () => spliced(request.target, encodeURI(toWell(chance.pick(texts))).slice(0, 4_000), chance),
    () =>
      spliced(
        request.target,
        chance.pick(["/", "//", "?", "#", ".md", "?after=x", "%2e", ";", "\\", "é", "&a=b"]),
        chance,
      ),
    () => `http://other.example${request.target}`,
    () =>
      chance.pick([
        "*",
        "//",
        "/.",
        "/%",
        "http://[",
        "/?",
        `/${"a/".repeat(3_000)}`,
        `/?${"a=b&".repeat(3_000)}`,
      ]),
  ])(),
});

const toWell = (text: string): string => text.replace(/[\ud800-\udfff]/g, "x");

const changeMethod: Change = (request, { pick }) => ({ ...request, method: pick(methods) });

const changeHeader: Change = (request, chance) => {
  const name = chance.pick(names);
  const kept = request.headers.filter(([other]) => other !== name || chance.below(3) === 0);
  const current = request.headers.find(([other]) => other === name)?.[1] ?? "";
  const value = chance.pick([chance.pick(texts), spliced(current, chance.pick(texts), chance)]);
  return { ...request, headers: [...kept, [name, value.replace(/[^\0-\xff]/g, "?")]] };
};

const dropHeader: Change = (request, { below }) => {
  const gone = below(request.headers.length);
  return { ...request, headers: request.headers.filter((_, at) => at !== gone) };
};

/** Replaces, doubles or removes any one value of a JSON text. */
const changeJson: Change = (request, chance) => {
  const parsed = parse(request.body);
  if (parsed === undefined) return request;
  const locations = locationsOf(parsed);
  const chosen = chance.pick(locations);
  const value = chance.pick(hostileValues);
  if (!chosen) return { ...request, body: Buffer.from(JSON.stringify(value) ?? "") };
  if (chance.below(4) === 0) delete chosen.holder[chosen.key];
  else chosen.holder[chosen.key] = value;
  return { ...request, body: Buffer.from(JSON.stringify(parsed) ?? "") };
};

interface Location {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

const locationsOf = (value: unknown, deepest = 20): readonly (Location | undefined)[] => {
  if (typeof value !== "object" || value === null || deepest === 0) return [undefined];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [
    { holder, key },
    ...locationsOf(holder[key], deepest - 1),
  ]);
};

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
};

/** Inserts a word of GraphQL anywhere in the document. */
const changeQuery: Change = (request, chance) => {
  const parsed = parse(request.body);
  if (typeof parsed !== "object" || parsed === null || !("query" in parsed)) return request;
  const query = spliced(String(parsed.query), ` ${chance.pick(words)} `, chance);
  return { ...request, body: Buffer.from(JSON.stringify({ ...parsed, query })) };
};

/** Damages the JSON within a cursor, which stays valid base64url. */
const changeCursor: Change = (request, chance) => {
  const parsed = parse(request.body) as { readonly variables?: { after?: unknown } } | undefined;
  const after = parsed?.variables?.after;
  if (typeof after !== "string" || !parsed?.variables) return request;
  const [kind = "", ...rest] = Buffer.from(after, "base64url").toString().split(":");
  const inside = Buffer.from(rest.join(":"));
  const changed = chance.pick([changeJson, changeBytes])({ ...request, body: inside }, chance).body;
  const cursor = Buffer.concat([Buffer.from(`${kind}:`), changed]).toString("base64url");
  const variables = { ...parsed.variables, after: cursor };
  return { ...request, body: Buffer.from(JSON.stringify({ ...parsed, variables })) };
};

const changeBytes: Change = (request, { below }) => {
  const body = Buffer.from(request.body);
  for (let left = 1 + below(4); left > 0 && body.length > 0; left -= 1) {
    body[below(body.length)] = below(256);
  }
  return { ...request, body: below(4) === 0 ? body.subarray(0, below(body.length + 1)) : body };
};

const nest: Change = (request, { below, pick }) => {
  const depth = 10 ** (1 + below(4));
  const [open, close] = pick([
    ["[", "]"],
    ['{"a":', "}"],
    ['{"query":', "}"],
  ] as const);
  const body = `${open.repeat(depth)}1${close.repeat(depth)}`.slice(0, 300_000);
  return { ...request, body: Buffer.from(body) };
};

const changes: readonly Change[] = [
  changeTarget,
  changeTarget,
  changeMethod,
  changeHeader,
  changeHeader,
  changeHeader,
  dropHeader,
  changeJson,
  changeJson,
  changeJson,
  changeQuery,
  changeQuery,
  changeCursor,
  changeCursor,
  changeBytes,
  nest,
];

/** Makes one to four changes of a request. */
export const mutated = (request: Request, chance: Chance): Request => {
  let result = request;
  for (let left = 1 + chance.below(4); left > 0; left -= 1) {
    result = chance.pick(changes)(result, chance);
  }
  return result;
};

/** Sometimes damages bytes, in about the same position for whatever bytes it gets. */
export const damageOf = ({ below, pick }: Chance): ((bytes: Buffer) => Buffer) => {
  if (below(8) > 0) return (bytes) => bytes;
  const [share, odd] = [below(1_000_000) / 1_000_000, Buffer.from([below(256)])];
  const damage = pick<(bytes: Buffer, at: number) => Buffer>([
    (bytes, at) => bytes.subarray(0, at),
    (bytes, at) => Buffer.concat([bytes.subarray(0, at), odd, bytes.subarray(at)]),
    (bytes, at) => Buffer.concat([bytes.subarray(0, at), Buffer.from("\r\n"), bytes.subarray(at)]),
    (bytes) => Buffer.concat([bytes, bytes]),
    (bytes) => Buffer.from(bytes.toString("latin1").replace("HTTP/1.1", "HTTP/9.9"), "latin1"),
  ]);
  return (bytes) => damage(bytes, Math.floor(share * bytes.length));
};

/**
 * Varies a request without changing its cost, so that no cached response answers it. Its words stay: searches
 * are not cached, and other words would match differently.
 */
export const varied = (request: Request, attempt: number): Request => ({
  ...request,
  headers: [
    ...request.headers.map(
      ([name, value]) => [name, isKeptUnder.test(name) ? `x${attempt}, ${value}` : value] as const,
    ),
    ["If-None-Match", `"x${attempt}"`],
  ],
  body: variedBody(request.body, attempt),
});

/** Results for these headers are cached by their text. */
const isKeptUnder = /^(user-agent|accept-encoding)$/i;

const variedBody = (body: Buffer, attempt: number): Buffer => {
  const parsed = parse(body);
  if (typeof parsed !== "object" || parsed === null) return body;
  if ("query" in parsed && typeof parsed.query === "string") {
    return json({ ...parsed, query: `${parsed.query} #${attempt}` });
  }
  return "id" in parsed ? json({ ...parsed, id: attempt }) : body;
};

import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { CurrentReader, Reader } from "../read-model/reader.ts";
import type { GraphqlSurface } from "../surfaces/graphql/surface.ts";
import type { McpSurface } from "../surfaces/mcp/surface.ts";
import { tellArrival } from "./arrival.ts";
import { clientOf } from "./client.ts";
import { tiny } from "./compress.ts";
import { isCall, isPlainGet, isQuery, keyOf, senderOf } from "./fast-requests.ts";
import type { Body, Frame, KeptAnswers } from "./kept-answers.ts";
import { mcpHeaders } from "./mcp.ts";
import type { Observe } from "./observe.ts";
import { type RateLimit, rateLimitHeaders } from "./rate-limit.ts";
import type { Counted } from "./rate-limit-count.ts";
import type { Withdraws } from "./robots.ts";

/**
 * The fast path: the kinds of request that come by the thousand, a query, a page and a call of a tool, answered before
 * the app is entered. Whatever it is not sure of, it leaves to the app, which answers everything.
 *
 * Bare `node:http` takes some 17 µs for a request, the app 50 µs more: twenty steps, each with its promise, and a
 * header set, looked at and set again by several. Most of that is the same work with the same result each time. So
 * the fast path does not do it faster; it takes over what the app did the first time:
 *
 * 1. A kept answer. When the app has answered a request, the answer is kept under everything of the request that the
 *    app looks at: address, the headers that choose a variant, the body. With it is kept its footprint: which
 *    products were read, whether the list of all was, always the shop and all the rest. Before each use the footprint
 *    is held against the newest commit (one look at the store, a microsecond). As each commit says which products it
 *    changed, a kept answer outlives all commits that touched nothing of it, and not one that did: a thousand stock
 *    events a second leave the page of a hundred other products where it is, and the next request after a
 *    commit that is about one of them sees the change. An answer is never kept for a time, and never shown
 *    because it is probably right.
 * 2. A frame. A query that is new, of a document that ran before, is planned already: its answer is written straight
 *    from the stored text of the products. Status and headers are those of the app's last answer of that kind. The
 *    fast path knows no header of its own, so the two cannot drift apart: the first answer is the app's.
 *
 * 3. A sender. Who called a tool before, with the same token, from the same address, with the same headers, may call
 *    another, until a commit changes anything but products: only then can a token have been withdrawn. The call
 *    itself is made each time; its result is new, as its id is.
 *
 * What must not be skipped is not: the limit is counted, exactly once, by the same function; robots.txt is asked;
 * metrics are told. A request that is over the limit, withdrawn, malformed, or in any way unusual goes to the app,
 * with what was found out so far (`arrival.ts`): that it was counted, and its body, which can be read only once.
 *
 * Bodies are texts of which each character is one byte: node sends head and body as one such string in one write.
 */
export const fastPath =
  (world: FastWorld, app: RequestListener): RequestListener =>
  (request, response) => {
    const begun = performance.now();
    const exchange = { request, response, begun };
    if (request.method === "POST" && isQuery(request)) return ask(world, app, exchange);
    if (request.method === "POST" && isCall(request)) return call(world, app, exchange);
    if (request.method === "GET" && isPlainGet(request)) return look(world, app, exchange);
    return app(request, response);
  };

export interface FastWorld {
  readonly reader: CurrentReader;
  readonly surfaces: Surfaces;
  readonly kept: KeptAnswers;
  readonly rateLimit: RateLimit;
  /** What robots.txt says now. */
  readonly withdraws: () => Withdraws;
  readonly observe: Observe;
}

export interface Surfaces {
  readonly graphql: GraphqlSurface;
  readonly mcp: McpSurface;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** On the clock of `performance`. */
  readonly begun: number;
}

const look = (world: FastWorld, app: RequestListener, exchange: Exchange): void =>
  whenCounted(world, exchange, (counted) => {
    const key = keyOf(exchange.request, "");
    if (tried(() => answerKept(world, exchange, counted, key))) return;
    tellArrival(exchange.request, { counted, ...(key !== undefined && { key }) });
    app(exchange.request, exchange.response);
  });

const ask = (world: FastWorld, app: RequestListener, exchange: Exchange): void => {
  const { request, response } = exchange;
  whenRead(world, exchange, (body) =>
    whenCounted(world, exchange, (counted) => {
      const key = keyOf(request, body.toString("latin1"));
      if (tried(() => answerKept(world, exchange, counted, key))) return;
      if (tried(() => answerPlanned(world, exchange, counted, body, key))) return;
      tellArrival(request, { counted, body, ...(key !== undefined && { key }) });
      app(request, response);
    }),
  );
};

const call = (world: FastWorld, app: RequestListener, exchange: Exchange): void => {
  const { request, response } = exchange;
  whenRead(world, exchange, (body) =>
    whenCounted(world, exchange, (counted) => {
      const key = senderOf(request);
      if (tried(() => answerCall(world, exchange, counted, body, key))) return;
      tellArrival(request, { counted, body, key });
      app(request, response);
    }),
  );
};

const whenRead = (world: FastWorld, { request, begun }: Exchange, then: (body: Buffer) => void) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => void chunks.push(chunk));
  request.on("end", () =>
    then(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)),
  );
  request.on("error", () => {
    const seconds = (performance.now() - begun) / 1000;
    const route = request.url === "/graphql" ? "graphql" : "mcp";
    world.observe({ route, method: "POST", status: 499, seconds });
  });
};

const whenCounted = (
  { rateLimit: { count, trustedProxies } }: FastWorld,
  { request }: Exchange,
  then: (counted: Counted) => void,
): void => {
  const counting = count(clientOf(request, trustedProxies));
  if (!(counting instanceof Promise)) return then(counting);
  // Nobody is left to answer where the client hung up meanwhile.
  void counting.then((counted) => {
    if (!request.socket.destroyed) then(counted);
  });
};

/** What is thrown here, a damaged record say, the app will meet as well: it knows how to tell it. */
const tried = (answer: () => boolean): boolean => {
  try {
    return answer();
  } catch {
    return false;
  }
};

/** The generation that may answer this client now. */
const readerFor = (
  { reader, withdraws }: FastWorld,
  { headers, url = "" }: IncomingMessage,
  counted: Counted,
): Reader | undefined =>
  counted.admitted && !withdraws()(headers["user-agent"] ?? "", url) ? reader() : undefined;

const answerKept = (
  world: FastWorld,
  exchange: Exchange,
  counted: Counted,
  key: string | undefined,
): boolean => {
  const reader = readerFor(world, exchange.request, counted);
  const answer = reader && key !== undefined ? world.kept.current(key, reader) : undefined;
  if (answer) send(world, exchange, counted, answer, answer.body);
  return answer !== undefined;
};

const answerPlanned = (
  world: FastWorld,
  exchange: Exchange,
  counted: Counted,
  body: Buffer,
  key: string | undefined,
): boolean => {
  const { headers } = exchange.request;
  const reader = readerFor(world, exchange.request, counted);
  const answer = reader && world.surfaces.graphql.answerKnown(reader, body);
  if (!answer) return false;
  const { length } = answer.text;
  // Packing is the app's.
  if (length >= tiny && headers["accept-encoding"] !== undefined) return false;
  const frame = world.kept.frame(headers.accept ?? "", length);
  if (!frame) return false;
  send(world, exchange, counted, frame, answer.text);
  const { text, footprint } = answer;
  if (key !== undefined && footprint) {
    world.kept.keep(key, { ...frame, body: text, reader, footprint });
  }
  return true;
};

const answerCall = (
  world: FastWorld,
  exchange: Exchange,
  counted: Counted,
  body: Buffer,
  sender: string,
): boolean => {
  const reader = readerFor(world, exchange.request, counted);
  const frame = reader && world.kept.current(sender, reader);
  const answer = frame && world.surfaces.mcp.answerCall(reader, body, mcpHeaders(exchange.request));
  if (answer === undefined) return false;
  send(world, exchange, counted, frame as Frame, Buffer.from(answer));
  return true;
};

const send = (
  { rateLimit, observe }: FastWorld,
  { request, response, begun }: Exchange,
  counted: Counted,
  { status, headers, route }: Frame,
  body: Body,
): void => {
  const length = status === 304 ? [] : ["Content-Length", String(body.length)];
  response.writeHead(status, [
    ...headers,
    ...length,
    ...rateLimitHeaders(rateLimit.limit, counted),
  ]);
  response.end(body, "latin1");
  const seconds = (performance.now() - begun) / 1000;
  observe({ route, method: request.method ?? "", status, seconds });
};

import type { IncomingMessage } from "node:http";
import type { Reader } from "../read-model/reader.ts";
import type { GraphqlSurface } from "../surfaces/graphql/surface.ts";
import type { McpSurface } from "../surfaces/mcp/surface.ts";
import { type Arrival, tellArrival } from "./arrival.ts";
import { clientOf } from "./client.ts";
import { tiny } from "./compress.ts";
import type { Context, Step } from "./context.ts";
import { isCall, isPlainGet, isQuery, keyOf, senderOf } from "./fast-requests.ts";
import type { Body, Frame, KeptAnswers } from "./kept-answers.ts";
import { mcpHeaders } from "./mcp.ts";
import type { Observe } from "./observe.ts";
import { type RateLimit, rateLimitHeaders } from "./rate-limit.ts";
import type { Counted } from "./rate-limit-count.ts";
import type { FollowRobots } from "./robots.ts";

/**
 * The fast path: the first step of the app. It answers the kinds of request that come by the thousand, a query, a page
 * and a call of a tool. Whatever it is not sure of, it leaves to the steps after it ("the app" below), which answer
 * everything.
 *
 * Bare `node:http` takes some 17 µs for a request, the app 50 µs more: twenty steps, each with its promise, and a
 * header set, looked at and set again by several. Most of that is the same work with the same result each time. So
 * the fast path does not do it faster; it takes over what the app did the first time:
 *
 * 1. A kept answer. When the app has answered a request, the answer is kept under everything of the request that the
 *    app looks at: address, the headers that choose a variant, the body. With it is kept its footprint: which
 *    products were read, whether the list of all was, whether any product counts (as in a search, which one more
 *    product could come to match), always the shop and all the rest. Before each use the footprint
 *    is held against the newest commit (one look at the store, a microsecond). As each commit says which products it
 *    changed, a kept answer outlives all commits that touched nothing of it, and not one that did: a thousand stock
 *    events a second leave the page of a hundred other products where it is, and the next request after a
 *    commit that is about one of them sees the change. An answer is never kept for a time, and never shown
 *    because it is probably right.
 * 2. A frame. A query that is new, of a document that ran before, is planned already: its answer is written straight
 *    from the stored text of the products. Status and headers are those of the app's last answer of that kind. The
 *    fast path knows no header of its own, so the two cannot drift apart: the first answer is the app's.
 * 3. A sender. Who called a tool before, with the same token, from the same address, with the same headers, may call
 *    another, until a commit changes anything but products: only then can a token have been withdrawn. The call
 *    itself is made each time; its result is new, as its id is.
 *
 * What must not be skipped is not: the limit is counted, exactly once, by the same function; robots.txt is asked;
 * metrics are told. A request that is over the limit, withdrawn, malformed, or in any way unusual goes to the app,
 * with what was found out so far (`arrival.ts`): that it was counted, and its body, which can be read only once.
 *
 * What is answered here is written to node's response in the turn that read the request, and Koa is told to leave it
 * alone (`ctx.respond`): the request waits for no promise, and passes no other step. Koa's own part, a context and a
 * look-out for the end of the response, is 3 to 5 µs.
 *
 * Bodies are texts of which each character is one byte: node sends head and body as one such string in one write.
 */
export const fastPath =
  (world: FastWorld): Step =>
  (ctx, next) => {
    const exchange = { ctx, request: ctx.req, next, begun: performance.now() };
    const { request } = exchange;
    if (request.method === "POST" && isQuery(request)) return ask(world, exchange);
    if (request.method === "POST" && isCall(request)) return call(world, exchange);
    if (request.method === "GET" && isPlainGet(request)) return look(world, exchange);
    return next();
  };

export interface FastWorld {
  /** The generation that answers at a time on the clock of `performance`. */
  readonly reader: (now: number) => Reader | undefined;
  readonly surfaces: Surfaces;
  readonly kept: KeptAnswers;
  readonly rateLimit: RateLimit;
  /** What robots.txt says now. */
  readonly withdraws: FollowRobots;
  readonly observe: Observe;
}

export interface Surfaces {
  readonly graphql: GraphqlSurface;
  readonly mcp: McpSurface;
}

interface Exchange {
  readonly ctx: Context;
  readonly request: IncomingMessage;
  /** The steps after this one. */
  readonly next: () => Promise<unknown>;
  /** On the clock of `performance`. */
  readonly begun: number;
}

/** Undefined where all is said already: what is answered here waits for nothing. */
type Done = Promise<unknown> | undefined;

const look = (world: FastWorld, exchange: Exchange): Done =>
  whenCounted(world, exchange, (counted) => {
    const key = keyOf(exchange.request, "");
    const reader = readerFor(world, exchange, counted);
    if (reader && tried(() => answerKept(world, exchange, counted, reader, key))) return undefined;
    return leave(exchange, { counted, ...(key !== undefined && { key }) });
  });

const ask = (world: FastWorld, exchange: Exchange): Done =>
  whenRead(world, exchange, (body) =>
    whenCounted(world, exchange, (counted) => {
      const key = keyOf(exchange.request, body.toString("latin1"));
      const reader = readerFor(world, exchange, counted);
      const isAnswered =
        reader &&
        tried(
          () =>
            answerKept(world, exchange, counted, reader, key) ||
            answerPlanned(world, exchange, counted, reader, body, key),
        );
      if (isAnswered) return undefined;
      return leave(exchange, { counted, body, ...(key !== undefined && { key }) });
    }),
  );

const call = (world: FastWorld, exchange: Exchange): Done =>
  whenRead(world, exchange, (body) =>
    whenCounted(world, exchange, (counted) => {
      const key = senderOf(exchange.request);
      const reader = readerFor(world, exchange, counted);
      if (reader && tried(() => answerCall(world, exchange, counted, reader, body, key)))
        return undefined;
      return leave(exchange, { counted, body, key });
    }),
  );

const leave = ({ request, next, begun }: Exchange, found: Omit<Arrival, "begun">): Done => {
  tellArrival(request, { ...found, begun });
  return next();
};

/** `then` runs in the very turn that reads the last of the body. */
const whenRead = (world: FastWorld, exchange: Exchange, then: (body: Buffer) => Done): Done =>
  new Promise((resolve, reject) => {
    const { request } = exchange;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => void chunks.push(chunk));
    request.on("end", () => {
      try {
        resolve(then(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
      } catch (thrown) {
        reject(thrown);
      }
    });
    request.on("error", () => resolve(hungUp(world, exchange)));
  });

const whenCounted = (
  world: FastWorld,
  exchange: Exchange,
  then: (counted: Counted) => Done,
): Done => {
  const { count, trustedProxies } = world.rateLimit;
  const { request } = exchange;
  const counting = count(clientOf(request, trustedProxies));
  if (!(counting instanceof Promise)) return then(counting);
  return counting.then((counted) =>
    request.socket.destroyed ? hungUp(world, exchange) : then(counted),
  );
};

/** Nobody is left to answer. */
const hungUp = ({ observe }: FastWorld, { ctx, request, begun }: Exchange): undefined => {
  ctx.respond = false;
  const { method = "", url } = request;
  const route = method === "GET" ? "unknown" : url === "/graphql" ? "graphql" : "mcp";
  observe({ route, method, status: 499, seconds: (performance.now() - begun) / 1000 });
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
  { reader: current, withdraws }: FastWorld,
  { request: { headers, url = "" }, begun }: Exchange,
  counted: Counted,
): Reader | undefined => {
  const reader = counted.admitted ? current(begun) : undefined;
  return reader && !withdraws(reader)(headers["user-agent"] ?? "", url) ? reader : undefined;
};

const answerKept = (
  world: FastWorld,
  exchange: Exchange,
  counted: Counted,
  reader: Reader,
  key: string | undefined,
): boolean => {
  const answer = key === undefined ? undefined : world.kept.current(key, reader);
  if (answer) send(world, exchange, counted, answer, answer.body);
  return answer !== undefined;
};

const answerPlanned = (
  world: FastWorld,
  exchange: Exchange,
  counted: Counted,
  reader: Reader,
  body: Buffer,
  key: string | undefined,
): boolean => {
  const { headers } = exchange.request;
  const answer = world.surfaces.graphql.answerKnown(reader, body);
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
  reader: Reader,
  body: Buffer,
  sender: string,
): boolean => {
  const frame = world.kept.current(sender, reader);
  const answer = frame && world.surfaces.mcp.answerCall(reader, body, mcpHeaders(exchange.request));
  if (answer === undefined) return false;
  send(world, exchange, counted, frame as Frame, Buffer.from(answer));
  return true;
};

const send = (
  { rateLimit, observe }: FastWorld,
  { ctx, request, begun }: Exchange,
  counted: Counted,
  { status, headers, route }: Frame,
  body: Body,
): void => {
  const length = status === 304 ? [] : ["Content-Length", String(body.length)];
  ctx.respond = false;
  ctx.res.writeHead(status, [...headers, ...length, ...rateLimitHeaders(rateLimit.limit, counted)]);
  ctx.res.end(body, "latin1");
  const seconds = (performance.now() - begun) / 1000;
  observe({ route, method: request.method ?? "", status, seconds });
};

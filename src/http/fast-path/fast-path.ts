import type { Reader } from "../../read-model/reader/reader.ts";
import { wasPipelined } from "../connection/pipelining.ts";
import type { Middleware } from "../context.ts";
import {
  acquireSlot,
  type Completion,
  countRequest,
  type Exchange,
  type FastPathDeps,
  passToApp,
  readBody,
} from "./exchange.ts";
import {
  computeCacheKey,
  computeCallerKey,
  isCacheableGet,
  isGraphqlRequest,
  isToolRequest,
} from "./requests.ts";
import { checkAdmission, serveCached, servePlanned, serveToolCall } from "./responses.ts";

/**
 * Fast path: the first middleware of the app. It answers frequent kinds of requests: GraphQL queries, pages and
 * tool calls. Every request it cannot answer with certainty passes to the later middleware ("the app" below),
 * which answers all requests.
 *
 * Measured: a request takes about 17 µs in bare `node:http` and 50 µs more in the app, for twenty middleware
 * with a promise each and headers that several of them set and read. Most of this work gives the same result
 * each time. The fast path therefore reuses results of the app:
 *
 * 1. Cached response. A response of the app is cached under all parts of the request that the app reads: URL,
 *   the headers that select a variant, and the body. Its read set is stored with it: the products that were
 *   read, whether the list of all products was read, whether any product counts (as in a search, which another
 *   product could come to match), and always the shop and all other entities. Before each use the read set is
 *   checked against the newest commit, which takes a few comparisons. Each commit lists the products it
 *   changed, so a cached response outlives all commits that changed nothing in its read set: a thousand stock
 *   events a second leave the page of a hundred other products cached, and the next request after a commit that
 *   changed one of them sees the change. A response never expires by time, and is never served when it could be
 *   outdated.
 * 2. Cached head. For a new query of a known document the compiled plan writes the body directly from the
 *   stored text of the products. Status and headers are those of the app's last response of that kind. The fast
 *   path defines no header itself, so its responses cannot differ from the app's.
 * 3. Cached authorization. A caller whose token, address and headers were accepted before may call another tool
 *   until a commit changes anything other than products, because only such a commit can revoke a token. The
 *   call itself is executed each time, because its result and id are new.
 *
 * The live generation and its newest commit are looked up once per event-loop tick (`snapshot-per-tick.ts`), so
 * that on a busy process a cached response reads nothing from LMDB.
 *
 * Cached responses are sent at once, because they are cheap. Executed requests are queued when the tick has
 * worked for too long, or other requests wait (`work-queue.ts`).
 *
 * Rate limiting, robots.txt and metrics also apply here, through the same functions and exactly once per
 * request. A request that is over the limit, denied, malformed or unusual passes to the app with the results so
 * far (`carried-over.ts`): the rate limit's result, the decision of robots.txt, the body, which can be read
 * only once, and the outcome of an executed document.
 *
 * A response is written to Node's response in the tick that read the request, and `ctx.respond` disables Koa's
 * own. The request waits for no promise and runs no other middleware. Measured: Koa's context and
 * its listener for the end of the response take 3 to 5 µs.
 *
 * Bodies are strings with one byte per character, because Node then sends head and body as one string in one
 * write.
 */
export const fastPath =
  (deps: FastPathDeps): Middleware =>
  (ctx, next) => {
    const exchange: Exchange = { ctx, request: ctx.req, next, begun: performance.now() };
    const { request } = exchange;
    // The newest commit may be looked up only in the tick that read the request (`snapshot-per-tick.ts`).
    if (wasPipelined(request)) return next();
    if (request.method === "POST" && isGraphqlRequest(request)) return handleQuery(deps, exchange);
    if (request.method === "POST" && isToolRequest(request)) return handleToolCall(deps, exchange);
    if (request.method === "GET" && isCacheableGet(request)) return handleGet(deps, exchange);
    return next();
  };

const handleGet = (deps: FastPathDeps, exchange: Exchange): Completion =>
  countRequest(deps, exchange, (rateLimitResult) => {
    const key = computeCacheKey(exchange.request, "");
    const { reader, robotsDecision } = checkAdmission(deps, exchange, rateLimitResult);
    if (reader && orUndefined(() => serveCached(deps, exchange, rateLimitResult, reader, key)))
      return undefined;
    return passToApp(exchange, {
      rateLimitResult,
      robotsDecision,
      ...(key !== undefined && { key }),
    });
  });

// A body is read only after its request was counted, so that clients that send a part of one and wait are
// counted too.

const handleQuery = (deps: FastPathDeps, exchange: Exchange): Completion =>
  countRequest(deps, exchange, (rateLimitResult) => {
    // Contract §7: a client that robots.txt denies, or a process without a model, is answered without reading
    // the body.
    const early = checkAdmission(deps, exchange, rateLimitResult);
    if (!early.reader)
      return passToApp(exchange, { rateLimitResult, robotsDecision: early.robotsDecision });
    return readBody(deps, exchange, (body) => {
      const key = computeCacheKey(exchange.request, body.toString("latin1"));
      const reader = orUndefined(() => deps.reader(exchange.begun));
      if (reader && orUndefined(() => serveCached(deps, exchange, rateLimitResult, reader, key)))
        return undefined;
      return acquireSlot(deps, exchange, (deps, wait) => {
        const reader = orUndefined(() => deps.reader(exchange.begun));
        const ran = reader && orUndefined(() => deps.surfaces.graphql.executeCached(reader, body));
        if (ran && orUndefined(() => servePlanned(deps, exchange, rateLimitResult, ran, key)))
          return undefined;
        return passToApp(exchange, {
          rateLimitResult,
          robotsDecision: early.robotsDecision,
          body,
          ...wait,
          ...(key !== undefined && { key }),
          ...(ran && { ran }),
        });
      });
    });
  });

/**
 * Contract §7: robots.txt and the token are checked before the body, which is read here only for a caller that
 * the app has authorized.
 */
const handleToolCall = (deps: FastPathDeps, exchange: Exchange): Completion =>
  countRequest(deps, exchange, (rateLimitResult) => {
    const callerKey = computeCallerKey(exchange.request);
    const early = checkAdmission(deps, exchange, rateLimitResult);
    if (!early.reader || !isAuthorized(deps, callerKey, early.reader))
      return passToApp(exchange, {
        rateLimitResult,
        robotsDecision: early.robotsDecision,
        callerKey,
      });
    return readBody(deps, exchange, (body) =>
      acquireSlot(deps, exchange, (deps, wait) => {
        const { reader, robotsDecision } = checkAdmission(deps, exchange, rateLimitResult);
        if (
          reader &&
          orUndefined(() => serveToolCall(deps, exchange, rateLimitResult, reader, body, callerKey))
        )
          return undefined;
        return passToApp(exchange, {
          rateLimitResult,
          robotsDecision,
          body,
          ...wait,
          callerKey,
        });
      }),
    );
  });

const isAuthorized = ({ callers }: FastPathDeps, callerKey: string, reader: Reader): boolean =>
  orUndefined(() => callers.current(callerKey, reader)) !== undefined;

/** Ignores an error, such as a corrupt record, because the app meets the same error and reports it. */
const orUndefined = <T>(operation: () => T): T | undefined => {
  try {
    return operation();
  } catch {
    return undefined;
  }
};

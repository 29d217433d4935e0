import type { Reader } from "../../read-model/reader/reader.ts";
import { hasWaited } from "../connection/pipelining.ts";
import type { Step } from "../context.ts";
import {
  type Done,
  type Exchange,
  type FastWorld,
  leave,
  whenCounted,
  whenFree,
  whenRead,
} from "./exchange.ts";
import { isCall, isPlainGet, isQuery, keyOf, senderOf } from "./requests.ts";
import { admit, answerCall, answerKept, answerRun } from "./responses.ts";

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
 *    is held against the newest commit (a few numbers). As each commit says which products it
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
 * What is live and which commit is the newest is looked up once for all requests of a turn of the event loop (`turn.ts`
 * says why none of them is shown anything older for it), so that on a busy process a kept answer touches no store.
 *
 * A kept answer is a moment's work, and given at once. What has to run does not where the turn has worked for long, or
 * others wait (`work-queue.ts`).
 *
 * What must not be skipped is not: the limit is counted, exactly once, by the same function; robots.txt is asked;
 * metrics are told. A request that is over the limit, withdrawn, malformed, or in any way unusual goes to the app,
 * with what was found out so far (`arrival.ts`): that it was counted, what robots.txt says, its body, which can be read
 * only once, and what its document gave if it ran.
 *
 * What is answered here is written to node's response in the turn that read the request, and Koa is told to leave it
 * alone (`ctx.respond`): the request waits for no promise, and passes no other step. Koa's own part, a context and a
 * look-out for the end of the response, is 3 to 5 µs.
 *
 * Bodies are texts of which each character is one byte: node sends head and body as one such string in one write.
 */
export const fastPath =
  (deps: FastWorld): Step =>
  (ctx, next) => {
    const exchange: Exchange = { ctx, request: ctx.req, next, begun: performance.now() };
    const { request } = exchange;
    // Only where requests are read may it be asked which commit is the newest (`turn.ts`).
    if (hasWaited(request)) return next();
    if (request.method === "POST" && isQuery(request)) return handleQuery(deps, exchange);
    if (request.method === "POST" && isCall(request)) return handleToolCall(deps, exchange);
    if (request.method === "GET" && isPlainGet(request)) return handleGet(deps, exchange);
    return next();
  };

const handleGet = (deps: FastWorld, exchange: Exchange): Done =>
  whenCounted(deps, exchange, (rateLimitResult) => {
    const key = keyOf(exchange.request, "");
    const { reader, verdict } = admit(deps, exchange, rateLimitResult);
    if (reader && orUndefined(() => answerKept(deps, exchange, rateLimitResult, reader, key)))
      return undefined;
    return leave(exchange, {
      counted: rateLimitResult,
      verdict,
      ...(key !== undefined && { key }),
    });
  });

// A body is read of those that were counted: who sends a part of one, and waits, is counted too.

const handleQuery = (deps: FastWorld, exchange: Exchange): Done =>
  whenCounted(deps, exchange, (rateLimitResult) => {
    // Whom robots.txt denies, and who can be told nothing yet, waits for no body (contract, section 7).
    const early = admit(deps, exchange, rateLimitResult);
    if (!early.reader) return leave(exchange, { counted: rateLimitResult, verdict: early.verdict });
    return whenRead(deps, exchange, (body) => {
      const key = keyOf(exchange.request, body.toString("latin1"));
      const reader = orUndefined(() => deps.reader(exchange.begun));
      if (reader && orUndefined(() => answerKept(deps, exchange, rateLimitResult, reader, key)))
        return undefined;
      return whenFree(deps, exchange, (deps, wait) => {
        const reader = orUndefined(() => deps.reader(exchange.begun));
        const ran = reader && orUndefined(() => deps.surfaces.graphql.runKnown(reader, body));
        if (ran && orUndefined(() => answerRun(deps, exchange, rateLimitResult, ran, key)))
          return undefined;
        return leave(exchange, {
          counted: rateLimitResult,
          verdict: early.verdict,
          body,
          ...wait,
          ...(key !== undefined && { key }),
          ...(ran && { ran }),
        });
      });
    });
  });

/** Contract §7: robots.txt and the token come before the body, which is read here only of a caller the app let in. */
const handleToolCall = (deps: FastWorld, exchange: Exchange): Done =>
  whenCounted(deps, exchange, (rateLimitResult) => {
    const callerKey = senderOf(exchange.request);
    const early = admit(deps, exchange, rateLimitResult);
    if (!early.reader || !isAuthorized(deps, callerKey, early.reader))
      return leave(exchange, {
        counted: rateLimitResult,
        verdict: early.verdict,
        sender: callerKey,
      });
    return whenRead(deps, exchange, (body) =>
      whenFree(deps, exchange, (deps, wait) => {
        const { reader, verdict } = admit(deps, exchange, rateLimitResult);
        if (
          reader &&
          orUndefined(() => answerCall(deps, exchange, rateLimitResult, reader, body, callerKey))
        )
          return undefined;
        return leave(exchange, {
          counted: rateLimitResult,
          verdict,
          body,
          ...wait,
          sender: callerKey,
        });
      }),
    );
  });

const isAuthorized = ({ callers }: FastWorld, callerKey: string, reader: Reader): boolean =>
  orUndefined(() => callers.current(callerKey, reader)) !== undefined;

/** What is thrown here, a damaged record say, the app will meet as well: it knows how to tell it. */
const orUndefined = <T>(operation: () => T): T | undefined => {
  try {
    return operation();
  } catch {
    return undefined;
  }
};

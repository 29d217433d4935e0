import type Koa from "koa";
import type { CurrentReader, Reader } from "../read-model/reader/reader.ts";
import { clientAddress } from "./connection/connection-limits.ts";
import { errorReply } from "./error-reply.ts";
import { after, check, Exchange, type Handler, type Layer, normalizeTarget } from "./exchange.ts";
import { allowOrigins, answerPreflight, type CorsPolicy } from "./middleware/cors.ts";
import { takeMinPosition } from "./middleware/min-position.ts";
import { commonHeaders, type Deprecation, endAtSunset } from "./middleware/sunset.ts";
import type { Reply } from "./reply.ts";
import { type SendDeps, send } from "./send.ts";

export interface Route {
  /** Name in metrics. */
  readonly name: string;
  /** In the syntax of `@koa/router`. */
  readonly path: string;
  readonly methods: readonly ("GET" | "HEAD" | "POST")[];
  readonly cors: CorsPolicy;
  /** Answers some GET and HEAD at a URL for other methods: a page for browsers, an operation in the URL. */
  readonly reads?: Layer;
  readonly deprecation?: Deprecation;
  readonly handler: Handler;
}

/** Layers around those of every route. */
export interface OuterLayers {
  /** Turns thrown errors into replies. */
  readonly guard: Layer;
  /** Counts and admits requests. */
  readonly admit: Layer;
}

/** Route as requests run through it. */
export interface ComposedRoute {
  readonly name: string;
  readonly path: string;
  /** Headers of every reply of the route. */
  readonly headers: readonly string[];
  readonly handler: Handler;
}

const pass: Layer = (next) => next;

/**
 * Composes the layers of a route, once at start. Each URL of the table answers every method: with its handler, a
 * preflight or 405.
 */
export const composeRoute = (route: Route, { guard, admit }: OuterLayers): ComposedRoute => {
  const { name, path, methods, cors, reads = pass, deprecation, handler } = route;
  const end = deprecation ? endAtSunset(deprecation) : pass;
  const preflight = check(answerPreflight(cors, methods));
  // CORS headers come first, so that a page can also read the errors of later layers.
  const answer = end(preflight(reads(allowMethods(methods)(handler))));
  return {
    name,
    path,
    headers: commonHeaders(deprecation),
    handler: guard(allowOrigins(cors)(admit(answer))),
  };
};

/** Answers other methods with 405 and an Allow header. */
const allowMethods = (methods: readonly string[]) =>
  check((exchange) => checkMethod(exchange, methods));

export const checkMethod = (exchange: Exchange, methods: readonly string[]): Reply | undefined => {
  const { method } = exchange;
  if (methods.includes(method)) return undefined;
  return errorReply(
    exchange,
    "method_not_allowed",
    `${method} is not allowed here: use ${methods.join(" or ")}.`,
    { headers: ["Allow", methods.join(", ")] },
  );
};

/** Finds the route of a normalized target, which is undefined when the URL is malformed. */
export type FindRoute = (target: string | undefined) => ComposedRoute;

interface AnswerDeps extends SendDeps {
  readonly reader: CurrentReader;
  /** Number of proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: number;
}

/**
 * Builds the only middleware of the Koa app. The layers and the handler of the request's route compute a reply
 * (`exchange.ts`), which is written in one call, in the tick that read the request unless something had to wait. A Koa
 * middleware for each layer would cost a promise each.
 */
export const answerRequests = (
  find: FindRoute,
  { reader, trustedProxies, ...deps }: AnswerDeps,
): Koa.Middleware => {
  const readers = { perTick: perTick(reader), current: reader };
  return (ctx) => {
    const { req: request, res: response } = ctx;
    const url = request.url ?? "";
    const normalized = normalizeTarget(url);
    const taken = takeMinPosition(normalized);
    const target = taken ? taken.target : normalized;
    const { name, headers, handler } = find(target);
    const exchange = new Exchange(readers, {
      request,
      response,
      target: target ?? url,
      minPosition: taken?.minPosition,
      client: clientAddress(request, trustedProxies),
      route: name,
      headers: [...headers],
    });
    // The reply is written here, not by Koa.
    ctx.respond = false;
    return after(handler(exchange), (reply) => send(exchange, reply, deps));
  };
};

/**
 * Maximum age of the shared snapshot in milliseconds, because a tick with a thousand readable connections may
 * be long.
 */
const maxAgeMs = 1;

/**
 * Selects the live generation once per event-loop tick, and pins its newest commit for all requests read in
 * that tick. The two lookups cost as much as a response from the cache.
 *
 * Invariant: no request sees an older state than with lookups of its own. Data read in a tick had begun to
 * arrive before the tick started, because the kernel reported the readable connections then. A client that saw
 * a newer response or commit before it sent its request therefore saw it before these lookups.
 *
 * Call this only from a request handler: a value read in a timer callback could be older than requests that
 * arrived after it.
 * @returns a function of the current time on the clock of `performance`
 */
export const perTick = (current: CurrentReader) => {
  let isLoaded = false;
  let loadedAt = 0;
  let reader: Reader | undefined;
  let release: (() => void) | undefined;
  const end = (): void => {
    release?.();
    release = reader = undefined;
    isLoaded = false;
  };
  return (now: number): Reader | undefined => {
    if (isLoaded && now - loadedAt < maxAgeMs) return reader;
    release?.();
    // Runs before the event loop reads from a connection again.
    if (!isLoaded) setImmediate(end);
    isLoaded = true;
    loadedAt = now;
    reader = current();
    release = reader?.pinCommit?.();
    return reader;
  };
};

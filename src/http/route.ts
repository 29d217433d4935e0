import { errorReply } from "./error-reply.ts";
import type { Exchange } from "./exchange.ts";
import { allowOrigins, answerPreflight, type CorsPolicy } from "./middleware/cors.ts";
import { commonHeaders, type Deprecation, endAtSunset } from "./middleware/sunset.ts";
import { check, type Handler, type Layer } from "./pipeline.ts";
import type { Reply } from "./reply.ts";

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

import Router from "@koa/router";
import Koa from "koa";
import type { Logger } from "../log.ts";
import type { CurrentReader } from "../read-model/reader/reader.ts";
import type { Access } from "../surfaces/access/registration.ts";
import { createResponseCache } from "./cache/response-cache.ts";
import { logFailures } from "./connection/log-failures.ts";
import { errorReply } from "./error-reply.ts";
import {
  type Exchange,
  type Handler,
  type Layer,
  type Observe,
  pathOf,
  readTraceContext,
} from "./exchange.ts";
import { createCommitTimer } from "./feed/commit-timer.ts";
import { createFollowers } from "./feed/followers.ts";
import { createReachPosition, requireMinPosition } from "./middleware/min-position.ts";
import { limitDataAge } from "./middleware/requirements.ts";
import { type RateLimit, rateLimit } from "./rate-limit/rate-limit.ts";
import { noReply, type Reply } from "./reply.ts";
import { createCompression } from "./representation/compression.ts";
import { followRobots, type RobotsSource, watchRobots } from "./robots/policy.ts";
import { answerRequests, type ComposedRoute, composeRoute, type FindRoute } from "./route.ts";
import { createSurfaces, routeTable } from "./route-table.ts";
import { composePages } from "./routes/pages.ts";
import { createWorkQueue } from "./scheduling/work-queue.ts";
import { type DataAge, shareReplies } from "./send.ts";

export interface AppDeps {
  readonly reader: CurrentReader;
  /** Canonical URL of the service. URLs are never built from headers of a request. */
  readonly baseUrl: string;
  readonly log: Logger;
  readonly access: Access;
  readonly rateLimit: RateLimit;
  /** Browser origins other than the service's own that may call the tools. */
  readonly allowedOrigins: readonly string[];
  /** Seconds for which shared caches may answer with public replies; 0 to keep none. */
  readonly sharedMaxAge: number;
  /** Streams and waits of the change feed that are open at a time. */
  readonly maxFollowers: number;
  /** Staleness of the read model. */
  readonly dataAge: DataAge;
  /** Called once for each finished request. */
  readonly observe: Observe;
  /** Called when graphql-js executes a GraphQL operation again, because its compiled plan bailed out. */
  readonly onGraphqlFallback: () => void;
}

/**
 * Creates the Koa app with all surfaces (Specification §1). Its middleware is one chain of layers for each route
 * (`route.ts`).
 */
export const createApp = (deps: AppDeps): Koa => {
  const app = new Koa({ proxy: false });
  app.on("error", logFailures(deps.log, "a response could not be sent"));
  const robots = watchRobots();
  const caching = shareReplies(deps.sharedMaxAge, robots, deps.log);
  app.use(answerRequests(createFindRoute(deps, robots), { ...deps, ...deps.rateLimit, caching }));
  return app;
};

const createFindRoute = (deps: AppDeps, robots: RobotsSource): FindRoute => {
  const { log, rateLimit: limits, access, allowedOrigins } = deps;
  const baseUrl = stripTrailingSlash(deps.baseUrl);
  const cache = createResponseCache();
  const compress = createCompression();
  const queue = createWorkQueue();
  const surfaces = createSurfaces({ baseUrl, log, onFallback: deps.onGraphqlFallback });
  const { registration, toolsAccess } = access;
  const shared = { site: { baseUrl, registration, toolsAccess }, queue, cache, compress };
  const count = rateLimit(limits);
  const checkAge = limitDataAge(deps.dataAge);
  const timer = createCommitTimer();
  const reachPosition = createReachPosition(timer);
  const checkPosition = requireMinPosition(reachPosition);
  const feed = { followers: createFollowers({ ...deps, timer }), reachPosition };
  const routes = { ...shared, access, limit: limits.limit, allowedOrigins, surfaces, feed };
  // Contract §7 fixes this sequence. Method, Origin, token and body are checked by each route.
  const admit: Layer = (next) => count(followRobots(robots)(checkAge(checkPosition(next))));
  const guard: Layer = (next) => catchErrors(log)(next);
  const find = createRouter(
    routeTable(routes).map((route) => composeRoute(route, { guard, admit })),
  );
  const pageRoute = composePages({ guard, admit }, shared);
  const invalid = { ...pageRoute, handler: guard(count(answerServer)) };
  return (target) =>
    target === undefined || target === "*" ? invalid : (find(pathOf(target)) ?? pageRoute);
};

/** Answers OPTIONS for the server itself (RFC 9110 §9.3.7), and rejects malformed URLs. */
const answerServer: Handler = (exchange) => {
  const { method, target } = exchange;
  if (target !== "*")
    return errorReply(exchange, "bad_request", "The URL of the request is malformed.");
  if (method !== "OPTIONS")
    return errorReply(exchange, "bad_request", "Only OPTIONS may request *.");
  return { status: 204, body: null, headers: ["Allow", "GET, HEAD, POST, OPTIONS"] };
};

const stripTrailingSlash = (url: string): string => url.replace(/\/+$/, "");

/**
 * Creates a function that finds the route of a path. Most paths of the table are literal, and found without a pattern.
 */
const createRouter = (
  routes: readonly ComposedRoute[],
): ((path: string) => ComposedRoute | undefined) => {
  const router = new Router({ sensitive: true });
  const byPattern = new Map(routes.map((route) => [route.path, route]));
  for (const { path } of routes) router.all(path, () => undefined);
  return (path) =>
    byPattern.get(path) ?? byPattern.get(String(router.match(path, "GET").path[0]?.path));
};

/** Answers 500 for thrown errors, whose details are only logged. */
const catchErrors =
  (log: Logger): Layer =>
  (next) =>
  (exchange) => {
    try {
      const reply = next(exchange);
      return reply instanceof Promise
        ? reply.catch((err) => toErrorReply(log, exchange, err))
        : reply;
    } catch (err) {
      return toErrorReply(log, exchange, err);
    }
  };

const toErrorReply = (log: Logger, exchange: Exchange, err: unknown): Reply => {
  const { request, method, path } = exchange;
  // The client disconnected while it sent the request, which is not an error of the service.
  if (request.destroyed && !request.complete) return noReply;
  log.error({ err, method, path, trace: readTraceContext(request) }, "a request failed");
  return errorReply(exchange, "internal", "The store failed to answer; retry is safe.");
};

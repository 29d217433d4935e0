import Koa from "koa";
import type { Logger } from "../log.ts";
import type { CurrentReader } from "../read-model/reader/reader.ts";
import type { Access } from "../surfaces/access/registration.ts";
import { createAuthorizedCallers } from "./cache/authorized-callers.ts";
import { createResponseCache, responseCache } from "./cache/response-cache.ts";
import { perTick } from "./cache/snapshot-per-tick.ts";
import type { State } from "./context.ts";
import { fastPath } from "./fast-path/fast-path.ts";
import { apiVersionHeaders } from "./middleware/api-version.ts";
import { compress } from "./middleware/compression.ts";
import { allowOrigins } from "./middleware/cors.ts";
import { type DataAge, dataAge } from "./middleware/data-age.ts";
import { errorHandler } from "./middleware/error-handler.ts";
import { normalizeUrl } from "./middleware/normalize-url.ts";
import { type RateLimit, rateLimit } from "./middleware/rate-limit.ts";
import { type Observe, requestMetrics } from "./middleware/request-metrics.ts";
import { robots, watchRobots } from "./robots/middleware.ts";
import { routeTable } from "./route-table.ts";
import { pages } from "./routes/pages.ts";
import { createRouter } from "./routes.ts";
import { admissionControl } from "./scheduling/admission-control.ts";
import { createWorkQueue } from "./scheduling/work-queue.ts";
import { createSurfaces } from "./surfaces.ts";

export interface AppDeps {
  readonly reader: CurrentReader;
  /** Canonical URL of the service. URLs are never built from headers of a request. */
  readonly baseUrl: string;
  readonly log: Logger;
  readonly access: Access;
  readonly rateLimit: RateLimit;
  /** Browser origins other than the service's own that may call the tools. */
  readonly allowedOrigins: readonly string[];
  /** Staleness of the read model. */
  readonly dataAge: DataAge;
  /** Called once for each finished request. */
  readonly observe: Observe;
  /** Called when graphql-js executes a GraphQL operation again, because its compiled plan bailed out. */
  readonly onGraphqlFallback: () => void;
}

/** Creates the Koa app with all surfaces (Specification §1). */
export const createApp = (deps: AppDeps): Koa<State> => {
  const { reader, log, rateLimit: limits, dataAge: age, observe } = deps;
  const baseUrl = stripTrailingSlash(deps.baseUrl);
  const app = new Koa<State>({ proxy: false });
  app.on("error", logUnlessDisconnected(log));
  const cache = createResponseCache();
  const callers = createAuthorizedCallers();
  const policy = watchRobots(reader);
  const surfaces = createSurfaces({ baseUrl, log, onFallback: deps.onGraphqlFallback });
  const queue = createWorkQueue();
  const shared = {
    surfaces,
    cache,
    callers,
    rateLimit: limits,
    age,
    robots: policy,
    observe,
    queue,
  };
  app.use(fastPath({ ...shared, reader: perTick(reader), current: reader }));
  app.use(requestMetrics(observe));
  app.use(dataAge(age));
  app.use(responseCache(cache, callers));
  app.use(apiVersionHeaders());
  app.use(errorHandler(log));
  const limiter = rateLimit(limits);
  app.use(normalizeUrl(limiter));
  app.use(compress());
  // Contract §7 fixes this sequence. Method, Origin, token and body are checked by each route.
  const admissionMiddleware = [limiter, robots(policy)];
  app.use(createRouter(routeTable({ ...deps, baseUrl, surfaces, queue }), admissionMiddleware));
  // Requests that match no route pass the same checks, and are then looked up as pages of the shop.
  const waitForSlot = admissionControl(queue, limits.trustedProxies);
  for (const middleware of [allowOrigins("any"), ...admissionMiddleware, waitForSlot()])
    app.use(middleware);
  for (const middleware of pages(reader, baseUrl)) app.use(middleware);
  return app;
};

const stripTrailingSlash = (url: string): string => url.replace(/\/+$/, "");

/** Logs errors that Koa could not answer, except those of disconnected clients. */
const logUnlessDisconnected = (log: Logger) => (err: NodeJS.ErrnoException) => {
  if (disconnectCodes.test(err.code ?? "")) return;
  log.error({ err }, "a response could not be sent");
};

/** Error codes of connections that ended early, and of the HTTP parser that waited for the rest. */
const disconnectCodes =
  /^(ECONNRESET|ECONNABORTED|EPIPE|ERR_STREAM_PREMATURE_CLOSE|ERR_HTTP_REQUEST_TIMEOUT|HPE_.*)$/;

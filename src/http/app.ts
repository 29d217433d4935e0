import Koa from "koa";
import type { Logger } from "../log.ts";
import type { CurrentReader } from "../read-model/reader/reader.ts";
import type { Access } from "../surfaces/access/registration.ts";
import { readGraphiql } from "../surfaces/graphql/graphiql.ts";
import { createGraphql } from "../surfaces/graphql/handler.ts";
import { graphqlLimits } from "../surfaces/graphql/limits/limits.ts";
import { readSdl } from "../surfaces/graphql/schema.ts";
import { createMcp } from "../surfaces/mcp/handler.ts";
import { createAuthorizedCallers } from "./cache/authorized-callers.ts";
import { createResponseCache, responseCache } from "./cache/response-cache.ts";
import { perTick } from "./cache/snapshot-per-tick.ts";
import type { Middleware, State } from "./context.ts";
import type { Surfaces } from "./fast-path/exchange.ts";
import { fastPath } from "./fast-path/fast-path.ts";
import { apiVersionHeaders } from "./middleware/api-version.ts";
import { bearerAuth } from "./middleware/bearer-auth.ts";
import { compress } from "./middleware/compression.ts";
import { conditional } from "./middleware/conditional.ts";
import { allowAnyOrigin } from "./middleware/cors.ts";
import { type DataAge, dataAge } from "./middleware/data-age.ts";
import { errorHandler } from "./middleware/error-handler.ts";
import { jsonBody } from "./middleware/json-body.ts";
import { normalizeUrl } from "./middleware/normalize-url.ts";
import { type RateLimit, rateLimit } from "./middleware/rate-limit.ts";
import { type Observe, requestMetrics } from "./middleware/request-metrics.ts";
import { requireModel } from "./middleware/require-model.ts";
import { robots, watchRobots } from "./robots/middleware.ts";
import { addDiscoveryLinks, discoveryRoutes } from "./routes/discovery.ts";
import { browserPage } from "./routes/graphiql.ts";
import { graphql } from "./routes/graphql.ts";
import { home } from "./routes/home.ts";
import { mcpRoute } from "./routes/mcp-route.ts";
import { pages } from "./routes/pages.ts";
import { registerRoutes } from "./routes/register.ts";
import { sitemaps } from "./routes/sitemap.ts";
import { serveStatic } from "./routes/static.ts";
import { llms, robotsText } from "./routes/texts.ts";
import { createRouter, type Route } from "./routes.ts";
import { admissionControl } from "./scheduling/admission-control.ts";
import { createWorkQueue } from "./scheduling/work-queue.ts";

export interface AppDeps {
  readonly reader: CurrentReader;
  /** Canonical URL of the service. URLs are never built from headers of a request. */
  readonly baseUrl: string;
  readonly log: Logger;
  readonly access: Access;
  readonly rateLimit: RateLimit;
  /** Additional browser origins that may call the tools. Default: none. */
  readonly allowedOrigins?: readonly string[];
  /** Staleness of the read model. Default: unknown, so that no header is sent. */
  readonly dataAge?: DataAge;
  /** Called once for each finished request. */
  readonly observe?: Observe;
}

/** Creates the Koa app with all surfaces (Specification §1). */
export const createApp = (deps: AppDeps): Koa<State> => {
  const app = new Koa<State>({ proxy: false });
  app.on("error", logUnlessDisconnected(deps.log));
  const report = deps.observe ?? (() => {});
  const cache = createResponseCache();
  const callers = createAuthorizedCallers();
  const robotsSource = watchRobots(deps.reader);
  const surfaces = createSurfaces(deps);
  const { reader, rateLimit: limits, dataAge: age = () => undefined } = deps;
  const queue = createWorkQueue();
  app.use(
    fastPath({
      reader: perTick(reader),
      current: reader,
      surfaces,
      cache,
      callers,
      rateLimit: limits,
      age,
      robots: robotsSource,
      observe: report,
      queue,
    }),
  );
  app.use(requestMetrics(report));
  app.use(dataAge(age));
  app.use(responseCache(cache, callers));
  app.use(apiVersionHeaders());
  app.use(errorHandler(deps.log));
  const limiter = rateLimit(limits);
  app.use(normalizeUrl(limiter));
  app.use(compress());
  // Contract §7 fixes this sequence. Method, Origin, token and body are checked by each route.
  const admissionMiddleware = [limiter, robots(robotsSource)];
  app.use(createRouter(routeTable(deps, surfaces, queue), admissionMiddleware));
  // Requests that match no route pass the same checks, and are then looked up as pages of the shop.
  const waitForSlot = admissionControl(queue, limits.trustedProxies);
  for (const middleware of [allowAnyOrigin(), ...admissionMiddleware, waitForSlot()])
    app.use(middleware);
  for (const middleware of pages(reader, stripTrailingSlash(deps.baseUrl))) app.use(middleware);
  return app;
};

const createSurfaces = ({ baseUrl, log }: AppDeps): Surfaces => {
  const deps = { baseUrl: stripTrailingSlash(baseUrl), log };
  return { graphql: createGraphql({ ...deps, sdl: readSdl().toString() }), mcp: createMcp(deps) };
};

/** Lists the routes of the service. */
export const routeTable = (
  deps: AppDeps,
  surfaces = createSurfaces(deps),
  queue = createWorkQueue(),
): readonly Route[] => {
  const { reader, access } = deps;
  const waitForSlot = admissionControl(queue, deps.rateLimit.trustedProxies);
  const baseUrl = stripTrailingSlash(deps.baseUrl);
  const sdl = readSdl();
  const graphiql = readGraphiql("/graphql/ui");
  return [
    {
      name: "graphql",
      path: "/graphql",
      methods: ["POST"],
      allowsAnyOrigin: true,
      browserPage: browserPage(graphiql.page, graphiql.contentSecurityPolicy),
      middleware: [
        requireModel(reader),
        jsonBody(graphqlLimits.bytes),
        waitForSlot(requireModel(reader)),
        graphql(surfaces.graphql),
      ],
    },
    {
      name: "graphql-schema",
      path: "/graphql/schema.graphql",
      methods: ["GET", "HEAD"],
      allowsAnyOrigin: true,
      middleware: [
        conditional(),
        addDiscoveryLinks(baseUrl),
        serveStatic(sdl, "text/plain; charset=utf-8"),
      ],
    },
    mcpRoute({
      baseUrl,
      surface: surfaces.mcp,
      authenticate: bearerAuth({ secret: access.secret, reader, baseUrl }),
      waitForSlot,
      reader,
      queue,
      trustedProxies: deps.rateLimit.trustedProxies,
      allowedOrigins: deps.allowedOrigins ?? [],
    }),
    ...registerRoutes({ reader, baseUrl, access }),
    ...discoveryRoutes({ reader, baseUrl, registration: access.registration }),
    ...graphiql.assets.map(
      ({ path, type, bytes }): Route => ({
        name: "graphiql",
        path,
        methods: ["GET", "HEAD"],
        allowsAnyOrigin: false,
        middleware: [conditional(), serveStatic(bytes, type)],
      }),
    ),
    ...textRoutes({ ...deps, baseUrl }, waitForSlot()),
  ];
};

/** Lists the text documents (Specification §4.4). */
const textRoutes = (
  { reader, baseUrl, rateLimit: { limit } }: AppDeps,
  waitForSlot: Middleware,
): readonly Route[] => {
  const textRoute = (name: string, path: string, middleware: Middleware): Route => ({
    name,
    path,
    methods: ["GET", "HEAD"],
    allowsAnyOrigin: true,
    middleware: [
      waitForSlot,
      requireModel(reader),
      conditional(),
      addDiscoveryLinks(baseUrl),
      middleware,
    ],
  });
  const sitemap = sitemaps(baseUrl);
  return [
    textRoute("home", "/", home(baseUrl)),
    textRoute("llms-txt", "/llms.txt", llms(baseUrl, limit)),
    textRoute("robots-txt", "/robots.txt", robotsText(baseUrl)),
    textRoute("agent-sitemap", "/agent-sitemap.xml", sitemap.main),
    textRoute("agent-sitemap", "/agent-sitemap-:part.xml", sitemap.part),
  ];
};

const stripTrailingSlash = (url: string): string => url.replace(/\/+$/, "");

/** Logs errors that Koa could not answer, except those of disconnected clients. */
const logUnlessDisconnected = (log: Logger) => (err: NodeJS.ErrnoException) => {
  if (disconnectCodes.test(err.code ?? "")) return;
  log.error({ err }, "an answer could not be sent");
};

/** Error codes of connections that ended early, and of the HTTP parser that waited for the rest. */
const disconnectCodes =
  /^(ECONNRESET|ECONNABORTED|EPIPE|ERR_STREAM_PREMATURE_CLOSE|ERR_HTTP_REQUEST_TIMEOUT|HPE_.*)$/;

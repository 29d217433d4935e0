import type { CurrentReader } from "../read-model/reader/reader.ts";
import type { Access } from "../surfaces/access/registration.ts";
import { readGraphiql } from "../surfaces/graphql/graphiql.ts";
import { graphqlLimits } from "../surfaces/graphql/limits/limits.ts";
import { readSdl } from "../surfaces/graphql/schema.ts";
import type { Middleware } from "./context.ts";
import { bearerAuth } from "./middleware/bearer-auth.ts";
import { conditional } from "./middleware/conditional.ts";
import { jsonBody } from "./middleware/json-body.ts";
import type { RateLimit } from "./middleware/rate-limit.ts";
import { requireModel } from "./middleware/require-model.ts";
import { addDiscoveryLinks, discoveryRoutes } from "./routes/discovery.ts";
import { browserPage } from "./routes/graphiql.ts";
import { graphql } from "./routes/graphql.ts";
import { home } from "./routes/home.ts";
import { mcpRoute } from "./routes/mcp-route.ts";
import { registerRoutes } from "./routes/register.ts";
import { sitemaps } from "./routes/sitemap.ts";
import { serveStatic } from "./routes/static.ts";
import { llms, robotsText } from "./routes/texts.ts";
import type { Route } from "./routes.ts";
import { admissionControl } from "./scheduling/admission-control.ts";
import type { WorkQueue } from "./scheduling/work-queue.ts";
import type { Surfaces } from "./surfaces.ts";

export interface RouteTableDeps {
  readonly reader: CurrentReader;
  /** Canonical URL of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly access: Access;
  readonly rateLimit: Pick<RateLimit, "limit" | "trustedProxies">;
  /** Browser origins other than the service's own that may call the tools. */
  readonly allowedOrigins: readonly string[];
  readonly surfaces: Surfaces;
  readonly queue: WorkQueue;
}

/** Lists the routes of the service. */
export const routeTable = (deps: RouteTableDeps): readonly Route[] => {
  const { reader, baseUrl, access, allowedOrigins, surfaces, queue } = deps;
  const { trustedProxies } = deps.rateLimit;
  const waitForSlot = admissionControl(queue, trustedProxies);
  return [
    ...graphqlRoutes(deps, waitForSlot(requireModel(reader))),
    mcpRoute({
      baseUrl,
      surface: surfaces.mcp,
      authenticate: bearerAuth({ secret: access.secret, reader, baseUrl }),
      waitForSlot,
      reader,
      queue,
      trustedProxies,
      allowedOrigins,
    }),
    ...registerRoutes({ reader, baseUrl, access }),
    ...discoveryRoutes({ reader, baseUrl, registration: access.registration }),
    ...textRoutes(deps, waitForSlot()),
  ];
};

/** Lists GraphQL, its schema, and GraphiQL for browsers (Specification §4.1). */
const graphqlRoutes = (
  { reader, baseUrl, surfaces }: RouteTableDeps,
  waitForSlot: Middleware,
): readonly Route[] => {
  const { page, contentSecurityPolicy, assets } = readGraphiql("/graphql/ui");
  const fileRoute = (route: Pick<Route, "name" | "path" | "cors" | "middleware">): Route => ({
    ...route,
    methods: ["GET", "HEAD"],
    middleware: [conditional(), ...route.middleware],
  });
  return [
    {
      name: "graphql",
      path: "/graphql",
      methods: ["POST"],
      cors: "any",
      browserPage: browserPage(page, contentSecurityPolicy),
      middleware: [
        requireModel(reader),
        jsonBody(graphqlLimits.bytes),
        waitForSlot,
        graphql(surfaces.graphql),
      ],
    },
    fileRoute({
      name: "graphql-schema",
      path: "/graphql/schema.graphql",
      cors: "any",
      middleware: [addDiscoveryLinks(baseUrl), serveStatic(readSdl(), "text/plain; charset=utf-8")],
    }),
    ...assets.map(({ path, type, bytes }) =>
      fileRoute({ name: "graphiql", path, cors: "none", middleware: [serveStatic(bytes, type)] }),
    ),
  ];
};

/** Lists the text documents (Specification §4.4). */
const textRoutes = (
  { reader, baseUrl, rateLimit: { limit } }: RouteTableDeps,
  waitForSlot: Middleware,
): readonly Route[] => {
  const textRoute = (name: string, path: string, middleware: Middleware): Route => ({
    name,
    path,
    methods: ["GET", "HEAD"],
    cors: "any",
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

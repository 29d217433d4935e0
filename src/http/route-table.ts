import type { Access } from "../surfaces/access/registration.ts";
import { readGraphiql } from "../surfaces/graphql/graphiql.ts";
import {
  createGraphql,
  type GraphqlDeps,
  type GraphqlSurface,
} from "../surfaces/graphql/handler.ts";
import { graphqlLimits } from "../surfaces/graphql/limits/limits.ts";
import { readSdl } from "../surfaces/graphql/schema.ts";
import { createMcp, type McpSurface, maxRequestBytes } from "../surfaces/mcp/handler.ts";
import { researchTools, shopTools } from "../surfaces/mcp/tools/tool-sets.ts";
import { surfacePaths } from "../surfaces/paths.ts";
import type { Site } from "../surfaces/site.ts";
import { ucpTools } from "../surfaces/ucp/tools.ts";
import {
  type UcpOperation,
  type UcpVersion,
  ucpOperations,
  ucpPath,
  ucpProfilePath,
  ucpVersions,
} from "../surfaces/ucp/version.ts";
import { cacheQueries, cacheReads, type ResponseCache } from "./cache/response-cache.ts";
import type { Handler, HasBody, HasModel, Layer } from "./exchange.ts";
import { requireValidToken, verifyToken } from "./middleware/bearer-auth.ts";
import { jsonBody } from "./middleware/json-body.ts";
import { requireModel } from "./middleware/requirements.ts";
import type { Reply } from "./reply.ts";
import { createForms, keepForms } from "./representation/compression.ts";
import { conditional, strongEtag } from "./representation/conditional.ts";
import type { Route } from "./route.ts";
import { changes, changesStream, type FeedDeps } from "./routes/changes.ts";
import { discoveryLinkHeader, discoveryRoutes } from "./routes/discovery.ts";
import { browserPage, graphql, graphqlByUrl, operationsInUrls } from "./routes/graphql.ts";
import { mcpRoute } from "./routes/mcp.ts";
import { registerRoutes } from "./routes/register.ts";
import { sitemaps } from "./routes/sitemap.ts";
import { home, llms, robotsText } from "./routes/texts.ts";
import { catalog, profile } from "./routes/ucp.ts";
import { createSerialExecutor } from "./scheduling/serial-executor.ts";
import { admissionControl, type WorkQueue } from "./scheduling/work-queue.ts";

interface RouteTableDeps {
  readonly site: Site;
  readonly access: Access;
  /** Requests per minute and client, for `llms.txt`. */
  readonly limit: number;
  readonly allowedOrigins: readonly string[];
  readonly surfaces: Surfaces;
  readonly queue: WorkQueue;
  readonly cache: ResponseCache;
  readonly compress: Layer;
  readonly feed: FeedDeps;
}

export const routeTable = (deps: RouteTableDeps): readonly Route[] => {
  const { site, access, compress } = deps;
  return [
    ...graphqlRoutes(deps),
    ...toolRoutes(deps),
    ...registerRoutes(site.baseUrl, access),
    ...discoveryRoutes(site, compress),
    ...textRoutes(deps),
    ...feedRoutes(deps),
    ...ucpRoutes(deps),
  ];
};

/** Lists the endpoints of tools (Specification §4.2, Contract §5). */
const toolRoutes = (deps: RouteTableDeps): readonly Route[] => {
  const { site, access, surfaces, queue, allowedOrigins } = deps;
  const { baseUrl, toolsAccess } = site;
  const acceptsSelfIssued =
    access.registration === "open" || access.selfIssuedTokens === "accepted";
  const runExclusively = createSerialExecutor();
  const toolRoute = (name: string, path: string, surface: McpSurface): Route =>
    mcpRoute({
      ...{ name, baseUrl, path, surface, queue, runExclusively },
      verify: verifyToken({ secret: access.secret, toolsAccess, acceptsSelfIssued, baseUrl, path }),
      requireValid: requireValidToken({ baseUrl, path }),
      allowedOrigins: toolsAccess === "open" ? "any" : allowedOrigins,
    });
  return [
    toolRoute("mcp", surfacePaths.tools, surfaces.mcp),
    toolRoute("mcp-research", surfacePaths.research, surfaces.research),
  ];
};

/** Lists GraphQL, its schema, and GraphiQL for browsers (Specification §4.1). */
const graphqlRoutes = (deps: RouteTableDeps): readonly Route[] => {
  const { site, compress } = deps;
  const { page, contentSecurityPolicy, assets } = readGraphiql("/graphql/ui");
  const fileRoute = (route: Pick<Route, "name" | "path" | "cors" | "handler">): Route => ({
    ...route,
    methods: ["GET", "HEAD"],
    handler: compress(conditional(route.handler)),
  });
  return [
    {
      name: "graphql",
      path: "/graphql",
      methods: ["POST"],
      cors: "any",
      reads: (next) =>
        operationsInUrls(urlHandler(deps))(
          browserPage(page, contentSecurityPolicy, compress)(next),
        ),
      handler: requireModel(jsonBody(graphqlLimits.bytes)(graphqlHandler(deps))),
    },
    fileRoute({
      name: "graphql-schema",
      path: "/graphql/schema.graphql",
      cors: "any",
      handler: discoveryLinkHeader(site.baseUrl)(
        serveStatic(readSdl(), "text/plain; charset=utf-8"),
      ),
    }),
    ...assets.map(({ path, type, bytes }) =>
      fileRoute({ name: "graphiql", path, cors: "none", handler: serveStatic(bytes, type) }),
    ),
  ];
};

/** Serves bytes that do not change while the process runs. Clients may cache them, and must revalidate. */
const serveStatic = (bytes: Buffer, type: string): Handler => {
  const reply: Reply = {
    status: 200,
    body: bytes,
    type,
    etag: strongEtag(bytes),
    publicFor: 0,
    forms: createForms(),
    isShared: true,
  };
  return () => reply;
};

const graphqlHandler = ({ surfaces, cache, compress, queue }: RouteTableDeps): Handler<HasBody> => {
  // Another generation may be live since the headers arrived.
  const run = requireModel<HasBody>(graphql(surfaces.graphql));
  return compress(cacheQueries(cache)(admissionControl(queue)(run)));
};

const urlHandler = ({ surfaces, cache, compress, queue }: RouteTableDeps): Handler => {
  const run = requireModel(conditional(graphqlByUrl(surfaces.graphql)));
  return compress(cacheReads(cache)(admissionControl(queue)(run)));
};

const textRoutes = (deps: RouteTableDeps): readonly Route[] => {
  const { site, limit, queue, compress } = deps;
  const { baseUrl } = site;
  const waitForSlot = admissionControl(queue);
  const addLinks = discoveryLinkHeader(baseUrl);
  const textRoute = (name: string, path: string, handler: Handler<HasModel>): Route => ({
    name,
    path,
    methods: ["GET", "HEAD"],
    cors: "any",
    handler: waitForSlot(requireModel(compress(conditional(keepForms()(addLinks(handler)))))),
  });
  const sitemap = sitemaps(baseUrl);
  return [
    textRoute("home", "/", home(site)),
    textRoute("llms-txt", "/llms.txt", llms(site, limit)),
    textRoute("robots-txt", "/robots.txt", robotsText(baseUrl)),
    textRoute("agent-sitemap", "/agent-sitemap.xml", sitemap.main),
    textRoute("agent-sitemap", "/agent-sitemap-:part.xml", sitemap.part),
  ];
};

/** Lists the change feed (Contract §11). */
const feedRoutes = ({ queue, compress, feed }: RouteTableDeps): readonly Route[] => [
  {
    name: "changes",
    path: surfacePaths.changes,
    methods: ["GET", "HEAD"],
    cors: "any",
    handler: admissionControl(queue)(requireModel(compress(changes(feed)))),
  },
  {
    name: "changes-stream",
    path: surfacePaths.changesStream,
    methods: ["GET"],
    cors: "any",
    handler: requireModel(changesStream(feed)),
  },
];

/** Lists the catalogue in the words of UCP (Contract §12). It needs no token: it tells nothing that GraphQL does not. */
const ucpRoutes = (deps: RouteTableDeps): readonly Route[] => {
  const { site, surfaces, queue, compress } = deps;
  const { baseUrl } = site;
  const runExclusively = createSerialExecutor();
  const restRoute = (version: UcpVersion, operation: UcpOperation): Route => ({
    name: "ucp",
    path: `${ucpPath(version)}/catalog/${operation}`,
    methods: ["POST"],
    cors: "any",
    handler: requireModel(
      jsonBody(maxRequestBytes)(
        compress(admissionControl(queue)(requireModel(catalog(baseUrl, version, operation)))),
      ),
    ),
  });
  return ucpVersions.flatMap((version): readonly Route[] => [
    {
      name: "ucp-profile",
      path: ucpProfilePath(version),
      methods: ["GET", "HEAD"],
      cors: "any",
      handler: compress(conditional(profile(baseUrl, version))),
    },
    ...ucpOperations.map((operation) => restRoute(version, operation)),
    mcpRoute({
      ...{ name: "ucp-mcp", baseUrl, path: `${ucpPath(version)}/mcp`, queue, runExclusively },
      surface: surfaces.ucp[version],
      allowedOrigins: "any",
      verify: (next) => (exchange) => next(Object.assign(exchange, { claims: undefined })),
      requireValid: requireModel,
    }),
  ]);
};

/** Surfaces that execute requests, one of each per process. */
export interface Surfaces {
  readonly graphql: GraphqlSurface;
  readonly mcp: McpSurface;
  /** The tools for research connectors. */
  readonly research: McpSurface;
  /** The tools of UCP. */
  readonly ucp: Readonly<Record<UcpVersion, McpSurface>>;
}

export const createSurfaces = (deps: Omit<GraphqlDeps, "sdl">): Surfaces => ({
  graphql: createGraphql({ ...deps, sdl: readSdl().toString() }),
  mcp: createMcp(deps, shopTools),
  research: createMcp(deps, researchTools),
  ucp: {
    "2026-08-25": createMcp(deps, ucpTools("2026-08-25")),
    "2026-04-08": createMcp(deps, ucpTools("2026-04-08")),
  },
});

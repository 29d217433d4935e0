import Koa from "koa";
import type { Logger } from "../log.ts";
import type { CurrentReader } from "../read-model/reader/reader.ts";
import type { Access } from "../surfaces/access/registration.ts";
import { readGraphiql } from "../surfaces/graphql/graphiql.ts";
import { createGraphql } from "../surfaces/graphql/handler.ts";
import { ceilings } from "../surfaces/graphql/limits/limits.ts";
import { readSdl } from "../surfaces/graphql/schema.ts";
import { createMcp } from "../surfaces/mcp/handler.ts";
import { createAuthorizedCallers } from "./cache/authorized-callers.ts";
import { keepAnswer, keepAnswers } from "./cache/response-cache.ts";
import { oncePerTurn } from "./cache/snapshot-per-tick.ts";
import type { State, Step } from "./context.ts";
import type { Surfaces } from "./fast-path/exchange.ts";
import { fastPath } from "./fast-path/fast-path.ts";
import { version } from "./middleware/api-version.ts";
import { token } from "./middleware/bearer-auth.ts";
import { compress } from "./middleware/compression.ts";
import { conditional } from "./middleware/conditional.ts";
import { openToAnyPage } from "./middleware/cors.ts";
import { type DataAge, dataAge } from "./middleware/data-age.ts";
import { errors } from "./middleware/error-handler.ts";
import { jsonBody } from "./middleware/json-body.ts";
import { readTarget } from "./middleware/normalize-url.ts";
import { type RateLimit, rateLimit } from "./middleware/rate-limit.ts";
import { type Observe, observe } from "./middleware/request-metrics.ts";
import { ready } from "./middleware/require-model.ts";
import { followRobots, robots } from "./robots/middleware.ts";
import { discoveryRoutes, links } from "./routes/discovery.ts";
import { browserPage } from "./routes/graphiql.ts";
import { graphql } from "./routes/graphql.ts";
import { home } from "./routes/home.ts";
import { mcpRoute } from "./routes/mcp-route.ts";
import { pages } from "./routes/pages.ts";
import { registerRoutes } from "./routes/register.ts";
import { sitemaps } from "./routes/sitemap.ts";
import { staticText } from "./routes/static.ts";
import { llms, robotsText } from "./routes/texts.ts";
import { type Route, routes } from "./routes.ts";
import { openWorkQueue, waitForTurn } from "./scheduling/admission-control.ts";

export interface AppWorld {
  readonly reader: CurrentReader;
  /** Canonical address of the service; addresses are never built from what a client sent. */
  readonly baseUrl: string;
  readonly log: Logger;
  readonly access: Access;
  readonly rateLimit: RateLimit;
  /** Origins of pages that may call the tools besides the service's own; none unless given. */
  readonly allowedOrigins?: readonly string[];
  /** How far behind the shop the model may be; not told unless given. */
  readonly dataAge?: DataAge;
  /** Told about each finished request. */
  readonly observe?: Observe;
}

/** The one HTTP application: every surface of §1, each a row of its table. */
export const createApp = (world: AppWorld): Koa<State> => {
  const app = new Koa<State>({ proxy: false });
  app.on("error", logUnlessGone(world.log));
  const tell = world.observe ?? (() => {});
  const kept = keepAnswers();
  const callers = createAuthorizedCallers();
  const said = followRobots(world.reader);
  const surfaces = surfacesOf(world);
  const { reader, rateLimit: limit, dataAge: age = () => undefined } = world;
  const queue = openWorkQueue();
  const fast = { reader: oncePerTurn(reader), current: reader, surfaces, kept, callers, queue };
  app.use(fastPath({ ...fast, rateLimit: limit, robots: said, age, observe: tell }));
  app.use(observe(tell));
  app.use(dataAge(age));
  app.use(keepAnswer(kept, callers));
  app.use(version());
  app.use(errors(world.log));
  const counted = rateLimit(limit);
  app.use(readTarget(counted));
  app.use(compress());
  // In the order a request has to pass them (contract section 7); method, Origin, token and body come with the route.
  const gates = [counted, robots(said)];
  app.use(routes(table(world, surfaces, queue), gates));
  // What no route answers passes them too.
  const turn = waitForTurn(queue, limit.trustedProxies);
  for (const step of [openToAnyPage(), ...gates, turn()]) app.use(step);
  for (const step of pages(reader, withoutSlash(world.baseUrl))) app.use(step);
  return app;
};

const surfacesOf = ({ baseUrl, log }: AppWorld): Surfaces => {
  const world = { baseUrl: withoutSlash(baseUrl), log };
  return { graphql: createGraphql({ ...world, sdl: readSdl().toString() }), mcp: createMcp(world) };
};

/** Every address of the service. */
export const table = (
  world: AppWorld,
  surfaces = surfacesOf(world),
  queue = openWorkQueue(),
): readonly Route[] => {
  const { reader, access } = world;
  const turn = waitForTurn(queue, world.rateLimit.trustedProxies);
  const baseUrl = withoutSlash(world.baseUrl);
  const sdl = readSdl();
  const graphiql = readGraphiql("/graphql/ui");
  return [
    {
      name: "graphql",
      path: "/graphql",
      methods: ["POST"],
      openToPages: true,
      browserPage: browserPage(graphiql.page, graphiql.contentSecurityPolicy),
      steps: [
        ready(reader),
        jsonBody(ceilings.bytes),
        turn(ready(reader)),
        graphql(surfaces.graphql),
      ],
    },
    {
      name: "graphql-schema",
      path: "/graphql/schema.graphql",
      methods: ["GET", "HEAD"],
      openToPages: true,
      steps: [conditional(), links(baseUrl), staticText(sdl, "text/plain; charset=utf-8")],
    },
    mcpRoute({
      baseUrl,
      surface: surfaces.mcp,
      token: token({ secret: access.secret, reader, baseUrl }),
      turn,
      reader,
      queue,
      trustedProxies: world.rateLimit.trustedProxies,
      allowedOrigins: world.allowedOrigins ?? [],
    }),
    ...registerRoutes({ reader, baseUrl, access }),
    ...discoveryRoutes({ reader, baseUrl, registration: access.registration }),
    ...graphiql.assets.map(
      ({ path, type, bytes }): Route => ({
        name: "graphiql",
        path,
        methods: ["GET", "HEAD"],
        openToPages: false,
        steps: [conditional(), staticText(bytes, type)],
      }),
    ),
    ...texts({ ...world, baseUrl }, turn()),
  ];
};

/** Documents for whoever reads text (§4.4). */
const texts = (
  { reader, baseUrl, rateLimit: { limit } }: AppWorld,
  turn: Step,
): readonly Route[] => {
  const row = (name: string, path: string, step: Step): Route => ({
    name,
    path,
    methods: ["GET", "HEAD"],
    openToPages: true,
    steps: [turn, ready(reader), conditional(), links(baseUrl), step],
  });
  const sitemap = sitemaps(baseUrl);
  return [
    row("home", "/", home(baseUrl)),
    row("llms-txt", "/llms.txt", llms(baseUrl, limit)),
    row("robots-txt", "/robots.txt", robotsText(baseUrl)),
    row("agent-sitemap", "/agent-sitemap.xml", sitemap.whole),
    row("agent-sitemap", "/agent-sitemap-:part.xml", sitemap.part),
  ];
};

const withoutSlash = (url: string): string => url.replace(/\/+$/, "");

/** Koa tells here what it could not answer. A client that hung up is no error of ours. */
const logUnlessGone = (log: Logger) => (err: NodeJS.ErrnoException) => {
  if (clientGone.test(err.code ?? "")) return;
  log.error({ err }, "an answer could not be sent");
};

/** Codes of a connection that ended early, and of the parser that was still waiting for the rest. */
const clientGone =
  /^(ECONNRESET|ECONNABORTED|EPIPE|ERR_STREAM_PREMATURE_CLOSE|ERR_HTTP_REQUEST_TIMEOUT|HPE_.*)$/;

import Koa from "koa";
import type { Logger } from "../log.ts";
import type { CurrentReader } from "../read-model/reader.ts";
import { ceilings } from "../surfaces/graphql/ceilings.ts";
import { readGraphiql } from "../surfaces/graphql/graphiql.ts";
import { readSdl } from "../surfaces/graphql/schema.ts";
import { createGraphql } from "../surfaces/graphql/surface.ts";
import { jsonBody } from "./body.ts";
import { browserPage } from "./browser-page.ts";
import type { State } from "./context.ts";
import { errors } from "./errors.ts";
import { conditional } from "./etag.ts";
import { graphql } from "./graphql.ts";
import { type Observe, observe } from "./observe.ts";
import { ready } from "./ready.ts";
import { type Route, routes } from "./routes.ts";
import { staticText } from "./static-text.ts";
import { version } from "./version.ts";

export interface AppWorld {
  readonly reader: CurrentReader;
  /** Canonical address of the service; addresses are never built from what a client sent. */
  readonly baseUrl: string;
  readonly log: Logger;
  /** Told about each finished request. */
  readonly observe?: Observe;
}

/** The one HTTP application: every surface of §1, each a row of its table. */
export const createApp = (world: AppWorld): Koa<State> => {
  const app = new Koa<State>({ proxy: false });
  app.on("error", logUnlessGone(world.log));
  app.use(observe(world.observe ?? (() => {})));
  app.use(version());
  app.use(errors(world.log));
  app.use(routes(table(world)));
  return app;
};

const table = ({ reader, baseUrl, log }: AppWorld): readonly Route[] => {
  const sdl = readSdl();
  const graphiql = readGraphiql("/graphql/ui");
  const surface = createGraphql({ sdl: sdl.toString(), baseUrl: withoutSlash(baseUrl), log });
  return [
    {
      name: "graphql",
      path: "/graphql",
      methods: ["POST"],
      openToPages: true,
      browserPage: browserPage(graphiql.page, graphiql.contentSecurityPolicy),
      steps: [ready(reader), jsonBody(ceilings.bytes), graphql(surface)],
    },
    {
      name: "graphql-schema",
      path: "/graphql/schema.graphql",
      methods: ["GET", "HEAD"],
      openToPages: true,
      steps: [conditional(), staticText(sdl, "text/plain; charset=utf-8")],
    },
    ...graphiql.assets.map(
      ({ path, type, bytes }): Route => ({
        name: "graphiql",
        path,
        methods: ["GET", "HEAD"],
        openToPages: false,
        steps: [conditional(), staticText(bytes, type)],
      }),
    ),
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

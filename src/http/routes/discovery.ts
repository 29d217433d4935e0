import type { CurrentReader } from "../../read-model/reader/reader.ts";
import { authMd } from "../../surfaces/discovery/auth-md.ts";
import { type DiscoveryOptions, markdownType } from "../../surfaces/discovery/document.ts";
import { discoveryDocuments } from "../../surfaces/discovery/index.ts";
import { discoveryLinks, documentPaths } from "../../surfaces/paths.ts";
import type { Middleware } from "../context.ts";
import { conditional, strongEtag } from "../middleware/conditional.ts";
import type { Route } from "../routes.ts";
import { setLastModified } from "./send-page.ts";

export interface DiscoveryRouteDeps extends DiscoveryOptions {
  readonly reader: CurrentReader;
}

/** Lists a route for each document about the service. */
export const discoveryRoutes = (deps: DiscoveryRouteDeps): readonly Route[] => {
  const documentRoute = (path: string, middleware: Middleware): Route => ({
    name: "discovery",
    path,
    methods: ["GET", "HEAD"],
    cors: "any",
    middleware: [conditional(), addDiscoveryLinks(deps.baseUrl), middleware],
  });
  return [
    ...discoveryDocuments(deps).map(({ path, type, bytes }) =>
      documentRoute(path, serveDocument(bytes, type)),
    ),
    documentRoute(documentPaths.authMd, serveAuthMd(deps)),
  ];
};

/** Adds links to the other documents, so that a client that finds one finds all (RFC 8288). */
export const addDiscoveryLinks = (baseUrl: string): Middleware => {
  const value = discoveryLinks(baseUrl).join(", ");
  return (ctx, next) => {
    ctx.append("Link", value);
    return next();
  };
};

/** Cache lifetime of a document that changes only with a deployment. */
const oneHour = "public, max-age=3600";

const serveDocument = (bytes: Buffer, type: string): Middleware => {
  const etag = strongEtag(bytes);
  return (ctx) => {
    ctx.set("ETag", etag);
    ctx.set("Cache-Control", oneHour);
    ctx.set("Content-Type", type);
    ctx.body = bytes;
  };
};

/** Serves `/auth.md`. It includes the shop's name and contact, but without a model only how access works. */
const serveAuthMd =
  (deps: DiscoveryRouteDeps): Middleware =>
  (ctx) => {
    const reader = deps.reader();
    const shop = reader?.snapshot((snapshot) => snapshot.shop());
    if (reader) ctx.state.reader = reader;
    const bytes = Buffer.from(authMd(deps, shop));
    ctx.set("ETag", strongEtag(bytes));
    setLastModified(ctx, shop?.updatedAt);
    ctx.set("Cache-Control", shop ? oneHour : "no-cache");
    ctx.set("Content-Type", markdownType);
    ctx.body = bytes;
  };

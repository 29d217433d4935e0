import { createAuthMd } from "../../surfaces/discovery/auth-md.ts";
import { markdownType } from "../../surfaces/discovery/document.ts";
import { discoveryDocuments } from "../../surfaces/discovery/index.ts";
import { discoveryLinks, documentPaths } from "../../surfaces/paths.ts";
import type { Site } from "../../surfaces/site.ts";
import type { Handler, Layer } from "../exchange.ts";
import { createForms, keepForms } from "../representation/compression.ts";
import { conditional, strongEtag } from "../representation/conditional.ts";
import type { Route } from "../route.ts";
import { lastModified } from "./page-reply.ts";

export const discoveryRoutes = (site: Site, compress: Layer): readonly Route[] => {
  const addLinks = discoveryLinkHeader(site.baseUrl);
  const documentRoute = (path: string, handler: Handler): Route => ({
    name: "discovery",
    path,
    methods: ["GET", "HEAD"],
    cors: "any",
    handler: compress(conditional(keepForms()(addLinks(handler)))),
  });
  return [
    ...discoveryDocuments(site).map(({ path, type, bytes }) =>
      documentRoute(path, serveDocument(bytes, type)),
    ),
    documentRoute(documentPaths.authMd, serveAuthMd(site)),
  ];
};

/** Links the other documents, so that a client that finds one finds all (RFC 8288). */
export const discoveryLinkHeader = (baseUrl: string): Layer => {
  const value = discoveryLinks(baseUrl).join(", ");
  return (next) => (exchange) => {
    exchange.headers.push("Link", value);
    return next(exchange);
  };
};

/** Seconds for which a client may use a document that changes only with a deployment. */
const oneHour = 3_600;

/** A cache must not give a page of another origin a reply without the headers for pages, see `allowOrigins`. */
const vary = "Origin";

const serveDocument = (bytes: Buffer, type: string): Handler => {
  const etag = strongEtag(bytes);
  const reply = {
    ...{ status: 200, body: bytes, type, vary, etag },
    publicFor: oneHour,
    forms: createForms(),
  };
  return () => reply;
};

/** Serves `/auth.md`. It includes the shop's name and contact, but without a model only how access works. */
const serveAuthMd = (site: Site): Handler => {
  const write = createAuthMd(site);
  return (exchange) => {
    exchange.model = exchange.reader();
    const shop = exchange.model?.snapshot((snapshot) => snapshot.shop());
    const body = Buffer.from(write(shop));
    return {
      status: 200,
      body,
      type: markdownType,
      vary,
      etag: strongEtag(body),
      publicFor: shop ? oneHour : 0,
      headers: lastModified(shop?.updatedAt),
    };
  };
};

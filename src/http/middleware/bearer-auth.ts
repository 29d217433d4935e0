import { readToken, type TokenClaims } from "../../surfaces/access/bearer.ts";
import {
  isValid,
  parseBearer,
  resourceMetadataUrl,
  type ToolEndpoint,
  type ToolsAccess,
  wwwAuthenticate,
} from "../../surfaces/access/tokens.ts";
import { errorReply } from "../error-reply.ts";
import {
  type Exchange,
  getHeader,
  type Handler,
  type HasModel,
  hasModel,
  type Layer,
} from "../exchange.ts";
import type { Reply } from "../reply.ts";
import { unavailable } from "./requirements.ts";

interface BearerAuthOptions extends ToolEndpoint {
  readonly secret: string;
  readonly toolsAccess: ToolsAccess;
  /** False where registration is closed, and the owner does not keep the tokens that agents gave themselves. */
  readonly acceptsSelfIssued: boolean;
}

/** Added by `verifyToken`. */
export interface HasClaims {
  /** Undefined for a request without a token, where the tools are open. */
  readonly claims: TokenClaims | undefined;
}

/**
 * Admits requests with a bearer token of this service in the Authorization header (Specification §5 rule 2). It may be
 * revoked: `requireValidToken` comes after it. Where the tools are open, a request may also have no token; a wrong one is
 * rejected, so that its client notices.
 */
export const verifyToken =
  ({ secret, toolsAccess, acceptsSelfIssued, ...endpoint }: BearerAuthOptions): Layer<HasClaims> =>
  (next) =>
  (exchange) => {
    const header = getHeader(exchange, "authorization");
    if (header === "" && toolsAccess === "open")
      return next(Object.assign(exchange, { claims: undefined }));
    const bearer = parseBearer(header);
    const claims = bearer === undefined ? undefined : readToken(bearer, secret);
    return claims && (acceptsSelfIssued || !claims.isSelfIssued)
      ? next(Object.assign(exchange, { claims }))
      : unauthorized(exchange, endpoint, bearer !== undefined || toolsAccess === "open");
  };

/** Admits requests whose token is not revoked in the live generation, and selects that generation. */
export const requireValidToken =
  (endpoint: ToolEndpoint) =>
  <Needs extends HasClaims>(next: Handler<Needs & HasModel>): Handler<Needs> =>
  (exchange) => {
    exchange.model = exchange.reader();
    // Without a model it is unknown whether the token is revoked.
    if (!hasModel(exchange)) return unavailable(exchange);
    const { claims, model } = exchange;
    if (!claims) return next(exchange);
    const agent = model.snapshot((snapshot) => snapshot.agent(claims.label));
    return isValid(claims, agent) ? next(exchange) : unauthorized(exchange, endpoint, true);
  };

const unauthorized = (exchange: Exchange, endpoint: ToolEndpoint, wasSent: boolean): Reply => {
  const { baseUrl } = endpoint;
  const message = wasSent
    ? `The bearer token is invalid or was revoked. ${baseUrl}/auth.md explains how to get another one.`
    : `This endpoint requires a bearer token: Authorization: Bearer <token>. ${baseUrl}/auth.md explains how to get one.`;
  return errorReply(exchange, "unauthorized", message, {
    resourceMetadata: resourceMetadataUrl(endpoint),
    headers: ["WWW-Authenticate", wwwAuthenticate(endpoint, wasSent)],
  });
};

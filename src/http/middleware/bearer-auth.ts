import type { CurrentReader } from "../../read-model/reader/reader.ts";
import { readToken } from "../../surfaces/access/bearer.ts";
import {
  isValid,
  parseBearer,
  resourceMetadataUrl,
  wwwAuthenticate,
} from "../../surfaces/access/tokens.ts";
import type { Context, Middleware } from "../context.ts";
import { sendError } from "../error-response.ts";
import { sendUnavailable } from "./require-model.ts";

export interface BearerAuthDeps {
  readonly secret: string;
  readonly reader: CurrentReader;
  readonly baseUrl: string;
}

/**
 * Admits requests with a valid bearer token in the Authorization header (Specification §5 rule 2), and passes
 * on the generation that validated it.
 */
export const bearerAuth =
  ({ secret, reader, baseUrl }: BearerAuthDeps): Middleware =>
  async (ctx, next) => {
    const bearer = parseBearer(ctx.get("Authorization"));
    const claims = bearer === undefined ? undefined : readToken(bearer, secret);
    if (!claims) return unauthorized(ctx, baseUrl, bearer !== undefined);
    const currentReader = reader();
    // Without a model it is unknown whether the token is revoked.
    if (!currentReader) return sendUnavailable(ctx);
    const [tokenState, readSet] = currentReader.snapshot(
      (snapshot, readSet) => [snapshot.agent(claims.label), readSet] as const,
    );
    ctx.state.reader = currentReader;
    if (!isValid(claims, tokenState)) return unauthorized(ctx, baseUrl, true);
    // Read set of the token's check only, because the token may be revoked while the response is computed. It
    // is used to cache the caller, never the response.
    ctx.state.readSet = readSet;
    await next();
  };

const unauthorized = (ctx: Context, baseUrl: string, wasSent: boolean): void => {
  const message = wasSent
    ? `The bearer token is invalid or was revoked. ${baseUrl}/auth.md explains how to get another one.`
    : `This endpoint requires a bearer token: Authorization: Bearer <token>. ${baseUrl}/auth.md explains how to get one.`;
  sendError(ctx, "unauthorized", message, { resourceMetadata: resourceMetadataUrl(baseUrl) });
  ctx.set("WWW-Authenticate", wwwAuthenticate(baseUrl, wasSent));
};

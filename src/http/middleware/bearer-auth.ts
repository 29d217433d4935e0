import type { CurrentReader } from "../../read-model/reader/reader.ts";
import { readToken } from "../../surfaces/access/bearer.ts";
import {
  bearerOf,
  challengeOf,
  isAlive,
  resourceMetadataOf,
} from "../../surfaces/access/tokens.ts";
import type { Context, Step } from "../context.ts";
import { refuse } from "../error-response.ts";
import { notReady } from "./require-model.ts";

export interface TokenWorld {
  readonly secret: string;
  readonly reader: CurrentReader;
  readonly baseUrl: string;
}

/**
 * Admits requests with a valid bearer token in the Authorization header (Specification §5 rule 2), and passes
 * on the generation that validated it.
 */
export const token =
  ({ secret, reader, baseUrl }: TokenWorld): Step =>
  async (ctx, next) => {
    const bearer = bearerOf(ctx.get("Authorization"));
    const claims = bearer === undefined ? undefined : readToken(bearer, secret);
    if (!claims) return unauthorized(ctx, baseUrl, bearer !== undefined);
    const currentReader = reader();
    // Without a model it is unknown whether the token is revoked.
    if (!currentReader) return notReady(ctx);
    const [tokenState, readSet] = currentReader.snapshot(
      (snapshot, readSet) => [snapshot.agent(claims.label), readSet] as const,
    );
    ctx.state.reader = currentReader;
    if (!isAlive(claims, tokenState)) return unauthorized(ctx, baseUrl, true);
    // Read set of the token's check only, because the token may be revoked while the response is computed. It
    // is used to cache the caller, never the response.
    ctx.state.footprint = readSet;
    await next();
  };

const unauthorized = (ctx: Context, baseUrl: string, wasSent: boolean): void => {
  const message = wasSent
    ? `The bearer token is wrong, or was withdrawn. ${baseUrl}/auth.md tells how to get another.`
    : `This endpoint wants a bearer token: Authorization: Bearer <token>. ${baseUrl}/auth.md tells how to get one.`;
  refuse(ctx, "unauthorized", message, { resourceMetadata: resourceMetadataOf(baseUrl) });
  ctx.set("WWW-Authenticate", challengeOf(baseUrl, wasSent));
};

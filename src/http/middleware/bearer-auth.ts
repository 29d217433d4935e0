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
 * Lets a request pass that carries a living bearer token, in its header and nowhere else (§5 rule 2), and hands the
 * generation that knew the token to the steps after it.
 */
export const token =
  ({ secret, reader, baseUrl }: TokenWorld): Step =>
  async (ctx, next) => {
    const bearer = bearerOf(ctx.get("Authorization"));
    const claims = bearer === undefined ? undefined : readToken(bearer, secret);
    if (!claims) return unauthorized(ctx, baseUrl, bearer !== undefined);
    const currentReader = reader();
    // Whether a token was withdrawn is not known without a model.
    if (!currentReader) return notReady(ctx);
    const [tokenState, readSetCheck] = currentReader.snapshot(
      (snapshot, readSetCheck) => [snapshot.agent(claims.label), readSetCheck] as const,
    );
    ctx.state.reader = currentReader;
    if (!isAlive(claims, tokenState)) return unauthorized(ctx, baseUrl, true);
    // Of this very moment: the token may be withdrawn while the answer is made. Nothing but who may call is kept.
    ctx.state.footprint = readSetCheck;
    await next();
  };

const unauthorized = (ctx: Context, baseUrl: string, wasSent: boolean): void => {
  const message = wasSent
    ? `The bearer token is wrong, or was withdrawn. ${baseUrl}/auth.md tells how to get another.`
    : `This endpoint wants a bearer token: Authorization: Bearer <token>. ${baseUrl}/auth.md tells how to get one.`;
  refuse(ctx, "unauthorized", message, { resourceMetadata: resourceMetadataOf(baseUrl) });
  ctx.set("WWW-Authenticate", challengeOf(baseUrl, wasSent));
};

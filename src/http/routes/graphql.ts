import { type GraphqlSurface, mediaTypes } from "../../surfaces/graphql/handler.ts";
import type { Middleware } from "../context.ts";
import { sendError } from "../error-response.ts";
import { getCarriedOver } from "../fast-path/carried-over.ts";
import { negotiateType } from "../negotiation/accept.ts";

/** Handles `POST /graphql` (Specification §4.1), after `requireModel` and `jsonBody`. */
export const graphql =
  (surface: GraphqlSurface): Middleware =>
  async (ctx) => {
    // JSON serves a client that accepts neither type better than 406.
    const type = negotiateType(ctx, mediaTypes) ?? mediaTypes[0];
    const { reader, body } = ctx.state;
    const reply = await surface.answer(reader, body, type, getCarriedOver(ctx.req)?.ran);
    if (reply.badRequest !== undefined) return sendError(ctx, "bad_request", reply.badRequest);
    ctx.status = reply.status;
    ctx.vary("Accept");
    ctx.set("Content-Type", `${type}; charset=utf-8`);
    if (typeof reply.body === "string") ctx.body = reply.body;
    else {
      ctx.state.readSet = reply.body.readSet;
      ctx.body = Buffer.from(reply.body.text, "latin1");
    }
  };

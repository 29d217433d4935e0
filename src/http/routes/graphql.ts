import { type GraphqlSurface, mediaTypes } from "../../surfaces/graphql/handler.ts";
import type { Step } from "../context.ts";
import { refuse } from "../error-response.ts";
import { arrivalOf } from "../fast-path/carried-over.ts";
import { acceptedOf } from "../negotiation/accept.ts";

/** Handles `POST /graphql` (Specification §4.1), after `requireModel` and `jsonBody`. */
export const graphql =
  (surface: GraphqlSurface): Step =>
  async (ctx) => {
    // JSON serves a client that accepts neither type better than 406.
    const type = acceptedOf(ctx, mediaTypes) ?? mediaTypes[0];
    const { reader, body } = ctx.state;
    const reply = await surface.answer(reader, body, type, arrivalOf(ctx.req)?.ran);
    if (reply.refused !== undefined) return refuse(ctx, "bad_request", reply.refused);
    ctx.status = reply.status;
    ctx.vary("Accept");
    ctx.set("Content-Type", `${type}; charset=utf-8`);
    if (typeof reply.body === "string") ctx.body = reply.body;
    else {
      ctx.state.footprint = reply.body.footprint;
      ctx.body = Buffer.from(reply.body.text, "latin1");
    }
  };

import { type GraphqlSurface, mediaTypes } from "../../surfaces/graphql/handler.ts";
import { errorReply } from "../error-reply.ts";
import { getHeader } from "../exchange.ts";
import { typeNegotiator } from "../negotiation/accept.ts";
import { after, type Handler, type HasBody, type HasModel } from "../pipeline.ts";
import { encodeLongText } from "../reply.ts";

/** Handles `POST /graphql` (Specification §4.1). */
export const graphql =
  (surface: GraphqlSurface): Handler<HasModel & HasBody> =>
  (exchange) => {
    const { model, body } = exchange;
    // JSON serves a client that accepts neither type better than 406.
    const type = negotiateType(getHeader(exchange, "accept")) ?? mediaTypes[0];
    return after(surface(model, body, type), (answer) => {
      if (answer.badRequest !== undefined)
        return errorReply(exchange, "bad_request", answer.badRequest);
      const { status, text, readSet } = answer;
      return {
        status,
        body: encodeLongText(text),
        type: `${type}; charset=utf-8`,
        vary: "Accept",
        validity: readSet && { reader: model, readSet },
      };
    });
  };

const negotiateType = typeNegotiator(mediaTypes);

import {
  type GraphqlResponse,
  type GraphqlSurface,
  mediaTypes,
} from "../../surfaces/graphql/handler.ts";
import { errorReply } from "../error-reply.ts";
import {
  after,
  type Exchange,
  getHeader,
  type Handler,
  type HasBody,
  type HasModel,
  type Layer,
} from "../exchange.ts";
import { typeNegotiator } from "../negotiation/accept.ts";
import { bodyBytes, encodeLongText, type Reply } from "../reply.ts";
import { createForms } from "../representation/compression.ts";
import { strongEtag } from "../representation/conditional.ts";

/** Handles `POST /graphql` (Specification §4.1). */
export const graphql =
  ({ body: answer }: GraphqlSurface): Handler<HasModel & HasBody> =>
  (exchange) => {
    const { model, body } = exchange;
    const type = selectType(exchange);
    return after(answer(model, body, type), (response) =>
      toReply(exchange, response, { type, reader: model }),
    );
  };

/** Maximum length of a URL in characters: what proxies and servers commonly accept. */
const maxUrlLength = 8_192;

/** Answers GET and HEAD of a URL that contains an operation (GraphQL over HTTP). Other requests pass to the handler. */
export const operationsInUrls =
  (answer: Handler): Layer =>
  (next) =>
  (exchange) => {
    if (!hasOperation(exchange)) return next(exchange);
    // The target may be longer, because it is percent-encoded.
    if ((exchange.request.url ?? "").length <= maxUrlLength) return answer(exchange);
    const message = `The URL may have at most ${maxUrlLength} characters: send longer operations by POST.`;
    return errorReply(exchange, "uri_too_long", message);
  };

/** Handles `GET /graphql` with an operation. A reply with errors must not be stored, because a retry may succeed. */
export const graphqlByUrl =
  ({ parameters: answer }: GraphqlSurface): Handler<HasModel> =>
  (exchange) => {
    const { model } = exchange;
    const type = selectType(exchange);
    return after(answer(model, getParameters(exchange), type), (response) => {
      const reply = toReply(exchange, response, { type, reader: model });
      if (response.badRequest !== undefined) return reply;
      const isComplete = response.readSet !== undefined;
      return {
        ...reply,
        ...(isComplete && reply.body !== null && { etag: strongEtag(bodyBytes(reply.body)) }),
        ...(isComplete && { publicFor: 0 }),
        headers: isComplete ? [] : ["Cache-Control", "no-store"],
      };
    });
  };

const hasOperation = (exchange: Exchange): boolean => {
  if (exchange.method !== "GET" && exchange.method !== "HEAD") return false;
  const parameters = getParameters(exchange);
  return parameters.has("query") || parameters.has("extensions");
};

const getParameters = ({ target, path }: Exchange): URLSearchParams =>
  new URLSearchParams(target.slice(path.length));

/** Selects JSON for a client that accepts neither type, because JSON serves it better than 406. */
const selectType = (exchange: Exchange) =>
  negotiateType(getHeader(exchange, "accept")) ?? mediaTypes[0];

const negotiateType = typeNegotiator(mediaTypes);

const toReply = (
  exchange: Exchange,
  response: GraphqlResponse,
  { type, reader }: { readonly type: string; readonly reader: HasModel["model"] },
): Reply => {
  if (response.badRequest !== undefined)
    return errorReply(exchange, "bad_request", response.badRequest);
  const { status, text, madeFrom, readSet, isRegistration } = response;
  return {
    status,
    body: encodeLongText(text),
    type: `${type}; charset=utf-8`,
    vary: "Accept",
    validity: readSet && !isRegistration ? { reader, readSet } : undefined,
    madeFrom,
  };
};

/** Serves a page to browsers, which prefer `text/html` in a GET. Other requests pass to the handler. */
export const browserPage = (
  html: Buffer,
  contentSecurityPolicy: string,
  compress: Layer,
): Layer => {
  const page: Reply = {
    status: 200,
    body: html,
    forms: createForms(),
    isShared: true,
    type: "text/html; charset=utf-8",
    vary: "Accept",
    headers: [
      ...["Content-Security-Policy", contentSecurityPolicy],
      ...["Referrer-Policy", "no-referrer"],
      ...["Cache-Control", "private, no-cache"],
    ],
  };
  const servePage = compress(() => page);
  return (next) => (exchange) => (isBrowserRead(exchange) ? servePage(exchange) : next(exchange));
};

const isBrowserRead = (exchange: Exchange): boolean =>
  (exchange.method === "GET" || exchange.method === "HEAD") &&
  negotiatePage(getHeader(exchange, "accept")) === "text/html";

const negotiatePage = typeNegotiator(["application/json", "text/html"]);

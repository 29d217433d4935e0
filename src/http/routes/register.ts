import {
  type Access,
  type RegistrationDeps,
  readIdempotencyKey,
  register as registerLabel,
} from "../../surfaces/access/registration.ts";
import { surfacePaths } from "../../surfaces/paths.ts";
import { errorReply } from "../error-reply.ts";
import { getHeader, type Handler, type HasBody, type HasModel } from "../exchange.ts";
import { jsonBody } from "../middleware/json-body.ts";
import { requireModel } from "../middleware/requirements.ts";
import { encodeText } from "../reply.ts";
import type { Route } from "../route.ts";

/** Maximum body of `POST /v1/register` (Contract §7). */
const maxBodyBytes = 4 * 1024;

/** Builds the route `/v1/register`. Without registration there is none, and the URL answers 404. */
export const registerRoutes = (baseUrl: string, access: Access): readonly Route[] => {
  if (access.registration === "closed") return [];
  const { secret, keys } = access;
  // Another generation may be live when the body has arrived.
  const run = requireModel<HasBody>(register({ secret, keys, baseUrl }));
  const handler = requireModel(jsonBody(maxBodyBytes)(run));
  return [
    { name: "register", path: surfacePaths.register, methods: ["POST"], cors: "any", handler },
  ];
};

/** Handles `POST /v1/register` (Specification §4.3). */
const register =
  (deps: RegistrationDeps): Handler<HasModel & HasBody> =>
  (exchange) => {
    const { model, body, headers, request } = exchange;
    const header = getHeader(exchange, "idempotency-key");
    const isSent = request.headers["idempotency-key"] !== undefined;
    const key = isSent ? readIdempotencyKey(header) : undefined;
    if (isSent && key === undefined) {
      const message = "Idempotency-Key must have 1 to 255 ASCII characters.";
      return errorReply(exchange, "bad_request", message);
    }
    if (isSent) headers.push("Idempotency-Replayed", header);
    const retry = key === undefined ? undefined : { client: exchange.client, key };
    const answer = model.snapshot((snapshot) => registerLabel(snapshot, body, retry, deps));
    if ("refused" in answer) return errorReply(exchange, answer.refused, answer.message);
    return {
      status: 201,
      body: encodeText(JSON.stringify(answer.registered)),
      type: "application/json; charset=utf-8",
      headers: ["Cache-Control", "no-store"],
    };
  };

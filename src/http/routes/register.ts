import type { CurrentReader } from "../../read-model/reader/reader.ts";
import {
  type Access,
  type IssuedToken,
  type RegistrationDeps,
  readIdempotencyKey,
  register as registerLabel,
} from "../../surfaces/access/registration.ts";
import { surfacePaths } from "../../surfaces/paths.ts";
import type { Context, Middleware } from "../context.ts";
import { sendError } from "../error-response.ts";
import { jsonBody } from "../middleware/json-body.ts";
import { requireModel } from "../middleware/require-model.ts";
import type { Route } from "../routes.ts";

/** Maximum body of `POST /v1/register` (Contract §7). */
const maxBodyBytes = 4 * 1024;

interface RegisterRouteDeps {
  readonly reader: CurrentReader;
  readonly baseUrl: string;
  readonly access: Access;
}

/** Builds the route `/v1/register`. Without registration there is none, and the URL answers 404. */
export const registerRoutes = ({
  reader,
  baseUrl,
  access,
}: RegisterRouteDeps): readonly Route[] => {
  if (access.registration === "closed") return [];
  const { secret, keys } = access;
  const middleware = [
    requireModel(reader),
    jsonBody(maxBodyBytes),
    register({ secret, keys, baseUrl }),
  ];
  const path = surfacePaths.register;
  return [{ name: "register", path, methods: ["POST"], cors: "any", middleware }];
};

/** Handles `POST /v1/register` (Specification §4.3), after `requireModel` and `jsonBody`. */
const register =
  (deps: RegistrationDeps): Middleware =>
  (ctx) => {
    const header = ctx.get("Idempotency-Key");
    const isSent = ctx.req.headers["idempotency-key"] !== undefined;
    const key = isSent ? readIdempotencyKey(header) : undefined;
    if (isSent && key === undefined) {
      return sendError(ctx, "bad_request", "Idempotency-Key must have 1 to 255 ASCII characters.");
    }
    if (isSent) ctx.set("Idempotency-Replayed", header);
    const { body, reader } = ctx.state;
    const reply = reader.snapshot((snapshot) => registerLabel(snapshot, body, key, deps));
    if ("refused" in reply) return sendError(ctx, reply.refused, reply.message);
    sendRegistered(ctx, reply.registered);
  };

const sendRegistered = (ctx: Context, registered: IssuedToken): void => {
  ctx.status = 201;
  ctx.set("Cache-Control", "no-store");
  ctx.type = "application/json";
  ctx.body = JSON.stringify(registered);
};

import type Koa from "koa";
import { VitrineError } from "../errors.ts";

const codes = {
  400: "bad_request",
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  405: "method_not_allowed",
  413: "payload_too_large",
  415: "unsupported_media_type",
  421: "misdirected",
  429: "rate_limited",
  500: "internal",
  503: "unavailable",
} as const;

/** Sends an error as `{"error": {"code", "message"}}`, the format of the public port. */
export const sendError = (ctx: Koa.Context, status: keyof typeof codes, message: string): void => {
  sendJson(ctx, { error: { code: codes[status], message } }, status);
};

/** Sends JSON as a text. Koa compares an object with the classes of `fetch`, which Node loads for it: 40 to 80 ms of processor time. */
export const sendJson = (ctx: Koa.Context, body: object, status = 200): void => {
  ctx.status = status;
  ctx.type = "json";
  ctx.body = JSON.stringify(body);
};

/** Sends a caught error: one that the operator can fix with its hint, a bug as `internal` with its details in the log. */
export const sendCaughtError = (ctx: Koa.Context, thrown: unknown): void => {
  if (thrown instanceof VitrineError && thrown.code !== "internal") {
    const { code, message, hint } = thrown;
    sendError(ctx, code === "usage" ? 400 : 503, hint ? `${message}; ${hint}` : message);
    return;
  }
  ctx.app.emit("error", thrown, ctx);
  sendError(ctx, 500, "internal error of the service; see its log");
};

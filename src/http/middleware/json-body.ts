import getRawBody from "raw-body";
import type { Context, Middleware } from "../context.ts";
import { type ErrorCode, sendError } from "../error-response.ts";
import { getCarriedOver } from "../fast-path/carried-over.ts";

/**
 * Reads a JSON body into `state.body`, as bytes. Another type, or an encoding such as gzip, is answered 415,
 * and a body over the limit 413.
 */
export const jsonBody =
  (maxBytes: number): Middleware =>
  async (ctx, next) => {
    const problem = getHeaderProblem(ctx);
    if (problem) return sendError(ctx, "unsupported_media_type", problem);
    const result = await readBody(ctx, maxBytes);
    if ("code" in result) return sendError(ctx, result.code, result.message);
    ctx.state.body = result.body;
    await next();
  };

const getHeaderProblem = (ctx: Context): string | undefined => {
  const [type = "", ...parameters] = ctx.get("Content-Type").toLowerCase().split(";");
  if (type.trim() !== "application/json") return "Send Content-Type: application/json.";
  const charset = parameters.find((parameter) => parameter.trim().startsWith("charset="));
  if (charset && !/^\s*charset="?utf-?8"?\s*$/.test(charset)) return "The charset must be utf-8.";
  const encoding = ctx.get("Content-Encoding").trim().toLowerCase();
  if (encoding !== "" && encoding !== "identity") return "Compressed bodies are not supported.";
  return undefined;
};

type BodyResult =
  | { readonly body: Buffer }
  | { readonly code: ErrorCode; readonly message: string };

const readBody = async (ctx: Context, maxBytes: number): Promise<BodyResult> => {
  try {
    const carriedBody = getCarriedOver(ctx.req)?.body;
    return {
      body:
        carriedBody ??
        (await getRawBody(ctx.req, { limit: maxBytes, length: ctx.request.length ?? null })),
    };
  } catch (error) {
    if (getErrorType(error) === "entity.too.large") {
      // Reads and drops the rest, so that the client can read the response.
      ctx.req.resume();
      return { code: "payload_too_large", message: `The body may have at most ${maxBytes} bytes.` };
    }
    if (getErrorType(error) === "request.size.invalid") {
      return {
        code: "bad_request",
        message: "The length of the body differs from Content-Length.",
      };
    }
    throw error;
  }
};

const getErrorType = (error: unknown): unknown =>
  error instanceof Error && "type" in error ? error.type : undefined;

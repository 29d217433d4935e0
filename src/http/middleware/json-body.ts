import getRawBody from "raw-body";
import type { Context, Step } from "../context.ts";
import { type ErrorCode, refuse } from "../error-response.ts";
import { arrivalOf } from "../fast-path/carried-over.ts";

/**
 * Reads a JSON body into `state.body`, as bytes.
 * Any other type or an encoding such as gzip is 415, a body over the limit 413.
 * @param limit bytes
 */
export const jsonBody =
  (limit: number): Step =>
  async (ctx, next) => {
    const problem = headerProblem(ctx);
    if (problem) return refuse(ctx, "unsupported_media_type", problem);
    const read = await readBody(ctx, limit);
    if ("code" in read) return refuse(ctx, read.code, read.message);
    ctx.state.body = read.body;
    await next();
  };

const headerProblem = (ctx: Context): string | undefined => {
  const [type = "", ...parameters] = ctx.get("Content-Type").toLowerCase().split(";");
  if (type.trim() !== "application/json") return "Send Content-Type: application/json.";
  const charset = parameters.find((parameter) => parameter.trim().startsWith("charset="));
  if (charset && !/^\s*charset="?utf-?8"?\s*$/.test(charset)) return "Only charset utf-8 is read.";
  const encoding = ctx.get("Content-Encoding").trim().toLowerCase();
  if (encoding !== "" && encoding !== "identity") return "Compressed bodies are not read.";
  return undefined;
};

type Read = { readonly body: Buffer } | { readonly code: ErrorCode; readonly message: string };

const readBody = async (ctx: Context, limit: number): Promise<Read> => {
  try {
    const early = arrivalOf(ctx.req)?.body;
    return {
      body: early ?? (await getRawBody(ctx.req, { limit, length: ctx.request.length ?? null })),
    };
  } catch (thrown) {
    if (typeOf(thrown) === "entity.too.large") {
      // What still comes is read and dropped, so that the client gets to read the answer.
      ctx.req.resume();
      return { code: "payload_too_large", message: `A body may hold ${limit} bytes at most.` };
    }
    if (typeOf(thrown) === "request.size.invalid") {
      return { code: "bad_request", message: "The body is not as long as Content-Length says." };
    }
    throw thrown;
  }
};

const typeOf = (thrown: unknown): unknown =>
  thrown instanceof Error && "type" in thrown ? thrown.type : undefined;

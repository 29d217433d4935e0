import type { IncomingMessage } from "node:http";
import { errorReply } from "../error-reply.ts";
import { after, type Exchange, getHeader, type HasBody, hasBody, type Layer } from "../exchange.ts";

/**
 * Reads a JSON body, as bytes. Another type, or an encoding such as gzip, is answered 415, and a body over the limit
 * 413. The handler runs in the tick that reads the end of the body.
 *
 * No library reads it, because those wait for the end of the stream, and their listeners cost more than the body.
 */
export const jsonBody =
  (maxBytes: number): Layer<HasBody> =>
  (next) =>
  (exchange) => {
    const { request } = exchange;
    const problem = getHeaderProblem(exchange);
    if (problem !== undefined) return errorReply(exchange, "unsupported_media_type", problem);
    const length = request.headers["content-length"];
    const isTooLarge = Number(length ?? 0) > maxBytes;
    return after(isTooLarge ? undefined : readBody(request, length, maxBytes), (body) => {
      exchange.body = body;
      if (hasBody(exchange)) return next(exchange);
      // Reads and drops the rest, so that the client can read the reply.
      request.resume();
      const message = `The body may have at most ${maxBytes} bytes.`;
      return errorReply(exchange, "payload_too_large", message);
    });
  };

/** @returns undefined for a body of more than `maxBytes`, of which the rest is not read */
export const readBody = (
  request: IncomingMessage,
  length: string | undefined,
  maxBytes: number,
): Buffer | undefined | Promise<Buffer | undefined> => {
  if (request.readableLength !== Number(length)) return collectBody(request, maxBytes);
  const body: Buffer = request.read() ?? Buffer.alloc(0);
  request.resume();
  return body;
};

/** Reads a body that is still arriving. It rejects when the client disconnects before its end. */
const collectBody = (request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> =>
  new Promise((resolve, reject) => {
    const fail = (): void => reject(new Error("the body is incomplete"));
    if (request.destroyed) return fail();
    const chunks: Buffer[] = [];
    let length = 0;
    const collect = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= maxBytes) return void chunks.push(chunk);
      request.off("data", collect);
      chunks.length = 0;
      resolve(undefined);
    };
    request.on("data", collect);
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("close", () => {
      if (!request.readableEnded) fail();
    });
  });

/** Tests for the usual headers first. */
const getHeaderProblem = (exchange: Exchange): string | undefined => {
  const contentType = getHeader(exchange, "content-type").toLowerCase();
  const encoding = getHeader(exchange, "content-encoding").trim().toLowerCase();
  if (contentType === "application/json" && encoding === "") return undefined;
  const [type = "", ...parameters] = contentType.split(";");
  if (type.trim() !== "application/json") return "Send Content-Type: application/json.";
  const charset = parameters.find((parameter) => parameter.trim().startsWith("charset="));
  if (charset && !/^\s*charset="?utf-?8"?\s*$/.test(charset)) return "The charset must be utf-8.";
  if (encoding !== "" && encoding !== "identity") return "Compressed bodies are not supported.";
  return undefined;
};

import getRawBody from "raw-body";
import type { Reader } from "../../read-model/reader/reader.ts";
import { errorReply } from "../error-reply.ts";
import {
  check,
  type Exchange,
  getHeader,
  type HasBody,
  type HasModel,
  type Layer,
} from "../exchange.ts";
import type { Reply } from "../reply.ts";
import type { DataAge } from "../send.ts";

/** Selects the live generation. Without one it answers 503, and never an empty catalogue. */
export const requireModel: Layer<HasModel> = (next) => (exchange) => {
  const model = exchange.reader();
  return model ? next(selectModel(exchange, model)) : unavailable(exchange);
};

export const selectModel = <E extends Exchange>(exchange: E, model: Reader): E & HasModel => {
  exchange.hasModel = true;
  return Object.assign(exchange, { model });
};

/** A first replay takes a few seconds. */
const retryAfter = 5;

export const unavailable = (exchange: Exchange): Reply =>
  errorReply(exchange, "unavailable", "The catalogue is being loaded.", { retryAfter });

/** Seconds: a replica that is behind needs at least as long to catch up. */
const youngerRetryAfter = 1;

/**
 * Answers 503 when the data may be older than the seconds in `X-Max-Data-Age`. A proxy in front of several replicas sends the header,
 * and asks another replica then. A request without it is answered at any age.
 */
export const limitDataAge = (dataAge: DataAge): Layer =>
  check((exchange: Exchange) => {
    const header = getHeader(exchange, "x-max-data-age");
    if (header === "") return undefined;
    if (!/^\d{1,10}$/.test(header))
      return errorReply(exchange, "bad_request", "X-Max-Data-Age must be a number of seconds.");
    const age = dataAge();
    if (age !== undefined && age <= Number(header)) return undefined;
    const message =
      age === undefined
        ? "The age of the data is not known yet."
        : `The data may be ${Math.ceil(age)} seconds old.`;
    return errorReply(exchange, "unavailable", message, { retryAfter: youngerRetryAfter });
  });

/**
 * Reads a JSON body, as bytes. Another type, or an encoding such as gzip, is answered 415, and a body over the limit
 * 413. The handler runs in the tick that reads the end of the body.
 */
export const jsonBody =
  (maxBytes: number): Layer<HasBody> =>
  (next) =>
  (exchange) => {
    const problem = getHeaderProblem(exchange);
    if (problem !== undefined) return errorReply(exchange, "unsupported_media_type", problem);
    const length = exchange.request.headers["content-length"] ?? null;
    return new Promise((resolve, reject) => {
      getRawBody(exchange.request, { limit: maxBytes, length }, (error, body) => {
        try {
          const failed = error && toReply(exchange, error, maxBytes);
          resolve(failed || next(Object.assign(exchange, { body })));
        } catch (thrown) {
          reject(thrown);
        }
      });
    });
  };

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

/** @throws `error` when it is not a fault of the client */
const toReply = (exchange: Exchange, error: getRawBody.RawBodyError, maxBytes: number): Reply => {
  if (error.type === "entity.too.large") {
    // Reads and drops the rest, so that the client can read the reply.
    exchange.request.resume();
    const message = `The body may have at most ${maxBytes} bytes.`;
    return errorReply(exchange, "payload_too_large", message);
  }
  if (error.type === "request.size.invalid") {
    const message = "The length of the body differs from Content-Length.";
    return errorReply(exchange, "bad_request", message);
  }
  throw error;
};

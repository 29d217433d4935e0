import { errorReply } from "../error-reply.ts";
import type { Handler } from "../pipeline.ts";

/** Answers OPTIONS for the server itself (RFC 9110 §9.3.7), and rejects malformed URLs. */
export const answerServer: Handler = (exchange) => {
  const { method, target } = exchange;
  if (target !== "*")
    return errorReply(exchange, "bad_request", "The URL of the request is malformed.");
  if (method !== "OPTIONS")
    return errorReply(exchange, "bad_request", "Only OPTIONS may request *.");
  return { status: 204, body: null, headers: ["Allow", "GET, HEAD, POST, OPTIONS"] };
};

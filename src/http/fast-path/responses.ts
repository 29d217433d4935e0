import type { Reader } from "../../read-model/reader/reader.ts";
import type { ExecutionOutcome } from "../../surfaces/graphql/handler.ts";
import type { ResponseBody } from "../cache/response-cache.ts";
import type { ResponseHead } from "../cache/response-head.ts";
import { minCompressibleBytes } from "../middleware/compression.ts";
import { dataAgeHeaders } from "../middleware/data-age.ts";
import { rateLimitHeaders } from "../middleware/rate-limit.ts";
import type { RateLimitResult } from "../rate-limit/fixed-window.ts";
import type { RobotsDecision } from "../robots/match.ts";
import { mcpHeaders } from "../routes/mcp.ts";
import type { Exchange, FastPathDeps } from "./exchange.ts";

/** Responses of the fast path. Each function returns whether it has answered. */

/** Checks that precede an answer on the fast path. */
export interface Admission {
  /** Live generation; absent when only the app can report the problem. */
  readonly reader?: Reader;
  readonly robotsDecision?: RobotsDecision;
}

export const checkAdmission = (
  { reader: current, robots }: FastPathDeps,
  { request: { headers, url = "" }, begun }: Exchange,
  rateLimitResult: RateLimitResult,
): Admission => {
  try {
    const reader = rateLimitResult.admitted ? current(begun) : undefined;
    if (!reader) return {};
    const robotsDecision = robots(reader)(headers["user-agent"] ?? "", url);
    return robotsDecision === "allowed" ? { reader, robotsDecision } : { robotsDecision };
  } catch {
    return {};
  }
};

/** Serves a cached response. */
export const serveCached = (
  deps: FastPathDeps,
  exchange: Exchange,
  rateLimitResult: RateLimitResult,
  reader: Reader,
  key: string | undefined,
): boolean => {
  const reply = key === undefined ? undefined : deps.cache.current(key, reader);
  if (reply) send(deps, exchange, rateLimitResult, reply, reply.body);
  return reply !== undefined;
};

/** Serves the result of an executed document, with the head of an equivalent response. */
export const servePlanned = (
  deps: FastPathDeps,
  exchange: Exchange,
  rateLimitResult: RateLimitResult,
  { reader, serialized: result }: ExecutionOutcome,
  key: string | undefined,
): boolean => {
  if (!result) return false;
  const { headers } = exchange.request;
  const { text, readSet } = result;
  // Compression is left to the app.
  if (text.length >= minCompressibleBytes && headers["accept-encoding"] !== undefined) return false;
  const head = deps.cache.getHead(headers.accept ?? "", text.length);
  if (!head) return false;
  send(deps, exchange, rateLimitResult, head, text);
  if (key !== undefined && readSet) {
    deps.cache.offer(key, { ...head, body: text, reader, readSet });
  }
  return true;
};

/** Serves the result of a tool call to a caller that was authorized before. */
export const serveToolCall = (
  deps: FastPathDeps,
  exchange: Exchange,
  rateLimitResult: RateLimitResult,
  reader: Reader,
  body: Buffer,
  callerKey: string,
): boolean => {
  const head = deps.callers.current(callerKey, reader);
  if (!head) return false;
  const reply = deps.surfaces.mcp.answerCall(reader, body, mcpHeaders(exchange.request));
  if (reply === undefined) return false;
  send(deps, exchange, rateLimitResult, head, Buffer.from(reply));
  return true;
};

const send = (
  { rateLimit, age, observe }: FastPathDeps,
  { ctx, request, begun }: Exchange,
  rateLimitResult: RateLimitResult,
  { status, headers, route }: ResponseHead,
  body: ResponseBody,
): void => {
  const length = status === 304 ? [] : ["Content-Length", String(body.length)];
  ctx.respond = false;
  ctx.res.writeHead(status, [
    ...headers,
    ...length,
    ...rateLimitHeaders(rateLimit.limit, rateLimitResult),
    ...dataAgeHeaders(age),
  ]);
  ctx.res.end(body, "latin1");
  const seconds = (performance.now() - begun) / 1000;
  observe({ route, method: request.method ?? "", status, seconds });
};

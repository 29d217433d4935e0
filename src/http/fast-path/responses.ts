import type { Reader } from "../../read-model/reader/reader.ts";
import type { Ran } from "../../surfaces/graphql/handler.ts";
import type { Body, Frame } from "../cache/response-cache.ts";
import { tiny } from "../middleware/compression.ts";
import { dataAgeHeaders } from "../middleware/data-age.ts";
import { rateLimitHeaders } from "../middleware/rate-limit.ts";
import type { Counted } from "../rate-limit/fixed-window.ts";
import type { Verdict } from "../robots/match.ts";
import { mcpHeaders } from "../routes/mcp.ts";
import type { Exchange, FastWorld } from "./exchange.ts";

/** How the fast path answers. Each of them says whether it did. */

/** What decides whether a client may be answered here. */
export interface Admission {
  /** The generation that may answer now; absent where only the app can tell what is wrong. */
  readonly reader?: Reader;
  readonly verdict?: Verdict;
}

export const admit = (
  { reader: current, robots }: FastWorld,
  { request: { headers, url = "" }, begun }: Exchange,
  counted: Counted,
): Admission => {
  try {
    const reader = counted.admitted ? current(begun) : undefined;
    if (!reader) return {};
    const verdict = robots(reader)(headers["user-agent"] ?? "", url);
    return verdict === "allowed" ? { reader, verdict } : { verdict };
  } catch {
    return {};
  }
};

/** With an answer that was given before. */
export const answerKept = (
  world: FastWorld,
  exchange: Exchange,
  counted: Counted,
  reader: Reader,
  key: string | undefined,
): boolean => {
  const answer = key === undefined ? undefined : world.kept.current(key, reader);
  if (answer) send(world, exchange, counted, answer, answer.body);
  return answer !== undefined;
};

/** With what a document gave that ran, in the frame of an answer like it. */
export const answerRun = (
  world: FastWorld,
  exchange: Exchange,
  counted: Counted,
  { reader, known }: Ran,
  key: string | undefined,
): boolean => {
  if (!known) return false;
  const { headers } = exchange.request;
  const { text, footprint } = known;
  // Packing is the app's.
  if (text.length >= tiny && headers["accept-encoding"] !== undefined) return false;
  const frame = world.kept.frame(headers.accept ?? "", text.length);
  if (!frame) return false;
  send(world, exchange, counted, frame, text);
  if (key !== undefined && footprint) {
    world.kept.keep(key, { ...frame, body: text, reader, footprint });
  }
  return true;
};

/** With a tool's result, to somebody whose call was answered before. */
export const answerCall = (
  world: FastWorld,
  exchange: Exchange,
  counted: Counted,
  reader: Reader,
  body: Buffer,
  sender: string,
): boolean => {
  const frame = world.callers.current(sender, reader);
  if (!frame) return false;
  const answer = world.surfaces.mcp.answerCall(reader, body, mcpHeaders(exchange.request));
  if (answer === undefined) return false;
  send(world, exchange, counted, frame, Buffer.from(answer));
  return true;
};

const send = (
  { rateLimit, age, observe }: FastWorld,
  { ctx, request, begun }: Exchange,
  counted: Counted,
  { status, headers, route }: Frame,
  body: Body,
): void => {
  const length = status === 304 ? [] : ["Content-Length", String(body.length)];
  ctx.respond = false;
  ctx.res.writeHead(status, [
    ...headers,
    ...length,
    ...rateLimitHeaders(rateLimit.limit, counted),
    ...dataAgeHeaders(age),
  ]);
  ctx.res.end(body, "latin1");
  const seconds = (performance.now() - begun) / 1000;
  observe({ route, method: request.method ?? "", status, seconds });
};

import type Koa from "koa";
import type { CurrentReader } from "../read-model/reader/reader.ts";
import { perTick } from "./cache/snapshot-per-tick.ts";
import { clientAddress } from "./connection/client-address.ts";
import { createExchange } from "./exchange.ts";
import { normalizeTarget } from "./normalize-url.ts";
import { after } from "./pipeline.ts";
import type { ComposedRoute } from "./route.ts";
import { type SendDeps, send } from "./send.ts";

/** Finds the route of a normalized target, which is undefined when the URL is malformed. */
export type FindRoute = (target: string | undefined) => ComposedRoute;

interface AnswerDeps extends SendDeps {
  readonly reader: CurrentReader;
  /** Number of proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: number;
}

/**
 * Builds the only middleware of the Koa app. The layers and the handler of the request's route compute a reply
 * (`pipeline.ts`), which is written in one call, in the tick that read the request unless something had to wait. A Koa
 * middleware for each layer would cost a promise each.
 */
export const answerRequests = (
  find: FindRoute,
  { reader, trustedProxies, ...deps }: AnswerDeps,
): Koa.Middleware => {
  const readers = { perTick: perTick(reader), current: reader };
  return (ctx) => {
    const { req: request, res: response } = ctx;
    const url = request.url ?? "";
    const target = normalizeTarget(url);
    const { name, headers, handler } = find(target);
    const exchange = createExchange(readers, {
      request,
      response,
      target: target ?? url,
      client: clientAddress(request, trustedProxies),
      route: name,
      headers: [...headers],
    });
    // The reply is written here, not by Koa.
    ctx.respond = false;
    return after(handler(exchange), (reply) => send(exchange, reply, deps));
  };
};

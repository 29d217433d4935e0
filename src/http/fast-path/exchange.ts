import type { IncomingMessage } from "node:http";
import type { CurrentReader, Reader } from "../../read-model/reader/reader.ts";
import type { GraphqlSurface } from "../../surfaces/graphql/handler.ts";
import type { McpSurface } from "../../surfaces/mcp/handler.ts";
import type { AuthorizedCallers } from "../cache/authorized-callers.ts";
import type { KeptAnswers } from "../cache/response-cache.ts";
import { clientOf } from "../connection/client-address.ts";
import type { Context } from "../context.ts";
import type { DataAge } from "../middleware/data-age.ts";
import type { RateLimit } from "../middleware/rate-limit.ts";
import type { Observe } from "../middleware/request-metrics.ts";
import type { Counted } from "../rate-limit/fixed-window.ts";
import type { FollowRobots } from "../robots/middleware.ts";
import type { WorkQueue } from "../scheduling/admission-control.ts";
import { type Arrival, tellArrival } from "./carried-over.ts";

/** What every request on the fast path has to pass, whether it is answered there or left to the app. */

export interface FastWorld {
  /** The generation that answers at a time on the clock of `performance`. */
  readonly reader: (now: number) => Reader | undefined;
  /** The same for whoever does not read requests, see `turn.ts`. */
  readonly current: CurrentReader;
  readonly surfaces: Surfaces;
  readonly kept: KeptAnswers;
  readonly callers: AuthorizedCallers;
  readonly rateLimit: RateLimit;
  readonly age: DataAge;
  /** What robots.txt says now. */
  readonly robots: FollowRobots;
  readonly observe: Observe;
  readonly queue: WorkQueue;
}

export interface Surfaces {
  readonly graphql: GraphqlSurface;
  readonly mcp: McpSurface;
}

/** One request on its way. */
export interface Exchange {
  readonly ctx: Context;
  readonly request: IncomingMessage;
  /** The steps after this one. */
  readonly next: () => Promise<unknown>;
  /** On the clock of `performance`. */
  readonly begun: number;
}

/** Undefined where all is said already: what is answered here waits for nothing. */
export type Done = Promise<unknown> | undefined;

/** Hands over to the steps after the fast path, with what was found out so far. */
export const leave = (
  { request, next, begun }: Exchange,
  findings: Omit<Arrival, "begun">,
): Done => {
  tellArrival(request, { ...findings, begun });
  return next();
};

/** `then` runs in the very turn that reads the last of the body. */
export const whenRead = (
  deps: FastWorld,
  exchange: Exchange,
  handle: (body: Buffer) => Done,
): Done =>
  new Promise((resolve, reject) => {
    const { request } = exchange;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => void chunks.push(chunk));
    request.on("end", () => {
      try {
        resolve(handle(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
      } catch (thrown) {
        reject(thrown);
      }
    });
    request.on("error", () => resolve(onDisconnect(deps, exchange)));
  });

/** Counts the request, in this process or by asking the one that counts. */
export const whenCounted = (
  deps: FastWorld,
  exchange: Exchange,
  handle: (result: Counted) => Done,
): Done => {
  const { count, trustedProxies } = deps.rateLimit;
  const { request } = exchange;
  const pending = count(clientOf(request, trustedProxies));
  if (!(pending instanceof Promise)) return handle(pending);
  return pending.then((result) =>
    request.socket.destroyed ? onDisconnect(deps, exchange) : handle(result),
  );
};

/**
 * Where others wait, or this turn has worked for long: in a turn of its own, of the generation that answers by then.
 * What waited for too long is the app's, which says so.
 * @param then told what the app has to know of the wait
 */
export const whenFree = (
  deps: FastWorld,
  exchange: Exchange,
  handle: (deps: FastWorld, wait: Pick<Arrival, "waited">) => Done,
): Done => {
  const { queue, current, rateLimit } = deps;
  const { request } = exchange;
  if (!queue.isBusy()) return handle(deps, {});
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    queue.add(clientOf(request, rateLimit.trustedProxies), () => {
      try {
        const waited = performance.now() - begun;
        const later: FastWorld = {
          ...deps,
          reader: waited > queue.patience ? () => undefined : current,
        };
        const done = request.socket.destroyed
          ? onDisconnect(deps, exchange)
          : handle(later, { waited });
        resolve(done);
        return done === undefined;
      } catch (thrown) {
        reject(thrown);
        return true;
      }
    });
  });
};

/** Nobody is left to answer. */
const onDisconnect = ({ observe }: FastWorld, { ctx, request, begun }: Exchange): undefined => {
  ctx.respond = false;
  const { method = "", url } = request;
  const route = method === "GET" ? "unknown" : url === "/graphql" ? "graphql" : "mcp";
  observe({ route, method, status: 499, seconds: (performance.now() - begun) / 1000 });
};

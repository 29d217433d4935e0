import type { IncomingMessage } from "node:http";
import type { CurrentReader, Reader } from "../../read-model/reader/reader.ts";
import type { AuthorizedCallers } from "../cache/authorized-callers.ts";
import type { ResponseCache } from "../cache/response-cache.ts";
import { clientAddress } from "../connection/client-address.ts";
import type { Context } from "../context.ts";
import type { DataAge } from "../middleware/data-age.ts";
import type { RateLimit } from "../middleware/rate-limit.ts";
import type { Observe } from "../middleware/request-metrics.ts";
import type { RateLimitResult } from "../rate-limit/fixed-window.ts";
import type { RobotsSource } from "../robots/middleware.ts";
import type { WorkQueue } from "../scheduling/work-queue.ts";
import type { Surfaces } from "../surfaces.ts";
import { type CarriedOver, carryOver } from "./carried-over.ts";

/** Checks for every request on the fast path, whether it is answered there or passed to the app. */

export interface FastPathDeps {
  /** Live generation at a time on the clock of `performance`; only for request handlers. */
  readonly reader: (now: number) => Reader | undefined;
  /** Live generation, for callers outside a request handler; see `snapshot-per-tick.ts`. */
  readonly current: CurrentReader;
  readonly surfaces: Surfaces;
  readonly cache: ResponseCache;
  readonly callers: AuthorizedCallers;
  readonly rateLimit: RateLimit;
  readonly age: DataAge;
  /** Current policy of robots.txt. */
  readonly robots: RobotsSource;
  readonly observe: Observe;
  readonly queue: WorkQueue;
}

/** Request with its response. */
export interface Exchange {
  readonly ctx: Context;
  readonly request: IncomingMessage;
  /** Passes the request to the app. */
  readonly next: () => Promise<unknown>;
  /** Arrival time, on the clock of `performance`. */
  readonly begun: number;
}

/** Undefined when the response is already written. */
export type Completion = Promise<unknown> | undefined;

/** Passes a request to the app, with the results so far. */
export const passToApp = (
  { request, next, begun }: Exchange,
  findings: Omit<CarriedOver, "begun">,
): Completion => {
  carryOver(request, { ...findings, begun });
  return next();
};

/** Reads the body. `handle` runs in the tick that reads its end. */
export const readBody = (
  deps: FastPathDeps,
  exchange: Exchange,
  handle: (body: Buffer) => Completion,
): Completion =>
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

/** Counts the request in this process, or in the process that counts for all workers. */
export const countRequest = (
  deps: FastPathDeps,
  exchange: Exchange,
  handle: (result: RateLimitResult) => Completion,
): Completion => {
  const { count, trustedProxies } = deps.rateLimit;
  const { request } = exchange;
  const pending = count(clientAddress(request, trustedProxies));
  if (!(pending instanceof Promise)) return handle(pending);
  return pending.then((result) =>
    request.socket.destroyed ? onDisconnect(deps, exchange) : handle(result),
  );
};

/**
 * Queues the request if the event loop is overloaded. When its slot comes, it uses the generation that is live
 * then. After the queue's maximum wait it passes to the app, which answers 429.
 * @param handle receives the wait, for the app
 */
export const acquireSlot = (
  deps: FastPathDeps,
  exchange: Exchange,
  handle: (deps: FastPathDeps, wait: Pick<CarriedOver, "waited">) => Completion,
): Completion => {
  const { queue, current, rateLimit } = deps;
  const { request } = exchange;
  if (!queue.isOverloaded()) return handle(deps, {});
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    queue.enqueue(clientAddress(request, rateLimit.trustedProxies), () => {
      try {
        const waited = performance.now() - begun;
        const later: FastPathDeps = {
          ...deps,
          reader: waited > queue.maxWaitMs ? () => undefined : current,
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

/** Records a request whose client has disconnected. */
const onDisconnect = ({ observe }: FastPathDeps, { ctx, request, begun }: Exchange): undefined => {
  ctx.respond = false;
  const { method = "", url } = request;
  const route = method === "GET" ? "unknown" : url === "/graphql" ? "graphql" : "mcp";
  observe({ route, method, status: 499, seconds: (performance.now() - begun) / 1000 });
};

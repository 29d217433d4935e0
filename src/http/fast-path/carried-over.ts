import type { IncomingMessage } from "node:http";
import type { ExecutionOutcome } from "../../surfaces/graphql/handler.ts";
import type { RateLimitResult } from "../rate-limit/fixed-window.ts";
import type { RobotsDecision } from "../robots/match.ts";

/** Results of the fast path for a request that it passed to the app. */
export interface CarriedOver {
  /** Arrival time, on the clock of `performance`. */
  readonly begun: number;
  /** Result of the rate limit, which has counted the request. */
  readonly rateLimitResult: RateLimitResult;
  /** Decision of robots.txt; absent when it was not evaluated. */
  readonly robotsDecision?: RobotsDecision | undefined;
  /** Complete body. */
  readonly body?: Buffer;
  /** Milliseconds that the request was queued; absent when it may still have to be. */
  readonly waited?: number;
  /** Key under which the response may be cached. */
  readonly key?: string;
  /** Key under which the caller is remembered if its token is valid. */
  readonly callerKey?: string;
  /** Outcome of the executed GraphQL document, so that it is not executed again. */
  readonly ran?: ExecutionOutcome;
}

const arrivals = new WeakMap<IncomingMessage, CarriedOver>();

export const carryOver = (request: IncomingMessage, arrival: CarriedOver): void =>
  void arrivals.set(request, arrival);

export const getCarriedOver = (request: IncomingMessage): CarriedOver | undefined =>
  arrivals.get(request);

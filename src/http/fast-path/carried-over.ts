import type { IncomingMessage } from "node:http";
import type { Ran } from "../../surfaces/graphql/handler.ts";
import type { Counted } from "../rate-limit/fixed-window.ts";
import type { Verdict } from "../robots/match.ts";

/** Results of the fast path for a request that it passed to the app. */
export interface Arrival {
  /** Arrival time, on the clock of `performance`. */
  readonly begun: number;
  /** Result of the rate limit, which has counted the request. */
  readonly counted: Counted;
  /** Decision of robots.txt; absent when it was not evaluated. */
  readonly verdict?: Verdict | undefined;
  /** Complete body. */
  readonly body?: Buffer;
  /** Milliseconds that the request was queued; absent when it may still have to be. */
  readonly waited?: number;
  /** Key under which the response may be cached. */
  readonly key?: string;
  /** Key under which the caller is remembered if its token is valid. */
  readonly sender?: string;
  /** Outcome of the executed GraphQL document, so that it is not executed again. */
  readonly ran?: Ran;
}

const arrivals = new WeakMap<IncomingMessage, Arrival>();

export const tellArrival = (request: IncomingMessage, arrival: Arrival): void =>
  void arrivals.set(request, arrival);

export const arrivalOf = (request: IncomingMessage): Arrival | undefined => arrivals.get(request);

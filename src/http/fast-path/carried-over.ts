import type { IncomingMessage } from "node:http";
import type { Ran } from "../../surfaces/graphql/handler.ts";
import type { Counted } from "../rate-limit/fixed-window.ts";
import type { Verdict } from "../robots/match.ts";

/** What the fast path found out about a request before it left it to the steps after it. */
export interface Arrival {
  /** When it came, on the clock of `performance`. */
  readonly begun: number;
  /** The request was counted already. */
  readonly counted: Counted;
  /** What robots.txt said of it; absent where it was not asked. */
  readonly verdict?: Verdict | undefined;
  /** Its body, read to its end. */
  readonly body?: Buffer;
  /** Milliseconds that it has waited for its turn, which is now; absent where it may have to. */
  readonly waited?: number;
  /** Under which its answer may be kept. */
  readonly key?: string;
  /** The digest by which its caller is remembered when its token is good. */
  readonly sender?: string;
  /** What its document gave, which is not to run twice for one answer. */
  readonly ran?: Ran;
}

const arrivals = new WeakMap<IncomingMessage, Arrival>();

export const tellArrival = (request: IncomingMessage, arrival: Arrival): void =>
  void arrivals.set(request, arrival);

export const arrivalOf = (request: IncomingMessage): Arrival | undefined => arrivals.get(request);

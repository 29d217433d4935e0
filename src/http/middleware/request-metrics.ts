import type { Middleware } from "../context.ts";
import { getCarriedOver } from "../fast-path/carried-over.ts";

export interface Observation {
  /** Name of the route; `unknown` when none matched. */
  readonly route: string;
  readonly method: string;
  /** 499 when the client disconnected before the end of the response. */
  readonly status: number;
  /** Time from the request's headers until the last byte was handed to the socket. */
  readonly seconds: number;
}

export type Observe = (observation: Observation) => void;

/** Reports one observation per request, when its response has ended or its client has disconnected. */
export const requestMetrics =
  (report: Observe): Middleware =>
  async (ctx, next) => {
    const begun = getCarriedOver(ctx.req)?.begun ?? performance.now();
    ctx.res.once("close", () => {
      report({
        route: ctx.state.route ?? "unknown",
        method: ctx.method,
        status: ctx.res.writableFinished ? ctx.status : 499,
        seconds: (performance.now() - begun) / 1000,
      });
    });
    await next();
  };

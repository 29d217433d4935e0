import type { Step } from "../context.ts";
import { arrivalOf } from "../fast-path/carried-over.ts";

export interface Observation {
  /** Name of the route, `unknown` for an address nothing answers at. */
  readonly route: string;
  readonly method: string;
  /** 499 when the client hung up before the end of the answer. */
  readonly status: number;
  /** From the first header to the last byte handed over. */
  readonly seconds: number;
}

export type Observe = (observation: Observation) => void;

/** Tells one observation per request that comes this far, once its answer is out or its client is gone. */
export const observe =
  (report: Observe): Step =>
  async (ctx, next) => {
    const begun = arrivalOf(ctx.req)?.begun ?? performance.now();
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

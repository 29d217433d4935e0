import type Koa from "koa";
import type { Reader } from "../read-model/reader.ts";

/** What one step leaves for the next. A step may only read what a step before it on its route sets. */
export interface State {
  /** Name of the route, for metrics; absent when no route matched. */
  route?: string;
  /** Set by `ready`. */
  reader: Reader;
  /** Set by `body`. */
  body: Buffer;
}

/** One middleware of the app or of a route. */
export type Step = Koa.Middleware<State>;
export type Context = Koa.ParameterizedContext<State>;

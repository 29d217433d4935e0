import type Koa from "koa";
import type { Footprint, Reader } from "../read-model/reader/reader.ts";
import type { Found } from "./routes/pages.ts";

/** What one step leaves for the next. A step may only read what a step before it on its route sets. */
export interface State {
  /** Name of the route, for metrics; absent when no route matched. */
  route?: string;
  /** Set by `ready`, and by `token`. */
  reader: Reader;
  /** Set by `body`. */
  body: Buffer;
  /** What the answer was read from, where it is one that may be kept. */
  footprint?: Footprint | undefined;
  /** Set where a page of the shop is at the address. */
  found?: Found;
}

/** One middleware of the app or of a route. */
export type Step = Koa.Middleware<State>;
export type Context = Koa.ParameterizedContext<State>;

import type Koa from "koa";
import type { Footprint, Reader } from "../read-model/reader/reader.ts";
import type { Found } from "./routes/pages.ts";

/** State that middleware passes on. Middleware may read only what earlier middleware of its route sets. */
export interface State {
  /** Route name for metrics; absent when no route matched. */
  route?: string;
  /** Set by `requireModel` and `bearerAuth`. */
  reader: Reader;
  /** Set by `jsonBody`. */
  body: Buffer;
  /** Read set of the response; absent when the response must not be cached. */
  footprint?: Footprint | undefined;
  /** Set when a page of the shop matches the URL. */
  found?: Found;
}

/** Middleware of the app or of a route. */
export type Step = Koa.Middleware<State>;
export type Context = Koa.ParameterizedContext<State>;

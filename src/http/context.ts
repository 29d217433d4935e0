import type Koa from "koa";
import type { Reader, ReadSetCheck } from "../read-model/reader/reader.ts";
import type { PageLocation, RenderedPage } from "../surfaces/markdown/document.ts";

/** Page that matches the URL of a request. */
export interface PageMatch {
  /** Only the location when Markdown is not requested. */
  readonly page: RenderedPage | PageLocation | "bad_cursor";
  /** Set when Accept decides; a `.md` URL ignores it. */
  readonly negotiated: boolean;
}

/** State that middleware passes on. Middleware may read only what earlier middleware of its route sets. */
export interface State {
  /** Route name for metrics; absent when no route matched. */
  route?: string;
  /** Set by `requireModel` and `bearerAuth`. */
  reader: Reader;
  /** Set by `jsonBody`. */
  body: Buffer;
  /** Read set of the response; absent when the response must not be cached. */
  readSet?: ReadSetCheck | undefined;
  /** Set when a page of the shop matches the URL. */
  pageMatch?: PageMatch;
}

/** Middleware of the app or of a route. */
export type Middleware = Koa.Middleware<State>;
export type Context = Koa.ParameterizedContext<State>;

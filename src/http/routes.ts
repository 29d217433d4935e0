import Router from "@koa/router";
import type { State, Step } from "./context.ts";
import { openToAnyPage, preflight } from "./middleware/cors.ts";
import { method } from "./middleware/method.ts";
import { type Retired, sunset } from "./middleware/sunset.ts";

/** CORS middleware for a fixed list of origins. */
export interface Pages {
  readonly open: Step;
  readonly preflight: Step;
}

/** Row of the route table. */
export interface Route {
  /** Name in metrics. */
  readonly name: string;
  readonly path: string;
  readonly methods: readonly ("GET" | "HEAD" | "POST")[];
  /** Allows any origin to read the responses. */
  readonly openToPages: boolean;
  /** Allows a list of origins to read the responses. */
  readonly pages?: Pages;
  /**
   * Page for browsers at a URL that otherwise serves programs. `methods` does not include its GET and HEAD.
   */
  readonly browserPage?: Step;
  /** Set when the version of the route is deprecated. */
  readonly retired?: Retired;
  readonly steps: readonly Step[];
}

/**
 * Builds one middleware from the route table. Each URL of the table answers every method: with its
 * middleware, a preflight or 405.
 * @param admissionMiddleware runs first for every request, in this sequence
 */
export const routes = (table: readonly Route[], admissionMiddleware: readonly Step[] = []) => {
  const router = new Router<State>({ sensitive: true });
  for (const route of table) router.all(route.path, ...routeMiddleware(route, admissionMiddleware));
  return router.routes();
};

const routeMiddleware = (
  {
    name,
    methods,
    openToPages: allowsAnyOrigin,
    pages: cors,
    browserPage,
    retired: deprecation,
    steps: middleware,
  }: Route,
  admissionMiddleware: readonly Step[],
): Step[] => [
  setRouteName(name),
  // CORS headers come first, so that a page can also read the error responses of later middleware.
  ...(allowsAnyOrigin ? [openToAnyPage()] : []),
  ...(cors ? [cors.open] : []),
  ...admissionMiddleware,
  ...(deprecation ? [sunset(deprecation)] : []),
  ...(allowsAnyOrigin ? [preflight(methods)] : []),
  ...(cors ? [cors.preflight] : []),
  ...(browserPage ? [browserPage] : []),
  method(methods),
  ...middleware,
];

const setRouteName =
  (name: string): Step =>
  (ctx, next) => {
    ctx.state.route = name;
    return next();
  };

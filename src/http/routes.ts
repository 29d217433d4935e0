import Router from "@koa/router";
import type { Middleware, State } from "./context.ts";
import { allowOrigins, type CorsPolicy, preflight } from "./middleware/cors.ts";
import { allowMethods } from "./middleware/method.ts";
import { type Deprecation, sunset } from "./middleware/sunset.ts";

/** Row of the route table. */
export interface Route {
  /** Name in metrics. */
  readonly name: string;
  readonly path: string;
  readonly methods: readonly ("GET" | "HEAD" | "POST")[];
  readonly cors: CorsPolicy;
  /**
   * Page for browsers at a URL whose other requests come from programs. `methods` does not include its GET and HEAD.
   */
  readonly browserPage?: Middleware;
  /** Set when the version of the route is deprecated. */
  readonly deprecation?: Deprecation;
  readonly middleware: readonly Middleware[];
}

/**
 * Builds one middleware from the route table. Each URL of the table answers every method: with its
 * middleware, a preflight or 405.
 * @param admissionMiddleware runs first for every request, in this sequence
 */
export const createRouter = (
  table: readonly Route[],
  admissionMiddleware: readonly Middleware[] = [],
) => {
  const router = new Router<State>({ sensitive: true });
  for (const route of table) router.all(route.path, ...routeMiddleware(route, admissionMiddleware));
  return router.routes();
};

const routeMiddleware = (
  { name, methods, cors, browserPage, deprecation, middleware }: Route,
  admissionMiddleware: readonly Middleware[],
): Middleware[] => [
  setRouteName(name),
  // CORS headers come first, so that a page can also read the error responses of later middleware.
  allowOrigins(cors),
  ...admissionMiddleware,
  ...(deprecation ? [sunset(deprecation)] : []),
  preflight(cors, methods),
  ...(browserPage ? [browserPage] : []),
  allowMethods(methods),
  ...middleware,
];

const setRouteName =
  (name: string): Middleware =>
  (ctx, next) => {
    ctx.state.route = name;
    return next();
  };

import Router from "@koa/router";
import type { State, Step } from "./context.ts";
import { openToAnyPage, preflight } from "./middleware/cors.ts";
import { method } from "./middleware/method.ts";
import { type Retired, sunset } from "./middleware/sunset.ts";

/** Lets pages of some origins read what is answered, and answers their preflight. */
export interface Pages {
  readonly open: Step;
  readonly preflight: Step;
}

/** One row of the route table. */
export interface Route {
  /** What metrics call it. */
  readonly name: string;
  readonly path: string;
  readonly methods: readonly ("GET" | "HEAD" | "POST")[];
  /** Whether a page of any origin may read it. */
  readonly openToPages: boolean;
  /** Whether pages of some origins may read it. */
  readonly pages?: Pages;
  /** What a browser is shown at an address that is otherwise for programs; the methods do not count it. */
  readonly browserPage?: Step;
  /** Set when the version it belongs to is retired. */
  readonly retired?: Retired;
  readonly steps: readonly Step[];
}

/**
 * Rows to one step. An address of the table answers every method: with its steps, a preflight or 405.
 * @param gates what every request must pass first, in their order
 */
export const routes = (table: readonly Route[], admissionMiddleware: readonly Step[] = []) => {
  const router = new Router<State>({ sensitive: true });
  for (const route of table) router.all(route.path, ...routeMiddleware(route, admissionMiddleware));
  return router.routes();
};

const routeMiddleware = (
  { name, methods, openToPages, pages, browserPage, retired, steps }: Route,
  admissionMiddleware: readonly Step[],
): Step[] => [
  setRouteName(name),
  // Before the gates: a page has to be able to read why it is turned away.
  ...(openToPages ? [openToAnyPage()] : []),
  ...(pages ? [pages.open] : []),
  ...admissionMiddleware,
  ...(retired ? [sunset(retired)] : []),
  ...(openToPages ? [preflight(methods)] : []),
  ...(pages ? [pages.preflight] : []),
  ...(browserPage ? [browserPage] : []),
  method(methods),
  ...steps,
];

const setRouteName =
  (name: string): Step =>
  (ctx, next) => {
    ctx.state.route = name;
    return next();
  };

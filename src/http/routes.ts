import Router from "@koa/router";
import type { State, Step } from "./context.ts";
import { cors } from "./cors.ts";
import { method } from "./method.ts";

/** One row of the route table. */
export interface Route {
  /** What metrics call it. */
  readonly name: string;
  readonly path: string;
  readonly methods: readonly ("GET" | "HEAD" | "POST")[];
  /** Whether a page of any origin may read it. */
  readonly openToPages: boolean;
  /** What a browser is shown at an address that is otherwise for programs; the methods do not count it. */
  readonly browserPage?: Step;
  readonly steps: readonly Step[];
}

/** Rows to one step. An address of the table answers every method: with its steps, a preflight or 405. */
export const routes = (table: readonly Route[]) => {
  const router = new Router<State>({ sensitive: true });
  for (const route of table) router.all(route.path, ...stepsOf(route));
  return router.routes();
};

const stepsOf = ({ name, methods, openToPages, browserPage, steps }: Route): Step[] => [
  named(name),
  ...(openToPages ? [cors(methods)] : []),
  ...(browserPage ? [browserPage] : []),
  method(methods),
  ...steps,
];

const named =
  (name: string): Step =>
  (ctx, next) => {
    ctx.state.route = name;
    return next();
  };

import Router from "@koa/router";
import type { ComposedRoute } from "./route.ts";

/**
 * Creates a function that finds the route of a path. Most paths of the table are literal, and found without a pattern.
 */
export const createRouter = (
  routes: readonly ComposedRoute[],
): ((path: string) => ComposedRoute | undefined) => {
  const router = new Router({ sensitive: true });
  const byPattern = new Map(routes.map((route) => [route.path, route]));
  for (const { path } of routes) router.all(path, () => undefined);
  return (path) =>
    byPattern.get(path) ?? byPattern.get(String(router.match(path, "GET").path[0]?.path));
};

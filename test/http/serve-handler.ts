import type { AddressInfo } from "node:net";
import Koa from "koa";
import type { Handler, Observe } from "../../src/http/exchange.ts";
import { watchRobots } from "../../src/http/robots/policy.ts";
import { answerRequests, type ComposedRoute } from "../../src/http/route.ts";
import { shareReplies } from "../../src/http/send.ts";
import { drain, listen } from "../../src/http/server.ts";
import type { Reader } from "../../src/read-model/reader/reader.ts";
import { endWithTest } from "../helpers/end-with-test.ts";

interface ServeOptions {
  readonly observe?: Observe;
  readonly reader?: Reader;
  readonly sharedMaxAge?: number;
}

/** Serves one handler, or a route, over HTTP as the app serves its routes. */
export const serveHandler = async (
  handler: Handler | ComposedRoute,
  { observe = () => {}, reader, sharedMaxAge = 0 }: ServeOptions = {},
) => {
  const route =
    typeof handler === "function" ? { name: "test", path: "/", headers: [], handler } : handler;
  const app = new Koa();
  const deps = {
    ...{ reader: () => reader, trustedProxies: 0, dataAge: () => undefined, observe },
    caching: shareReplies(sharedMaxAge, watchRobots(), { warn: () => {} }),
  };
  app.use(answerRequests(() => route, deps));
  const server = endWithTest(await listen(app, { host: "127.0.0.1", port: 0 }));
  const { port } = server.address() as AddressInfo;
  return {
    server,
    port,
    url: `http://127.0.0.1:${port}`,
    close: async (): Promise<void> => void (await drain(server, 1_000)),
  };
};

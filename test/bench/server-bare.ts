import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import Koa from "koa";
import { type Exchange, exchangeKey } from "./exchanges.ts";
import { reportToParent } from "./report-to-parent.ts";

/**
 * A server that repeats recorded responses, with `node:http` alone or with one Koa middleware. It reads the body of a
 * request and sends the recorded response with `Content-Type` as its only header. Argument: `node` or `koa`.
 */

const [exchanges] = (await once(process, "message")) as [readonly Exchange[]];

const selectHeaders = (headers: Exchange["headers"]): Exchange["headers"] => {
  const type = headers["content-type"];
  return type === undefined ? {} : { "content-type": type };
};

const responses = new Map(
  exchanges.map(({ request, status, headers, body }) => [
    exchangeKey(request.path, request.body),
    { status, headers: selectHeaders(headers), bytes: Buffer.from(body) },
  ]),
);

const readBody = (request: IncomingMessage): Promise<string> =>
  new Promise((resolve) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => resolve(body));
  });

const nodeListener: RequestListener = (request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (text: string) => {
    body += text;
  });
  request.on("end", () => {
    const recorded = responses.get(exchangeKey(request.url ?? "", body));
    if (!recorded) return void response.writeHead(404).end();
    const { status, headers, bytes } = recorded;
    if (status === 304) return void response.writeHead(status, headers).end();
    response.writeHead(status, { ...headers, "content-length": bytes.length });
    response.end(bytes);
  });
};

const koaListener = (): RequestListener => {
  const app = new Koa();
  app.use(async (ctx) => {
    const recorded = responses.get(exchangeKey(ctx.url, await readBody(ctx.req)));
    if (!recorded) return;
    ctx.status = recorded.status;
    ctx.set(recorded.headers);
    if (recorded.status !== 304) ctx.body = recorded.bytes;
  });
  return app.callback();
};

const server = createServer(process.argv[2] === "koa" ? koaListener() : nodeListener);
server.listen(0, "127.0.0.1");
await once(server, "listening");
reportToParent(server);

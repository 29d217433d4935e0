import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import Koa from "koa";
import { type Exchange, keyOf } from "./exchanges.ts";
import { reportToParent } from "./tell-parent.ts";

/**
 * The peers that do nothing but HTTP: `node:http` alone, or Koa with one step. They read the body of a request and
 * send the answer they were given for it, with all its headers or with its type alone.
 * Arguments: `node` or `koa`; `whole` or `body`.
 */

const [exchanges] = (await once(process, "message")) as [readonly Exchange[]];

const told = (headers: Exchange["headers"]): Exchange["headers"] => {
  if (process.argv[3] === "whole") return headers;
  const type = headers["content-type"];
  return type === undefined ? {} : { "content-type": type };
};

const answers = new Map(
  exchanges.map(({ sent: asked, status, headers, answer }) => [
    keyOf(asked.path, asked.body),
    { status, headers: told(headers), bytes: Buffer.from(answer) },
  ]),
);

const bodyOf = (request: IncomingMessage): Promise<string> =>
  new Promise((resolve) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => resolve(body));
  });

const bare: RequestListener = (request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (text: string) => {
    body += text;
  });
  request.on("end", () => {
    const answer = answers.get(keyOf(request.url ?? "", body));
    if (!answer) return void response.writeHead(404).end();
    const { status, headers, bytes } = answer;
    if (status === 304) return void response.writeHead(status, headers).end();
    response.writeHead(status, { ...headers, "content-length": bytes.length });
    response.end(bytes);
  });
};

const koa = (): RequestListener => {
  const app = new Koa();
  app.use(async (ctx) => {
    const answer = answers.get(keyOf(ctx.url, await bodyOf(ctx.req)));
    if (!answer) return;
    ctx.status = answer.status;
    ctx.set(answer.headers);
    if (answer.status !== 304) ctx.body = answer.bytes;
  });
  return app.callback();
};

const server = createServer(process.argv[2] === "koa" ? koa() : bare);
server.listen(0, "127.0.0.1");
await once(server, "listening");
reportToParent(server);

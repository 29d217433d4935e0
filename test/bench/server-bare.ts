import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import Koa from "koa";
import { type Exchange, keyOf } from "./exchanges.ts";
import { tellParent } from "./tell-parent.ts";

/**
 * The peers that do nothing but HTTP: `node:http` alone, or Koa with one step. They read the body of a request and
 * send the answer they were given for it. Argument: `node` or `koa`.
 */

const [exchanges] = (await once(process, "message")) as [readonly Exchange[]];
const answers = new Map(
  exchanges.map(({ asked, status, type, answer }) => [
    keyOf(asked.path, asked.body),
    { status, type, bytes: Buffer.from(answer) },
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
    if (!answer || answer.status === 304) return void response.writeHead(304).end();
    const { type, bytes } = answer;
    response.writeHead(200, { "Content-Type": type, "Content-Length": bytes.length });
    response.end(bytes);
  });
};

const koa = (): RequestListener => {
  const app = new Koa();
  app.use(async (ctx) => {
    const answer = answers.get(keyOf(ctx.url, await bodyOf(ctx.req)));
    ctx.status = answer?.status ?? 304;
    if (!answer || answer.status === 304) return;
    ctx.type = answer.type;
    ctx.body = answer.bytes;
  });
  return app.callback();
};

const server = createServer(process.argv[2] === "koa" ? koa() : bare);
server.listen(0, "127.0.0.1");
await once(server, "listening");
tellParent(server);

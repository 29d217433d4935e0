import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import Koa from "koa";
import { open } from "lmdb";
import { reportToParent } from "./report-to-parent.ts";

/**
 * The bare peer of `vitrine gateway`: a Koa app that reads the body of a request, checks its HMAC and puts it into LMDB.
 * The commit is durable, and requests of one turn share it. Arguments: directory, secret.
 */

const [, , path = "", secret = ""] = process.argv;

const env = open<Buffer, number>({
  ...{ path, noSubdir: false, overlappingSync: false, maxReaders: 2048, maxDbs: 64 },
  encoding: "binary",
});
const bodies = env.openDB<Buffer, number>({ name: "bodies", encoding: "binary" });

let last = 0;
let waiting: { readonly body: Buffer; readonly resolve: (arrival: number) => void }[] = [];

const flush = (): void => {
  const batch = waiting;
  waiting = [];
  const first = last + 1;
  env.transactionSync(() => {
    for (const { body } of batch) {
      last += 1;
      bodies.putSync(last, body);
    }
  });
  for (const [at, { resolve }] of batch.entries()) resolve(first + at);
};

const append = (body: Buffer): Promise<number> =>
  new Promise((resolve) => {
    waiting.push({ body, resolve });
    if (waiting.length === 1) setImmediate(flush);
  });

const readBody = (request: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => resolve(Buffer.concat(chunks)));
  });

const isSigned = (body: Buffer, signature: string): boolean => {
  const actual = Buffer.from(signature, "base64");
  const expected = createHmac("sha256", secret).update(body).digest();
  return actual.length === expected.length && timingSafeEqual(actual, expected);
};

const app = new Koa();
app.use(async (ctx) => {
  const body = await readBody(ctx.req);
  if (isSigned(body, ctx.get("x-shopify-hmac-sha256"))) ctx.body = { delivery: await append(body) };
  else ctx.status = 401;
});

const server = createServer(app.callback());
server.listen(0, "127.0.0.1");
await once(server, "listening");
reportToParent(server);

import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import Koa from "koa";
import { open } from "lmdb";
import { reportToParent } from "./report-to-parent.ts";

/**
 * The bare peer of `vitrine gateway`: a Koa app that reads the body of a request, checks its HMAC and puts it into LMDB.
 * The commit is durable, and requests of one turn share it. Arguments: directory, secret, and `rows` to put also the
 * other rows of a delivery.
 */

const [, , path = "", secret = "", mode = ""] = process.argv;

const env = open<unknown, number>({
  ...{ path, noSubdir: false, overlappingSync: false, maxReaders: 2048, maxDbs: 64 },
  encoding: "binary",
});
const bodies = env.openDB<Buffer, number>({ name: "bodies", encoding: "binary" });
const ids = env.openDB<number, string>({ name: "ids", encoding: "json" });
const deliveries = env.openDB<object, number>({ name: "deliveries", encoding: "json" });

interface Waiting {
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
  readonly resolve: (arrival: number) => void;
}

let last = 0;
let waiting: Waiting[] = [];

const flush = (): void => {
  const batch = waiting;
  waiting = [];
  const first = last + 1;
  env.transactionSync(() => {
    for (const { body, headers } of batch) {
      last += 1;
      bodies.putSync(last, body);
      if (mode === "rows") putRows(last, headers);
    }
  });
  for (const [at, { resolve }] of batch.entries()) resolve(first + at);
};

/** Puts the rows by which the gateway finds a repeated delivery and knows what came with the body. */
const putRows = (arrival: number, headers: IncomingHttpHeaders): void => {
  const platform = Object.entries(headers).filter(([name]) => name.startsWith("x-shopify-"));
  deliveries.putSync(arrival, {
    headers: Object.fromEntries(platform),
    arrivedAt: new Date().toISOString(),
  });
  ids.putSync(String(headers["x-shopify-webhook-id"]), arrival);
};

const append = (body: Buffer, headers: IncomingHttpHeaders): Promise<number> =>
  new Promise((resolve) => {
    waiting.push({ body, headers, resolve });
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
  if (!isSigned(body, ctx.get("x-shopify-hmac-sha256"))) ctx.status = 401;
  else ctx.body = { delivery: await append(body, ctx.headers) };
});

const server = createServer(app.callback());
server.listen(0, "127.0.0.1");
await once(server, "listening");
reportToParent(server);

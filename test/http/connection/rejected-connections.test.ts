import { EventEmitter, once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import Koa from "koa";
import { pino } from "pino";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  type RejectionReason,
  reportRejections,
} from "../../../src/http/connection/rejected-connections.ts";
import { drain, listen } from "../../../src/http/server.ts";

const test = suite<{ server: Server; rejected: RejectionReason[]; news: EventEmitter }>(
  "rejected connections",
);

const host = "127.0.0.1";
const size = 64 * 1024 * 1024;

test.before.each(async (context) => {
  context.rejected = [];
  context.news = new EventEmitter();
  const app = new Koa();
  app.silent = true;
  app.use((ctx) => {
    ctx.body = ctx.path === "/large" ? Buffer.alloc(size) : "answered";
  });
  context.server = await listen(app, {
    host,
    port: 0,
    onRejection(reason) {
      context.rejected.push(reason);
      context.news.emit("rejected");
    },
  });
});
test.after.each(async ({ server }) => {
  await drain(server, 100);
});

const dial = (server: Server): Socket =>
  connect((server.address() as AddressInfo).port, host).on("error", () => undefined);

/** Sends bytes and reads until the server closes the connection. */
const send = async (server: Server, raw: string): Promise<void> => {
  const socket = dial(server).resume();
  socket.write(raw);
  await once(socket, "close", { signal: AbortSignal.timeout(10_000) });
};

const get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const chunked = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";

const cases: readonly (readonly [reason: RejectionReason, what: string, raw: string])[] = [
  ["malformed_request", "bytes that are not HTTP", "hello\r\n\r\n"],
  ["malformed_request", "bytes that are not HTTP behind a valid request", `${get}hello\r\n\r\n`],
  ["malformed_request", "no Host", "GET / HTTP/1.1\r\n\r\n"],
  ["malformed_request", "two Hosts", "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n"],
  [
    "headers_too_large",
    "20 KB of headers",
    `GET / HTTP/1.1\r\nHost: x\r\nA: ${"a".repeat(20_000)}\r\n\r\n`,
  ],
  ["tunnel", "CONNECT", "CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n"],
  ["small_chunks", "a body in chunks of a byte", chunked + "1\r\na\r\n".repeat(2_000)],
  ["pipelined_requests", "101 requests at once", get.repeat(101)],
];

for (const [reason, what, raw] of cases) {
  test(`${what}: counted once as ${reason}`, async ({ server, rejected }) => {
    await send(server, raw);
    assert.equal(rejected, [reason]);
  });
}

test("headers that do not end in time: counted as request_timeout", async ({
  server,
  rejected,
}) => {
  server.headersTimeout = 100;
  await send(server, "GET / HTTP/1.1\r\nHost: x\r\nA:");
  assert.equal(rejected, ["request_timeout"]);
});

test("a request after the last one of a connection: counted as request_after_close", async ({
  server,
  rejected,
}) => {
  server.maxRequestsPerSocket = 1;
  await send(server, get.repeat(2));
  assert.equal(rejected, ["request_after_close"]);
});

test("a response that the client does not read: counted as stalled_response", async ({
  server,
  rejected,
  news,
}) => {
  server.timeout = 300;
  const counted = once(news, "rejected", { signal: AbortSignal.timeout(10_000) });
  const socket = dial(server).pause();
  socket.write(get.replace("/ ", "/large "));
  await counted;
  assert.equal(rejected, ["stalled_response"]);
  socket.destroy();
});

test("unread responses that fill the memory: counted as unread_responses", async ({
  server,
  rejected,
  news,
}) => {
  const counted = once(news, "rejected", { signal: AbortSignal.timeout(20_000) });
  const sockets = Array.from({ length: 8 }, () => dial(server).pause());
  for (const socket of sockets) socket.write(get.replace("/ ", "/large "));
  await counted;
  assert.is(rejected[0], "unread_responses");
  for (const socket of sockets) socket.destroy();
});

test("connections over the limit of a client or of the process: counted by their limit", async ({
  server,
  rejected,
  news,
}) => {
  server.maxConnections = 1;
  const first = dial(server);
  await once(server, "connection");
  const dropped = once(news, "rejected", { signal: AbortSignal.timeout(10_000) });
  const second = dial(server);
  await dropped;
  assert.equal(rejected, ["connection_limit"]);
  server.maxConnections = 2_000;
  const over = once(news, "rejected", { signal: AbortSignal.timeout(20_000) });
  const many = Array.from({ length: 1_500 }, () => dial(server));
  await over;
  assert.equal(rejected, ["connection_limit", "client_connection_limit"]);
  for (const socket of [first, second, ...many]) socket.destroy();
});

test("connections that end normally, are idle or are reset by the client are not counted", async ({
  server,
  rejected,
}) => {
  server.keepAliveTimeout = 50;
  await send(server, get);
  await send(server, get.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
  const socket = dial(server);
  const [taken] = (await once(server, "connection")) as [Socket];
  socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{");
  await once(socket, "data");
  const closed = new Promise((resolve) => void taken.once("close", resolve));
  socket.resetAndDestroy();
  await closed;
  assert.equal(rejected, []);
});

test("rejections are logged with their counts, at most one line per period", async () => {
  const lines: Record<string, unknown>[] = [];
  const news = new EventEmitter();
  const log = pino(
    {},
    {
      write(line) {
        lines.push(JSON.parse(line));
        news.emit("line");
      },
    },
  );
  const counted: RejectionReason[] = [];
  const onRejection = reportRejections({
    log,
    count: (reason) => counted.push(reason),
    everyMs: 100,
  });
  onRejection("malformed_request");
  const second = once(news, "line", { signal: AbortSignal.timeout(10_000) });
  onRejection("malformed_request");
  onRejection("client_connection_limit", "192.0.2.1");
  onRejection("client_connection_limit", "192.0.2.1");
  assert.is(lines.length, 1);
  await second;
  assert.equal(
    lines.map(({ msg, reasons, client }) => ({ msg, reasons, client })),
    [
      { msg: "connections were rejected", reasons: { malformed_request: 1 }, client: undefined },
      {
        msg: "connections were rejected",
        reasons: { malformed_request: 1, client_connection_limit: 2 },
        client: "192.0.2.1",
      },
    ],
  );
  assert.is(counted.length, 4);
});

test.run();

import { EventEmitter, errorMonitor, once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import Koa from "koa";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { drain, listen } from "../../../src/http/server.ts";

/** Paths in the sequence in which the app handles them; `/read` reads its body. */
interface Context {
  server: Server;
  port: number;
  answered: string[];
  events: EventEmitter;
}

const test = suite<Context>("pipelined requests");

test.before.each(async (context) => {
  const app = new Koa();
  // Koa would log the bodies that are cut off.
  app.silent = true;
  context.answered = [];
  context.events = new EventEmitter();
  app.use(async (ctx) => {
    context.answered.push(ctx.path);
    if (ctx.path === "/slow") await new Promise((answer) => context.events.emit("/slow", answer));
    else context.events.emit(ctx.path);
    if (ctx.path === "/read") for await (const _ of ctx.req);
    if (ctx.path === "/held") await once(ctx.req.socket, "close");
    ctx.body = "answered";
  });
  context.server = await listen(app, { host: "127.0.0.1", port: 0 });
  context.port = (context.server.address() as AddressInfo).port;
});
test.after.each(async ({ server }) => void (await drain(server, 1_000)));

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

const post = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`;

const opened = async (port: number): Promise<Socket> => {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.on("error", () => undefined);
  return socket;
};

/** Reads the responses until there are `most` of them or the connection closes. */
const answersOf = async (socket: Socket, most = Number.POSITIVE_INFINITY): Promise<string> => {
  let text = "";
  const ended = new Promise((resolve) => socket.once("close", resolve));
  socket.on("data", (bytes) => {
    text += bytes;
    if (text.split("HTTP/1.1 ").length > most) socket.destroy();
  });
  await ended;
  return text;
};

const turns = [
  ["other connections are served between pipelined requests, which keep their sequence", get],
  [
    "other connections are served between pipelined requests with a body, which keep their sequence",
    post,
  ],
] as const;

for (const [title, request] of turns)
  test(title, async ({ port, answered, events }) => {
    const [many, one] = [await opened(port), await opened(port)];
    events.once("/many/0", () => one.write(get("/one")));
    const paths = Array.from({ length: 90 }, (_, at) => `/many/${at}`);
    many.write(paths.map(request).join(""));
    const text = await answersOf(many, 90);
    one.destroy();
    assert.is(text.split("HTTP/1.1 200").length, 91);
    const at = answered.indexOf("/one");
    assert.ok(at > 0 && at < 90, `it was the one behind ${at}`);
    assert.equal(
      answered.filter((path) => path !== "/one"),
      paths,
    );
  });

test("bytes after an incomplete request are its body", async ({ port, answered }) => {
  const socket = await opened(port);
  socket.write(
    `POST /read HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nab${"c"}${get("/next")}`,
  );
  await answersOf(socket, 2);
  assert.equal(answered, ["/read", "/next"]);
});

test("pipelined requests of a closed connection are not started", async ({
  server,
  port,
  answered,
  events,
}) => {
  const connected = once(server, "connection") as Promise<[Socket]>;
  const socket = await opened(port);
  const [taken] = await connected;
  events.once("/held", () => setImmediate(() => taken.destroy()));
  socket.write(get("/held") + get("/1"));
  assert.is(await answersOf(socket), "");
  const other = await opened(port);
  other.write(get("/other"));
  await answersOf(other, 1);
  assert.equal(answered, ["/held", "/other"]);
});

test("unparsable bytes get one error response, behind a slow response, however many follow", async ({
  server,
  port,
  events,
}) => {
  const connected = once(server, "connection") as Promise<[EventEmitter]>;
  const socket = await opened(port);
  const [taken] = await connected;
  const errors: unknown[] = [];
  taken.on(errorMonitor, (error) => errors.push(error));
  const slow = once(events, "/slow") as Promise<[() => void]>;
  socket.write(`${get("/slow")}\0`);
  const [answer] = await slow;
  const text = answersOf(socket);
  for (let piece = 0; piece < 3; piece += 1) {
    socket.write("\0");
    await delay(400);
  }
  answer();
  assert.equal((await text).match(/(?<=HTTP\/1\.1 )\d+/g), ["200", "400"]);
  assert.equal(errors, []);
});

const chunked = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;
const chunks = (count: number, text: string): string =>
  `${text.length.toString(16)}\r\n${text}\r\n`.repeat(count);

test("a body of a thousand small chunks is read, and one of many large chunks", async ({
  port,
}) => {
  for (const body of [chunks(1_000, "a"), chunks(3_000, "a".repeat(300))]) {
    const socket = await opened(port);
    socket.write(`${chunked("/read")}${body}0\r\n\r\n`);
    assert.match(await answersOf(socket, 1), /^HTTP\/1\.1 200 /);
  }
});

test("a body of too many tiny chunks is rejected, and reading stops", async ({ port }) => {
  const socket = await opened(port);
  socket.write(`${chunked("/read")}${chunks(60_000, "a")}`);
  const text = await answersOf(socket);
  assert.match(text, /^HTTP\/1\.1 400 /);
  assert.match(text, /too many small chunks: send it with Content-Length/);
});

test("an unread body closes its connection, also when the response was sent long before", async ({
  server,
  port,
}) => {
  // Rules out the request timeout as the cause.
  server.requestTimeout = 0;
  const socket = await opened(port);
  socket.write(chunked("/unread"));
  const [first] = (await once(socket, "data")) as [Buffer];
  assert.match(first.toString(), /^HTTP\/1\.1 200 /);
  socket.write(chunks(60_000, "a"));
  assert.not.match(await answersOf(socket), "HTTP/1.1");
});

test.run();

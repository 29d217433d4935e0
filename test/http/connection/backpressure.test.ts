/** Clients that send many requests and read no response. */
import { EventEmitter, once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { connect, type Socket } from "node:net";
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import Koa from "koa";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createCompression, createForms } from "../../../src/http/representation/compression.ts";
import { drain, listen } from "../../../src/http/server.ts";
import { collectGarbage } from "../../helpers/heap.ts";
import { serveHandler } from "../serve-handler.ts";

const megabyte = 1024 * 1024;
const size = 8 * megabyte;
/** Twice the number of responses that a process holds. */
const unreadRequests = 64;

/** Emits an event for each response that the app produces. */
const responses = new EventEmitter();

const test = suite<{ server: Server; port: number }>("unread responses");
test.before.each(async (context) => {
  const app = new Koa();
  app.use((ctx) => {
    responses.emit("made");
    // Each response has a buffer of its own.
    ctx.body = Buffer.alloc(size, "x");
  });
  context.server = await listen(app, { host: "127.0.0.1", port: 0 });
  context.port = (context.server.address() as AddressInfo).port;
});
test.after.each(async ({ server }) => {
  await drain(server, 100);
});

/** Sends this many requests at once and reads nothing. */
const ask = (port: number, times: number, header = ""): Socket => {
  const socket = connect(port, "127.0.0.1");
  socket.pause();
  socket.on("error", () => undefined);
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${header}\r\n`.repeat(times));
  return socket;
};

const readFullResponse = async (port: number): Promise<number> =>
  (await (await fetch(`http://127.0.0.1:${port}/`)).arrayBuffer()).byteLength;

/** Less than the 30 seconds after which a stalled response is cut off anyway. */
const soon = () => ({ signal: AbortSignal.timeout(20_000) });

test("clients that read nothing on many connections: some are cut off, and a client that reads is served", async ({
  server,
  port,
}) => {
  const cut = new EventEmitter();
  let open = 0;
  let ended = 0;
  server.on("connection", (socket) => {
    open += 1;
    socket.once("close", () => {
      ended += 1;
      if (ended === unreadRequests / 4) cut.emit("enough");
    });
  });
  const enough = once(cut, "enough", soon());
  const clients = Array.from({ length: unreadRequests }, () => ask(port, 1));
  await enough;
  assert.ok(ended < open, `${ended} of ${open} were cut off`);
  assert.is(await readFullResponse(port), size);
  for (const client of clients) client.destroy();
});

for (const [how, header] of [
  ["", ""],
  [", whatever Expect says", "Expect: nothing\r\n"],
] as const) {
  test(`on one connection no response is produced before the first one is read${how}`, async ({
    port,
  }) => {
    let made = 0;
    const first = new EventEmitter();
    const count = (): void => {
      made += 1;
      first.emit("made");
    };
    responses.on("made", count);
    const begun = once(first, "made", soon());
    const client = ask(port, unreadRequests, header);
    await begun;
    // The absence of another response cannot be awaited.
    await delay(1_000);
    assert.is(made, 1);
    assert.is(await readFullResponse(port), size);
    assert.is(made, 2);
    let taken = 0;
    for await (const bytes of client) {
      taken += bytes.length;
      if (taken > 3 * size) break;
    }
    assert.ok(made > 3, `${made} were made`);
    responses.off("made", count);
    client.destroy();
  });
}

test("clients that fill the memory with the heads of pipelined requests are cut off", async () => {
  const app = new Koa();
  app.use(() => new Promise(() => undefined));
  const server = await listen(app, { host: "127.0.0.1", port: 0 });
  const { port } = server.address() as AddressInfo;
  const cut = new EventEmitter();
  server.on("connection", (socket) => socket.once("close", () => cut.emit("off")));
  const off = once(cut, "off", soon());
  const mostOfAll = 256 * megabyte;
  const [head, times] = [15_000, 90];
  const enough = Math.ceil(mostOfAll / (head * times));
  const clients = Array.from({ length: enough + 20 }, () =>
    ask(port, times, `A: ${"a".repeat(head)}\r\n`),
  );
  await off;
  // The check runs twice a second; the absence of further cuts cannot be awaited.
  await delay(1_500);
  const open = await new Promise<number>((resolve) =>
    server.getConnections((_, count) => resolve(count)),
  );
  assert.ok(open > enough / 2 && open <= enough, `${open} of ${clients.length} are open`);
  for (const client of clients) client.destroy();
  await drain(server, 100);
});

test("a shared response body counts once: no client is cut off when many read it slowly", async () => {
  const text = Buffer.alloc(size, "x");
  const shared = { forms: createForms(), isShared: true } as const;
  const reply = { status: 200, body: text, type: "text/plain", ...shared };
  let asks = 0;
  const all = new EventEmitter();
  const { port, close } = await serveHandler(
    createCompression()(() => {
      asks += 1;
      if (asks === unreadRequests) all.emit("asked");
      return reply;
    }),
  );
  const everyone = once(all, "asked", soon());
  const clients = Array.from({ length: unreadRequests }, () => ask(port, 1));
  await everyone;
  // The check runs twice a second; the absence of cuts cannot be awaited.
  await delay(1_500);
  for (const client of clients) {
    let taken = 0;
    for await (const bytes of client) {
      taken += bytes.length;
      if (taken > size) break;
    }
    assert.ok(taken > size);
    client.destroy();
  }
  await close();
});

test("bodies that a cache or a route keeps compressed count for each response: some clients that read nothing are cut off", async () => {
  const { server, port, close } = await serveHandler(
    createCompression()(() => {
      const body = Buffer.alloc(size, "x");
      return { status: 200, body, type: "text/plain", forms: createForms() };
    }),
  );
  const cut = new EventEmitter();
  server.on("connection", (socket) => socket.once("close", () => cut.emit("one")));
  const one = once(cut, "one", soon());
  const clients = Array.from({ length: unreadRequests }, () => ask(port, 1));
  await one;
  for (const client of clients) client.destroy();
  await close();
});

test("a client that pipelines more than 100 requests is cut off, and at most 100 are handled", async () => {
  let unreadRequests = 0;
  const app = new Koa();
  app.use(async (ctx) => {
    unreadRequests += 1;
    await nextTurn();
    ctx.body = "x";
  });
  const server = await listen(app, { host: "127.0.0.1", port: 0 });
  const { port } = server.address() as AddressInfo;
  for (const [times, header] of [
    [2_000, ""],
    [101, ""],
    [101, "Expect: nothing\r\n"],
  ] as const) {
    unreadRequests = 0;
    const socket = ask(port, times, header);
    const [taken] = (await once(server, "connection")) as [Socket];
    await once(taken, "close", soon());
    assert.ok(unreadRequests <= 100, `${unreadRequests} were asked`);
    socket.destroy();
  }
  const fewer = ask(port, 100);
  let answers = "";
  for await (const bytes of fewer) {
    answers += bytes;
    if (answers.split("HTTP/1.1 200").length > 100) break;
  }
  assert.is(answers.split("HTTP/1.1 200").length, 101);
  fewer.destroy();
  await drain(server, 1_000);
});

test("a response that was read is released while its connection stays open", async () => {
  const made: WeakRef<object>[] = [];
  const app = new Koa();
  app.use((ctx) => {
    made.push(new WeakRef(ctx.res));
    ctx.body = "x";
  });
  const server = await listen(app, { host: "127.0.0.1", port: 0 });
  const client = ask((server.address() as AddressInfo).port, 2);
  let answers = "";
  for await (const bytes of client.iterator({ destroyOnReturn: false })) {
    answers += bytes;
    if (answers.split("HTTP/1.1 200").length > 2) break;
  }
  const end = performance.now() + 10_000;
  // The newest response is still referenced by its connection.
  while (made[0]?.deref() !== undefined && performance.now() < end) {
    await delay(100);
    collectGarbage();
  }
  assert.is(made.length, 2);
  assert.is(made[0]?.deref(), undefined);
  assert.not(client.destroyed);
  client.destroy();
  await drain(server, 1_000);
});

test.run();

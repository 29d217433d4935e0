import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import Koa from "koa";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { VitrineError } from "../../src/errors.ts";
import { drain, type ListenAddress, listen } from "../../src/http/server.ts";
import { serveHandler } from "./serve-handler.ts";

const test = suite("HTTP server");

const host = "127.0.0.1";
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** An app whose responses wait for `release`; `arrived` resolves with the first request. */
const held = () => {
  let release = () => {};
  let arrive = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const app = new Koa();
  app.use(async (ctx) => {
    arrive();
    await released;
    ctx.body = "done";
  });
  return { app, release, arrived };
};

test("a port in use is an error that names the port and the flag", async () => {
  const first = await listen(new Koa(), { host, port: 0 });
  const port = portOf(first);
  try {
    await listen(new Koa(), { host, port, flag: "--ops-port" });
    assert.unreachable();
  } catch (thrown) {
    assert.instance(thrown, VitrineError);
    const { code, message, hint } = thrown as VitrineError;
    assert.is(code, "listen");
    assert.is(message, `cannot listen on 127.0.0.1:${port}: the port is in use`);
    assert.match(hint, "--ops-port");
  }
  await drain(first, 1_000);
});

test("an address that this machine does not have is an error in plain words", async () => {
  try {
    await listen(new Koa(), { host: "192.0.2.1", port: 0 });
    assert.unreachable();
  } catch (thrown) {
    assert.match((thrown as Error).message, "does not have that address");
  }
});

test("the hint for a host that cannot be listened on names the setting of the host", async () => {
  const hintFor = (address: ListenAddress): Promise<string> =>
    listen(new Koa(), address).then(
      () => "it listens",
      ({ hint }: VitrineError) => hint,
    );
  for (const bad of ["198.51.100.7", "nohost.invalid", "2001:db8::7", "fe80::1"]) {
    assert.match(await hintFor({ host: bad, port: 0 }), /--host \(HOST\)/, bad);
    const hint = await hintFor({ host: bad, port: 0, flag: "--ops-port" });
    assert.match(hint, /--ops-host \(OPS_HOST\)/);
    assert.not.match(hint, /-port/);
  }
});

test("one client gets a share of the connections; a trusted proxy gets those of many clients", async () => {
  for (const isBehindProxy of [false, true]) {
    const server = await listen(new Koa(), { host, port: 0, isBehindProxy });
    const accepted: Socket[] = [];
    const all = new Promise<void>((resolve) => {
      server.on("connection", (socket) => {
        if (accepted.push(socket) === 1_510) resolve();
      });
    });
    const sockets = Array.from({ length: 1_510 }, () =>
      connect(portOf(server), host).on("error", () => undefined),
    );
    await all;
    const closed = accepted.filter(({ destroyed }) => destroyed);
    assert.is(closed.length, isBehindProxy ? 0 : 10);
    // A closed connection makes room for another one.
    const [first] = accepted as [Socket];
    first.destroy();
    await once(first, "close");
    assert.is((await fetch(`http://${host}:${portOf(server)}/`)).status, 404);
    // Exactly one: further connections are rejected.
    const next = once(server, "connection") as Promise<[Socket]>;
    sockets.push(connect(portOf(server), host).on("error", () => undefined));
    const [one] = await next;
    assert.is(one.destroyed, !isBehindProxy);
    for (const socket of sockets) socket.destroy();
    await drain(server, 0);
  }
});

test("timeouts for slow clients are short", async () => {
  const server = await listen(new Koa(), { host, port: 0 });
  assert.is(server.headersTimeout, 10_000);
  assert.is(server.requestTimeout, 15_000);
  assert.ok(server.keepAliveTimeout > 60_000);
  await drain(server, 1_000);
});

test("headers over 16 KB are rejected", async () => {
  const server = await listen(new Koa(), { host, port: 0 });
  const headers = { "x-long": "x".repeat(17_000) };
  assert.is((await fetch(`http://${host}:${portOf(server)}`, { headers })).status, 431);
  await drain(server, 1_000);
});

test("draining waits for a running request and accepts no new connection", async () => {
  const { app, release, arrived } = held();
  const server = await listen(app, { host, port: 0 });
  const port = portOf(server);
  const running = fetch(`http://${host}:${port}`);
  await arrived;
  const drained = drain(server, 5_000);
  const late = connect(port, host);
  const [refusal] = await once(late, "error");
  assert.is((refusal as NodeJS.ErrnoException).code, "ECONNREFUSED");
  release();
  assert.is(await (await running).text(), "done");
  assert.is(await drained, true);
});

test("draining closes idle connections at once", async () => {
  const app = new Koa();
  app.use((ctx) => {
    ctx.body = "done";
  });
  const server = await listen(app, { host, port: 0 });
  await (await fetch(`http://${host}:${portOf(server)}`)).text();
  const begun = performance.now();
  assert.is(await drain(server, 5_000), true);
  assert.ok(performance.now() - begun < 1_000);
});

test("draining cuts off what does not end in time, and reports it", async () => {
  const { app, release, arrived } = held();
  const server = await listen(app, { host, port: 0 });
  const running = fetch(`http://${host}:${portOf(server)}`).then(
    () => "answered",
    () => "cut off",
  );
  await arrived;
  assert.is(await drain(server, 100), false);
  assert.is(await running, "cut off");
  release();
});

test("draining ends a kept connection with the response in progress, or with the next one", async () => {
  let release = () => {};
  let begun = () => {};
  const waits = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const { server, port, close } = await serveHandler((exchange) => {
    if (exchange.path !== "/slow") return { status: 200, body: "done" };
    begun();
    return new Promise((resolve) => {
      release = () => resolve({ status: 200, body: "done" });
    });
  });
  const open = () => {
    const socket = connect(port, host);
    const ask = (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    const answer = async () => String((await once(socket, "data"))[0]);
    return { socket, ask, answer };
  };
  const [kept, busy] = [open(), open()];
  kept.ask("/");
  assert.match(await kept.answer(), /^Connection: keep-alive/m);
  busy.ask("/slow");
  await waits;
  const drained = drain(server, 5_000, 60_000);
  release();
  assert.match(await busy.answer(), /^Connection: close/m);
  kept.ask("/");
  assert.match(await kept.answer(), /^Connection: close/m);
  assert.is(await drained, true);
  await close();
});

test.run();

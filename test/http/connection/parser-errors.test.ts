import { type EventEmitter, errorMonitor, once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import Koa from "koa";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { drain, listen } from "../../../src/http/server.ts";

const test = suite("requests that cannot be parsed");

/** Sends raw bytes and reads the response until the connection is closed. */
const send = async (
  raw: string,
  { headersTimeout = 10_000, requests = 10 } = {},
): Promise<string> => {
  const app = new Koa();
  app.use((ctx) => {
    ctx.body = "answered";
  });
  const server = await listen(app, { host: "127.0.0.1", port: 0 });
  server.headersTimeout = headersTimeout;
  server.maxRequestsPerSocket = requests;
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let answer = "";
  socket.on("data", (bytes) => {
    answer += bytes;
  });
  socket.write(raw);
  await once(socket, "close");
  await drain(server, 1_000);
  return answer;
};

const unreadable: readonly [when: string, status: number, raw: string][] = [
  ["no HTTP", 400, "hello\r\n\r\n"],
  ["no Host", 400, "GET / HTTP/1.1\r\n\r\n"],
  ["two Hosts", 400, "GET / HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n"],
  ["the same Host twice", 400, "GET / HTTP/1.0\r\nHost: x\r\nHost: x\r\n\r\n"],
  ["a Host that is not a name", 400, "GET / HTTP/1.1\r\nHost: a b\r\n\r\n"],
  ["a Host with a path", 400, "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"],
  ["a Host with a port that is not a number", 400, "GET / HTTP/1.1\r\nHost: [::1]:abc\r\n\r\n"],
  [
    "a second Host behind 3,000 headers",
    400,
    `GET / HTTP/1.1\r\nHost: x\r\n${"a:\r\n".repeat(3_000)}Host: y\r\n\r\n`,
  ],
  ["chunks in HTTP/1.0", 400, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
  [
    "packed chunks",
    400,
    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
  ],
  ["an invalid header line", 400, "GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n"],
  ["too long headers", 431, `GET / HTTP/1.1\r\nHost: x\r\nA: ${"a".repeat(20_000)}\r\n\r\n`],
];

for (const [when, status, raw] of unreadable) {
  test(`${when}: ${status} in the common error format`, async () => {
    const [head = "", body = ""] = (await send(raw)).split("\r\n\r\n");
    assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `));
    assert.match(head, /^date: \w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/im);
    assert.match(head, /^api-version: 1$/im);
    assert.match(head, /^deprecation: false$/im);
    assert.match(head, /^connection: close$/im);
    assert.match(head, /^content-type: application\/json; charset=utf-8$/im);
    assert.match(head, new RegExp(`^content-length: ${body.length}$`, "im"));
    const { error } = JSON.parse(body) as { error: { code: string; message: string } };
    assert.is(error.code, "bad_request");
    assert.ok(error.message);
  });
}

test("contract §4 a URL that alone exceeds the limit on the head of a request: 414", async () => {
  const answer = await send(`GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
  assert.match(answer, /^HTTP\/1\.1 414 URI Too Long\r\n/);
  assert.match(answer, '"code":"uri_too_long"');
});

test("headers that do not end in time: 408", async () => {
  const answer = await send("GET / HTTP/1.1\r\nHost: x\r\nA:", { headersTimeout: 100 });
  assert.match(answer, /^HTTP\/1\.1 408 /);
  assert.match(answer, '"code":"bad_request"');
});

test("the server closes the connection of a client that keeps its half open", async () => {
  const server = await listen(new Koa(), { host: "127.0.0.1", port: 0 });
  server.headersTimeout = 100;
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => undefined).resume();
  socket.write("GET / HTTP/1.1\r\nHost: x\r\nA:");
  const [taken] = (await once(server, "connection")) as [Socket];
  const dripping = setInterval(() => socket.write("a"), 100);
  await once(taken, "close", { signal: AbortSignal.timeout(10_000) });
  clearInterval(dripping);
  socket.destroy();
  assert.ok(await drain(server, 1_000));
});

test("unparsable bytes after a valid request get an error after its response", async () => {
  const answer = await send("GET / HTTP/1.1\r\nHost: x\r\n\r\nhello\r\n\r\n");
  assert.match(answer, /HTTP\/1\.1 400 /);
});

const statuses = (answer: string): readonly string[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status as string);

test("pipelined valid requests are answered in sequence before the error of what follows them", async () => {
  const good = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  const post = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}";
  for (const raw of [`${good}GARBAGE\r\n\r\n`, `${post}}\r\n\r\n`]) {
    assert.equal(statuses(await send(raw)), ["200", "400"], raw);
  }
  const three = await send(`${good.repeat(3)}\0\0\0\r\n\r\n`);
  assert.equal(statuses(three), ["200", "200", "200", "400"]);
});

test("CONNECT is answered with 405, after the responses to earlier requests", async () => {
  const tunnel = "CONNECT a.example:80 HTTP/1.1\r\nHost: a.example:80\r\n\r\n";
  const answer = await send(tunnel);
  assert.equal(statuses(answer), ["405"]);
  assert.match(answer, '"code":"method_not_allowed"');
  const good = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  assert.equal(statuses(await send(good + tunnel)), ["200", "405"]);
});

for (const before of ["", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"]) {
  test(`a client that sends CONNECT${before && " behind a request"} and resets the connection causes no uncaught error`, async () => {
    const app = new Koa();
    // Koa would log the closed connection as an error.
    app.silent = true;
    app.use((ctx) => new Promise<void>((answer) => void ctx.req.socket.once("close", answer)));
    const server = await listen(app, { host: "127.0.0.1", port: 0 });
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    const tunnelRequested = once(server, "connect") as Promise<[unknown, EventEmitter]>;
    socket.write(`${before}CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n`);
    const [, taken] = await tunnelRequested;
    // A regular error listener here would hide that the server has none.
    const failed = new Promise((resolve) => void taken.once(errorMonitor, resolve));
    socket.resetAndDestroy();
    assert.match(String(await failed), "ECONNRESET");
    assert.ok(await drain(server, 1_000));
  });
}

for (const host of [
  "",
  "x",
  "shop.example:443",
  "[::1]:80",
  "a_b.example",
  "xn--e1afmkfd.example",
]) {
  test(`a Host may be "${host}"`, async () => {
    const answer = await send(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    assert.equal(statuses(answer), ["200"]);
  });
}

test("a request after the last one of a connection gets no bare 503", async () => {
  const answer = await send("GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(3), { requests: 1 });
  assert.not.match(answer, "503");
});

test("HTTP/1.0 needs no Host", async () => {
  assert.match(await send("GET / HTTP/1.0\r\n\r\n"), /^HTTP\/1\.1 200 /);
});

test.run();

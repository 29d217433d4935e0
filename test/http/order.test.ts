import { once } from "node:events";
import { connect } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFixedWindow } from "../../src/http/rate-limit/rate-limit.ts";
import { tokenFor } from "../helpers/access.ts";
import {
  productUpserted,
  robotsUpdated,
  settingsUpdated,
  tokenRevoked,
} from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";

const test = suite("precedence of rejections (contract §7)");

const withdrawn = robotsUpdated("User-agent: BadBot\nDisallow: /\n");

/** Opens a server with this rate limit and a robots.txt that disallows BadBot. */
const open = async (limit: number): Promise<TestServer> => {
  const count = createFixedWindow(limit, () => performance.now());
  const service = await openTestServer({ rateLimit: { limit, trustedProxies: 0, count } });
  service.apply(settingsUpdated(), withdrawn);
  return service;
};

/**
 * Builds a request that is wrong in `first` and in all later respects; the first rejection hides the later
 * ones.
 */
const wrongs = ["robots", "age", "position", "method", "origin", "token", "body"] as const;
const otherEpoch = `${"0".repeat(12)}-${"0".repeat(16)}`;
const bad = (first: (typeof wrongs)[number]): RequestInit => {
  const isWrong = (what: (typeof wrongs)[number]) => wrongs.indexOf(what) >= wrongs.indexOf(first);
  return {
    method: isWrong("method") ? "PUT" : "POST",
    body: "{",
    headers: {
      accept: "application/json",
      "content-type": "text/plain",
      "user-agent": isWrong("robots") ? "BadBot/1.0" : "GoodBot/1.0",
      ...(isWrong("age") ? { "x-max-data-age": "0" } : {}),
      ...(isWrong("position") ? { "x-min-position": otherEpoch } : {}),
      ...(isWrong("origin") ? { origin: "https://evil.example" } : {}),
    },
  };
};

const codeOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { error: { code: string } }).error.code;

test("at /graphql robots.txt is checked first, then the age of the data, the position, the method and the body", async () => {
  const service = await open(100);
  const ask = async (first: (typeof wrongs)[number]) =>
    codeOf(await service.request("/graphql", bad(first)));
  assert.is(await ask("robots"), "forbidden");
  assert.is(await ask("age"), "unavailable");
  assert.is(await ask("position"), "precondition_failed");
  assert.is(await ask("method"), "method_not_allowed");
  assert.is(await ask("body"), "unsupported_media_type");
  await service.close();
});

test("at /agent/mcp robots.txt is checked first, then age, position, method, Origin and token", async () => {
  const service = await open(100);
  const ask = async (first: (typeof wrongs)[number]) => {
    const response = await service.request("/agent/mcp", bad(first));
    const { error } = (await response.json()) as { error: { code: unknown; message: string } };
    return { status: response.status, message: error.message };
  };
  const [robots, origin] = [await ask("robots"), await ask("origin")];
  assert.is(robots.status, 403);
  assert.match(robots.message, "robots.txt");
  assert.is((await ask("age")).status, 503);
  assert.is((await ask("position")).status, 412);
  assert.is((await ask("method")).status, 405);
  assert.is(origin.status, 403);
  assert.not.match(origin.message, "robots.txt");
  assert.is((await ask("token")).status, 401);
  await service.close();
});

test("rejections by robots.txt, and 503, are sent before the body arrives", async () => {
  const service = await open(100);
  const answered = async (type: string): Promise<string> => {
    const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: x\r\nUser-Agent: BadBot\r\nContent-Type: ${type}\r\nContent-Length: 10\r\n\r\n`,
    );
    const [bytes] = (await once(socket, "data", { signal: AbortSignal.timeout(5_000) })) as [
      Buffer,
    ];
    socket.destroy();
    return bytes.toString().slice(0, 12);
  };
  for (const type of ["application/json", "application/json; charset=utf-8"]) {
    assert.is(await answered(type), "HTTP/1.1 403", type);
  }
  await service.close();
});

test("the rate limit is checked first, also at paths without a route", async () => {
  const service = await open(1);
  assert.is(await codeOf(await service.request("/graphql", bad("robots"))), "forbidden");
  for (const first of wrongs) {
    const response = await service.request("/graphql", bad(first));
    assert.is(await codeOf(response), "rate_limited");
  }
  assert.is(await codeOf(await service.get("/nothing")), "rate_limited");
  await service.close();
});

/** Sends the head of a request and a part of its body, and reads the response without sending the rest. */
const sendPart = ({ url }: TestServer, path: string): { answer: Promise<string>; end(): void } => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"query":"`,
  );
  const answer = once(socket, "data").then(([bytes]) => String(bytes));
  return { answer, end: () => void socket.destroy() };
};

test("a partial request counts towards the rate limit; without a token no body is read", async () => {
  const service = await open(2);
  const query = sendPart(service, "/graphql");
  const call = sendPart(service, "/agent/mcp");
  assert.match(await call.answer, /^HTTP\/1.1 401 /);
  const refused = sendPart(service, "/graphql");
  assert.match(await refused.answer, /^HTTP\/1.1 429 /);
  assert.is(await codeOf(await service.get("/llms.txt")), "rate_limited");
  for (const { end } of [query, call, refused]) end();
  await service.close();
});

/** Sends a JSON request whose body leaves only after `meanwhile`. @returns the status line and the rest of the response */
const sendInParts = async (
  { url }: TestServer,
  { path, body, headers = "" }: { readonly path: string; readonly body: string; headers?: string },
  meanwhile: () => void | Promise<void>,
): Promise<string> => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}` +
      `Content-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  // Node sends it in the tick that handles the headers.
  assert.match(String((await once(socket, "data"))[0]), /^HTTP\/1.1 100 /);
  await meanwhile();
  socket.write(body);
  const [answer] = await once(socket, "data");
  socket.destroy();
  return String(answer);
};

test("a token that is revoked before the body arrives is rejected", async () => {
  const service = await open(100);
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const call = (label: string, meanwhile: () => void): Promise<string> => {
    const headers = `Authorization: Bearer ${tokenFor(label)}\r\n`;
    return sendInParts(service, { path: "/agent/mcp", body, headers }, meanwhile);
  };
  assert.match(await call("kept", () => {}), /^HTTP\/1.1 200 /);
  const answer = await call("revoked", () => service.apply(tokenRevoked("revoked", 1)));
  assert.match(answer, /^HTTP\/1.1 401 /);
  await service.close();
});

test("a request whose body arrives after a swap is answered from the new generation", async () => {
  const service = await open(100);
  const swap = (shop: string) => () =>
    service.swap([settingsUpdated({ name: shop }), productUpserted({ id: 1, name: shop })]);
  const query = JSON.stringify({ query: "{ shop { name } }" });
  assert.match(
    await sendInParts(service, { path: "/graphql", body: query }, swap("Second")),
    /^HTTP\/1.1 200 .*"name":"Second"/s,
  );
  const headers = `Authorization: Bearer ${tokenFor("agent")}\r\n`;
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "get_product", arguments: { product_id: 1 } },
  });
  const called = sendInParts(service, { path: "/agent/mcp", body, headers }, swap("Third"));
  assert.match(await called, /^HTTP\/1.1 200 .*Third/s);
  const label = JSON.stringify({ label: "agent" });
  const registered = sendInParts(service, { path: "/v1/register", body: label }, swap("Fourth"));
  assert.match(await registered, /^HTTP\/1.1 201 /);
  await service.close();
});

test("robots.txt applies at paths without a route, and not at /robots.txt", async () => {
  const service = await open(100);
  const agent = { "user-agent": "BadBot" };
  assert.is((await service.get("/nothing", agent)).status, 403);
  assert.is.not((await service.get("/robots.txt", agent)).status, 403);
  await service.close();
});

test("a page of any origin may read a rejection, and a preflight counts towards the rate limit", async () => {
  const service = await open(1);
  const preflight = {
    method: "OPTIONS",
    headers: { origin: "https://a.example", "access-control-request-method": "POST" },
  };
  assert.is((await service.request("/graphql", preflight)).status, 204);
  const refused = await service.request("/graphql", preflight);
  assert.is(refused.status, 429);
  assert.is(refused.headers.get("access-control-allow-origin"), "*");
  const exposed = refused.headers.get("access-control-expose-headers") ?? "";
  for (const name of [
    "RateLimit",
    "RateLimit-Policy",
    "RateLimit-Reset",
    "Retry-After",
    "Sunset",
  ]) {
    assert.ok(exposed.split(", ").includes(name), name);
  }
  await service.close();
});

test.run();

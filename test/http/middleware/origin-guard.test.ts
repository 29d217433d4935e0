import { request as httpRequest } from "node:http";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { tokenFor } from "../../helpers/access.ts";
import { unlimited } from "../../helpers/unlimited.ts";
import { open, type TestApp } from "../test-app.ts";

const test = suite<{ testApp: TestApp; local: TestApp }>("Origin and Host at the tool endpoint");

const chat = "https://chat.example";

const onlyThree = () => {
  let left = 3;
  return () => {
    left -= 1;
    return { admitted: left >= 0, remaining: Math.max(0, left), resetMs: 30_000 };
  };
};

test.before(async (context) => {
  context.testApp = await open(undefined, { allowedOrigins: [chat] });
  context.local = await open(undefined, { baseUrl: "http://localhost:8080" });
});
test.after(async ({ testApp, local }) => {
  await testApp.close();
  await local.close();
});

/** Sends a request with `node:http`, because `fetch` does not allow a Host header. */
const ask = (
  { url }: TestApp,
  headers: Readonly<Record<string, string>>,
  method = "POST",
): Promise<{ readonly status: number; readonly header: (name: string) => unknown }> =>
  new Promise((resolve, reject) => {
    const all = {
      authorization: `Bearer ${tokenFor("test")}`,
      "content-type": "application/json",
      ...headers,
    };
    const preflighted = httpRequest(`${url}/agent/mcp`, { method, headers: all }, (answer) => {
      answer.resume();
      answer.once("end", () =>
        resolve({ status: answer.statusCode ?? 0, header: (name) => answer.headers[name] }),
      );
    });
    preflighted.once("error", reject);
    preflighted.end(method === "POST" ? '{"jsonrpc":"2.0","id":1,"method":"ping"}' : undefined);
  });

test("a request without Origin is accepted", async ({ testApp }) => {
  assert.is((await ask(testApp, {})).status, 200);
});

test("the origin of the base URL and configured origins are accepted", async ({ testApp }) => {
  for (const origin of ["https://agents.shop.example", chat]) {
    assert.is((await ask(testApp, { origin })).status, 200, origin);
  }
});

test("any other origin is 403", async ({ testApp }) => {
  const foreign = [
    "https://evil.example",
    "http://agents.shop.example",
    "https://agents.shop.example:8443",
    "https://agents.shop.example.evil.example",
    "http://localhost",
    "null",
  ];
  for (const origin of foreign) assert.is((await ask(testApp, { origin })).status, 403, origin);
});

test("the Origin is checked before the token", async ({ testApp }) => {
  const authorization = "Bearer wrong";
  assert.is((await ask(testApp, { origin: "https://evil.example", authorization })).status, 403);
  assert.is((await ask(testApp, { authorization })).status, 401);
});

test("a configured origin gets a preflight response and may read answers; other origins get neither", async ({
  testApp,
}) => {
  const preflight = { "access-control-request-method": "POST" };
  const preflighted = await ask(testApp, { origin: chat, ...preflight }, "OPTIONS");
  assert.is(preflighted.status, 204);
  assert.is(preflighted.header("access-control-allow-origin"), chat);
  assert.match(String(preflighted.header("access-control-allow-headers")), "Authorization");
  const answer = await ask(testApp, { origin: chat });
  assert.is(answer.header("access-control-allow-origin"), chat);
  assert.match(String(answer.header("vary")), "Origin");
  const foreign = await ask(testApp, { origin: "https://evil.example", ...preflight }, "OPTIONS");
  assert.is(foreign.status, 405);
  assert.is(foreign.header("access-control-allow-origin"), undefined);
});

test("a configured origin may read the error responses; another origin may not", async () => {
  const testApp = await open(undefined, {
    allowedOrigins: [chat],
    rateLimit: { ...unlimited(), count: onlyThree() },
  });
  const refusals = [
    await ask(testApp, { origin: chat, authorization: "Bearer wrong" }),
    await ask(testApp, { origin: chat }, "PUT"),
    await ask(testApp, { origin: "https://evil.example", authorization: "Bearer wrong" }),
    await ask(testApp, { origin: chat }),
  ];
  assert.equal(
    refusals.map(({ status }) => status),
    [401, 405, 403, 429],
  );
  assert.equal(
    refusals.map(({ header }) => header("access-control-allow-origin")),
    [chat, chat, undefined, chat],
  );
  assert.match(String(refusals[0]?.header("access-control-expose-headers")), "WWW-Authenticate");
  assert.match(String(refusals[3]?.header("access-control-expose-headers")), "Retry-After");
  await testApp.close();
});

test("with a localhost base URL every name of localhost is accepted", async ({ local }) => {
  for (const name of ["localhost", "127.0.0.1", "[::1]"]) {
    const origin = `http://${name}:8080`;
    assert.is((await ask(local, { host: `${name}:8080`, origin })).status, 200, name);
  }
  assert.is((await ask(local, { origin: "http://localhost:3000" })).status, 403);
});

test("with a localhost base URL any other Host is 403 (DNS rebinding)", async ({ local }) => {
  for (const host of ["evil.example", "evil.example:8080", "localhost.evil.example"]) {
    assert.is((await ask(local, { host })).status, 403, host);
  }
});

test("with a public base URL any Host is accepted, because proxies choose it", async ({
  testApp,
}) => {
  assert.is((await ask(testApp, { host: "backend-7" })).status, 200);
});

test.run();

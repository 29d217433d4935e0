import { request as httpRequest } from "node:http";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { tokenFor } from "../../helpers/access.ts";
import { unlimited } from "../../helpers/unlimited.ts";
import { open, type World } from "../test-app.ts";

const test = suite<{ world: World; local: World }>("pages at the tool endpoint");

const chat = "https://chat.example";

const onlyThree = () => {
  let left = 3;
  return () => {
    left -= 1;
    return { admitted: left >= 0, remaining: Math.max(0, left), resetMs: 30_000 };
  };
};

test.before(async (context) => {
  context.world = await open(undefined, { allowedOrigins: [chat] });
  context.local = await open(undefined, { baseUrl: "http://localhost:8080" });
});
test.after(async ({ world, local }) => {
  await world.close();
  await local.close();
});

/** By node's own client: `fetch` lets nobody choose the host. */
const ask = (
  { url }: World,
  headers: Readonly<Record<string, string>>,
  method = "POST",
): Promise<{ readonly status: number; readonly header: (name: string) => unknown }> =>
  new Promise((resolve, reject) => {
    const all = {
      authorization: `Bearer ${tokenFor("test")}`,
      "content-type": "application/json",
      ...headers,
    };
    const asked = httpRequest(`${url}/agent/mcp`, { method, headers: all }, (answer) => {
      answer.resume();
      answer.once("end", () =>
        resolve({ status: answer.statusCode ?? 0, header: (name) => answer.headers[name] }),
      );
    });
    asked.once("error", reject);
    asked.end(method === "POST" ? '{"jsonrpc":"2.0","id":1,"method":"ping"}' : undefined);
  });

test("a request without Origin is let in", async ({ world }) => {
  assert.is((await ask(world, {})).status, 200);
});

test("pages of the service itself and of chosen origins are let in", async ({ world }) => {
  for (const origin of ["https://agents.shop.example", chat]) {
    assert.is((await ask(world, { origin })).status, 200, origin);
  }
});

test("pages of any other origin are 403", async ({ world }) => {
  const foreign = [
    "https://evil.example",
    "http://agents.shop.example",
    "https://agents.shop.example:8443",
    "https://agents.shop.example.evil.example",
    "http://localhost",
    "null",
  ];
  for (const origin of foreign) assert.is((await ask(world, { origin })).status, 403, origin);
});

test("who may ask comes before the token", async ({ world }) => {
  const authorization = "Bearer wrong";
  assert.is((await ask(world, { origin: "https://evil.example", authorization })).status, 403);
  assert.is((await ask(world, { authorization })).status, 401);
});

test("a chosen origin gets a preflight and may read the answers, others do not", async ({
  world,
}) => {
  const preflight = { "access-control-request-method": "POST" };
  const asked = await ask(world, { origin: chat, ...preflight }, "OPTIONS");
  assert.is(asked.status, 204);
  assert.is(asked.header("access-control-allow-origin"), chat);
  assert.match(String(asked.header("access-control-allow-headers")), "Authorization");
  const answer = await ask(world, { origin: chat });
  assert.is(answer.header("access-control-allow-origin"), chat);
  assert.match(String(answer.header("vary")), "Origin");
  const foreign = await ask(world, { origin: "https://evil.example", ...preflight }, "OPTIONS");
  assert.is(foreign.status, 405);
  assert.is(foreign.header("access-control-allow-origin"), undefined);
});

test("and may read why it is turned away, where a page of another origin may not", async () => {
  const world = await open(undefined, {
    allowedOrigins: [chat],
    rateLimit: { ...unlimited(), count: onlyThree() },
  });
  const refusals = [
    await ask(world, { origin: chat, authorization: "Bearer wrong" }),
    await ask(world, { origin: chat }, "PUT"),
    await ask(world, { origin: "https://evil.example", authorization: "Bearer wrong" }),
    await ask(world, { origin: chat }),
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
  await world.close();
});

test("on one's own machine every name of it is the same", async ({ local }) => {
  for (const name of ["localhost", "127.0.0.1", "[::1]"]) {
    const origin = `http://${name}:8080`;
    assert.is((await ask(local, { host: `${name}:8080`, origin })).status, 200, name);
  }
  assert.is((await ask(local, { origin: "http://localhost:3000" })).status, 403);
});

test("on one's own machine a name that only leads there is 403 (DNS rebinding)", async ({
  local,
}) => {
  for (const host of ["evil.example", "evil.example:8080", "localhost.evil.example"]) {
    assert.is((await ask(local, { host })).status, 403, host);
  }
});

test("a service with a public address takes any Host: proxies choose it", async ({ world }) => {
  assert.is((await ask(world, { host: "backend-7" })).status, 200);
});

test.run();

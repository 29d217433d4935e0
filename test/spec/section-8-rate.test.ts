import { request as httpRequest, type IncomingMessage } from "node:http";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createFixedWindow } from "../../src/http/rate-limit/rate-limit.ts";
import { settingsUpdated } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { childPid, startVitrine, until } from "../helpers/vitrine.ts";

const test = suite("§8 request rate");

const open = async (limit = 600, trustedProxies = 0): Promise<TestServer> => {
  const count = createFixedWindow(limit, () => performance.now());
  const service = await openTestServer({ rateLimit: { limit, trustedProxies, count } });
  service.apply(settingsUpdated());
  return service;
};

const statusOf = async (response: Response): Promise<number> => {
  await response.arrayBuffer();
  return response.status;
};

test("§8 a client may send 600 requests a minute; the 601st is 429", async () => {
  const service = await open();
  const responses = await Promise.all(
    Array.from({ length: 650 }, () => service.get("/graphql/schema.graphql")),
  );
  const statuses = await Promise.all(responses.map(statusOf));
  assert.is(statuses.filter((status) => status === 200).length, 600);
  assert.is(statuses.filter((status) => status === 429).length, 50);
  await service.close();
});

const names = ["limit", "remaining", "reset"] as const;
const headersOf = ({ headers }: Response) =>
  Object.fromEntries(names.map((name) => [name, Number(headers.get(`ratelimit-${name}`))]));

test("§8 every response carries the rate limit headers, also errors, 304 and HEAD", async () => {
  const service = await open(600);
  const sdl = "/graphql/schema.graphql";
  const etag = (await service.request(sdl, { method: "HEAD" })).headers.get("etag") ?? "";
  const meetings: readonly (readonly [status: number, meet: () => Promise<Response>])[] = [
    [200, () => service.post({ query: "{ shop { name } }" })],
    [200, () => service.request(sdl, { method: "HEAD" })],
    [304, () => service.get(sdl, { "if-none-match": etag })],
    [400, () => service.post("{")],
    [404, () => service.get("/nothing")],
    [405, () => service.request("/graphql", { method: "PUT" })],
    [415, () => service.post("", { "content-type": "text/plain" })],
  ];
  let remaining = 599;
  for (const [status, meet] of meetings) {
    const response = await meet();
    await response.arrayBuffer();
    remaining -= 1;
    assert.is(response.status, status);
    const reported = headersOf(response);
    assert.is(reported.limit, 600);
    assert.is(reported.remaining, remaining);
    assert.ok(Number(reported.reset) >= 1 && Number(reported.reset) <= 60, "seconds");
    assert.is(response.headers.get("ratelimit-policy"), '"default";q=600;w=60');
    assert.is(response.headers.get("ratelimit"), `"default";r=${remaining};t=${reported.reset}`);
  }
  await service.close();
});

test("§8 behind a trusted proxy each of its clients has its own limit", async () => {
  const service = await open(2, 1);
  const ask = async (forwarded: string) =>
    statusOf(await service.get("/graphql/schema.graphql", { "x-forwarded-for": forwarded }));
  assert.equal(
    [await ask("192.0.2.1"), await ask("6.6.6.6, 192.0.2.1"), await ask("7.7.7.7, 192.0.2.1")],
    [200, 200, 429],
  );
  assert.is(await ask("192.0.2.2"), 200);
  assert.equal(
    [await ask("2001:db8::1"), await ask("2001:db8::2"), await ask("2001:db8:0:0:ffff::3")],
    [200, 200, 429],
  );
  assert.is(await ask("2001:db8:0:1::1"), 200);
  await service.close();
});

test("§8 without a trusted proxy X-Forwarded-For does not give another limit", async () => {
  const service = await open(1);
  const ask = async (forwarded: string) =>
    statusOf(await service.get("/graphql/schema.graphql", { "x-forwarded-for": forwarded }));
  assert.equal([await ask("192.0.2.1"), await ask("192.0.2.2")], [200, 429]);
  await service.close();
});

/** Sends a request on a new connection, so that the kernel may choose any of the processes. */
const requestOnNewConnection = (url: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(`${url}/graphql/schema.graphql`, {
      agent: false,
      signal: AbortSignal.timeout(10_000),
    });
    request.once("response", (response) => resolve(response.resume()));
    request.once("error", reject);
    request.end();
  });

test("§8 the limit is exact across several processes, and the ops port has no limit", async () => {
  const service = await startVitrine(["--workers", "2", "--rate-limit", "100"]);
  const answers: IncomingMessage[] = [];
  for (let round = 0; round < 15; round += 1) {
    answers.push(
      ...(await Promise.all(Array.from({ length: 10 }, () => requestOnNewConnection(service.url)))),
    );
  }
  const admitted = answers.filter(({ statusCode }) => statusCode === 200);
  assert.is(admitted.length, 100);
  assert.is(answers.filter(({ statusCode }) => statusCode === 429).length, 50);
  const remaining = admitted.map(({ headers }) => Number(headers["ratelimit-remaining"]));
  assert.equal(
    remaining.sort((a, b) => a - b),
    Array.from({ length: 100 }, (_, at) => at),
  );

  const metrics = await until(
    () => service.ops("/metrics"),
    ({ text }) => /http_requests_total\{[^}]*status="429"[^}]*\} 50/.test(text),
  );
  assert.is(metrics.status, 200);
  for (let time = 0; time < 120; time += 1) assert.is((await service.ops("/healthz")).status, 200);
  await service.stop();
});

test("§8 a restarted HTTP process keeps the counts of its clients", async () => {
  const service = await startVitrine(["--workers", "2", "--rate-limit", "20"]);
  for (let request = 0; request < 25; request += 1) await requestOnNewConnection(service.url);
  const killed = await childPid(service, "vitrine http-1");
  process.kill(killed, "SIGKILL");
  await until(
    () => childPid(service, "vitrine http-1"),
    (pid) => pid !== killed,
  );
  for (let request = 0; request < 10; request += 1) {
    assert.is((await requestOnNewConnection(service.url)).statusCode, 429);
  }
  await service.stop();
});

test.run();

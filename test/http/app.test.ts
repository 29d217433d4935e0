import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Observation } from "../../src/http/exchange.ts";
import { readSdl } from "../../src/surfaces/graphql/schema.ts";
import { aShop } from "../helpers/reader.ts";
import { open, type TestApp } from "./test-app.ts";

const test = suite<{ testApp: TestApp; observed: Observation[] }>("HTTP app");

test.before(async (context) => {
  context.observed = [];
  context.testApp = await open({ shop: aShop() }, { observe: (one) => context.observed.push(one) });
});
test.after(({ testApp }) => testApp.close());

const query = "{ shop { name } }";

interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly retry_after?: number;
  };
}

const codeOf = async (response: Response): Promise<string> => {
  assert.is(response.headers.get("content-type"), "application/json; charset=utf-8");
  const { error } = (await response.json()) as ErrorBody;
  assert.type(error.message, "string");
  return error.code;
};

test("§9 rule 1: every response carries API-Version and Deprecation, errors too", async ({
  testApp,
}) => {
  const responses = await Promise.all([
    testApp.post({ query }),
    testApp.post({ query: "{" }),
    testApp.post("not json"),
    testApp.post({ query: " ".repeat(70_000) }),
    testApp.post({ query }, { "content-type": "text/plain" }),
    fetch(`${testApp.url}/graphql`),
    fetch(`${testApp.url}/graphql/schema.graphql`),
    fetch(`${testApp.url}/nowhere`),
  ]);
  assert.equal(
    responses.map((response) => response.status),
    [200, 200, 400, 413, 415, 405, 200, 404],
  );
  for (const response of responses) {
    assert.is(response.headers.get("api-version"), "1");
    assert.is(response.headers.get("deprecation"), "false");
    await response.arrayBuffer();
  }
});

test("§7.2: a path without a route is 404 not_found", async ({ testApp }) => {
  for (const path of ["/nowhere", "/graphql/other", "/GraphQL", "/%E0%A4%A", "//graphql"]) {
    const response = await fetch(`${testApp.url}${path}`);
    assert.is(response.status, 404, path);
    assert.is(await codeOf(response), "not_found");
    assert.is(response.headers.get("cache-control"), "no-store");
  }
});

test("§7.2: a client that does not accept JSON gets the error as one line of text", async ({
  testApp,
}) => {
  const response = await fetch(`${testApp.url}/nowhere`, { headers: { accept: "text/html" } });
  assert.is(response.status, 404);
  assert.is(response.headers.get("content-type"), "text/plain; charset=utf-8");
  assert.is(response.headers.get("vary"), "Accept");
  assert.is(await response.text(), "not_found: Nothing is here.\n");
});

test("§7.2: a client that accepts JSON or */*, or sends no Accept, gets the JSON body", async ({
  testApp,
}) => {
  for (const accept of [
    "*/*",
    "application/json",
    "application/graphql-response+json",
    "text/html,application/xhtml+xml,*/*;q=0.8",
  ]) {
    assert.is(
      await codeOf(await fetch(`${testApp.url}/nowhere`, { headers: { accept } })),
      "not_found",
    );
  }
});

test("§1 table: /graphql takes POST only; any other method is 405 with Allow", async ({
  testApp,
}) => {
  for (const method of ["GET", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"]) {
    const response = await fetch(`${testApp.url}/graphql`, { method });
    assert.is(response.status, 405, method);
    assert.is(response.headers.get("allow"), "POST");
    if (method !== "HEAD") assert.is(await codeOf(response), "method_not_allowed");
  }
  const post = await fetch(`${testApp.url}/graphql/schema.graphql`, { method: "POST" });
  assert.is(post.status, 405);
  assert.is(post.headers.get("allow"), "GET, HEAD");
  await post.arrayBuffer();
});

test("a body that is not a GraphQL request is 400 bad_request", async ({ testApp }) => {
  const bodies = ["", "{", "null", "1", '"x"', "[]", "{}", { query: 1 }, { query, variables: [] }];
  for (const body of [...bodies, { query, operationName: 1 }, { query, extensions: "x" }]) {
    const response = await testApp.post(body);
    assert.is(response.status, 400, JSON.stringify(body));
    assert.is(await codeOf(response), "bad_request");
  }
  const notUtf8 = await fetch(`${testApp.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: Buffer.from('{"query":"{ shop { name } } # \xff"}', "latin1"),
  });
  assert.is(await codeOf(notUtf8), "bad_request");
});

test("a media type other than JSON in UTF-8 is 415", async ({ testApp }) => {
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/graphql",
    "application/jsonp",
    "application/json; charset=utf-16",
  ]) {
    const response = await testApp.post({ query }, { "content-type": type });
    assert.is(response.status, 415, type);
    assert.is(await codeOf(response), "unsupported_media_type");
  }
  for (const type of ["Application/JSON", "application/json;charset=UTF-8"]) {
    assert.is((await testApp.post({ query }, { "content-type": type })).status, 200, type);
  }
});

test("a compressed body is 415", async ({ testApp }) => {
  const response = await testApp.post({ query }, { "content-encoding": "gzip" });
  assert.is(await codeOf(response), "unsupported_media_type");
  assert.is((await testApp.post({ query }, { "content-encoding": "identity" })).status, 200);
});

test("a body of 64 KB is accepted; a larger one is 413, with or without Content-Length", async ({
  testApp,
}) => {
  const sized = (bytes: number) => {
    const bare = JSON.stringify({ query, extensions: { pad: "" } });
    return bare.replace('""', `"${"x".repeat(bytes - bare.length)}"`);
  };
  assert.is((await testApp.post(sized(65_536))).status, 200);
  assert.is(await codeOf(await testApp.post(sized(65_537))), "payload_too_large");
  const streamed = await fetch(`${testApp.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: new Blob([sized(5_000_000)]).stream(),
    duplex: "half",
  } as RequestInit);
  assert.is(await codeOf(streamed), "payload_too_large");
});

test("the response has the media type of Accept, JSON when in doubt", async ({ testApp }) => {
  const types: readonly (readonly [string, string])[] = [
    ["application/graphql-response+json", "application/graphql-response+json"],
    [
      "application/graphql-response+json, application/json;q=0.9",
      "application/graphql-response+json",
    ],
    ["application/json, application/graphql-response+json;q=0.9", "application/json"],
    ["text/event-stream", "application/json"],
    ["text/html", "application/json"],
    ["multipart/mixed", "application/json"],
    ["*/*", "application/json"],
  ];
  for (const [accept, type] of types) {
    const response = await testApp.post({ query }, { accept });
    assert.is(response.headers.get("content-type"), `${type}; charset=utf-8`, accept);
    assert.equal(await response.json(), { data: { shop: { name: "The Shop" } } });
  }
});

test("a syntax error is JSON for a client that accepts text/event-stream", async ({ testApp }) => {
  const response = await testApp.post({ query: "{" }, { accept: "text/event-stream" });
  assert.is(response.status, 200);
  const { errors, data } = (await response.json()) as { errors: unknown[]; data?: unknown };
  assert.is(errors.length, 1);
  assert.is(data, undefined);
});

test("operationName selects one of several operations", async ({ testApp }) => {
  const two = "query A { shop { name } } query B { shop { currency } }";
  const ask = async (operationName?: string) =>
    (await testApp.post({ query: two, operationName })).json() as Promise<Record<string, unknown>>;
  for (let use = 0; use < 3; use += 1) {
    assert.equal(await ask("A"), { data: { shop: { name: "The Shop" } } });
    assert.equal(await ask("B"), { data: { shop: { currency: "EUR" } } });
  }
  assert.equal(Object.keys(await ask()), ["errors"]);
  assert.equal(Object.keys(await ask("C")), ["errors"]);
});

test("§1 table: the schema is served byte for byte, with a strong ETag", async ({ testApp }) => {
  const address = `${testApp.url}/graphql/schema.graphql`;
  const response = await fetch(address);
  assert.is(response.status, 200);
  assert.is(response.headers.get("content-type"), "text/plain; charset=utf-8");
  const etag = response.headers.get("etag") ?? "";
  assert.match(etag, /^"[A-Za-z0-9_-]{27}([.]gzip|[.]br)?"$/);
  assert.ok(readSdl().equals(Buffer.from(await response.arrayBuffer())));

  for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
    const again = await fetch(address, { headers: { "if-none-match": tag } });
    assert.is(again.status, 304, tag);
    assert.is(again.headers.get("etag"), etag);
    assert.is(again.headers.get("api-version"), "1");
    assert.is((await again.arrayBuffer()).byteLength, 0);
  }
  const other = await fetch(address, { headers: { "if-none-match": '"x"' } });
  assert.is(other.status, 200);
  await other.arrayBuffer();
});

test("HEAD of the schema has the headers of GET and no body", async ({ testApp }) => {
  const head = await fetch(`${testApp.url}/graphql/schema.graphql`, {
    method: "HEAD",
    headers: { "accept-encoding": "identity" },
  });
  assert.is(head.status, 200);
  assert.is(head.headers.get("content-length"), String(readSdl().length));
  assert.ok(head.headers.get("etag"));
});

test("without a model every query is 503 unavailable with Retry-After", async () => {
  const empty = await open({}, { reader: () => undefined });
  const response = await empty.post({ query });
  assert.is(response.status, 503);
  assert.is(response.headers.get("retry-after"), "5");
  assert.is(response.headers.get("cache-control"), "no-store");
  const { error } = (await response.json()) as ErrorBody;
  assert.is(error.code, "unavailable");
  assert.is(error.retry_after, 5);
  assert.is((await fetch(`${empty.url}/graphql/schema.graphql`)).status, 200);
  await empty.close();
});

test("§7.2: an exception is 500 internal; only the log has its message", async () => {
  const broken = await open(() => {
    throw new Error("secret path /var/lib");
  });
  const response = await broken.post({ query });
  assert.is(response.status, 500);
  const text = await response.text();
  assert.match(text, '"code":"internal"');
  assert.not.match(text, "secret");
  assert.match(JSON.stringify(broken.logged), "secret path");
  await broken.close();
});

test("CORS: a page of any origin may read, and preflight requests succeed", async ({ testApp }) => {
  const origin = "https://elsewhere.example";
  const preflight = await fetch(`${testApp.url}/graphql`, {
    method: "OPTIONS",
    headers: { origin, "access-control-request-method": "POST" },
  });
  assert.is(preflight.status, 204);
  assert.is(preflight.headers.get("access-control-allow-origin"), "*");
  assert.is(preflight.headers.get("access-control-allow-methods"), "POST");
  assert.match(preflight.headers.get("access-control-allow-headers") ?? "", "Content-Type");
  const post = await testApp.post({ query }, { origin });
  assert.is(post.headers.get("access-control-allow-origin"), "*");
  assert.match(post.headers.get("access-control-expose-headers") ?? "", "API-Version");
  assert.is(post.headers.get("access-control-allow-credentials"), null);
});

test("no URL in a response is built from the Host header", async () => {
  const bare = await open({});
  const { port } = new URL(bare.url);
  const body = JSON.stringify({ query: "{ shop { url name } }" });
  const request = httpRequest({
    port,
    host: "127.0.0.1",
    method: "POST",
    path: "/graphql",
    headers: {
      host: "evil.example",
      "x-forwarded-host": "evil.example",
      "content-type": "application/json",
    },
  });
  request.end(body);
  const [response] = await once(request, "response");
  let text = "";
  for await (const chunk of response) text += chunk;
  assert.not.match(text, "evil");
  assert.match(text, "agents.shop.example");
  await bare.close();
});

test("contract §7: every reply has X-Content-Type-Options", async ({ testApp }) => {
  const replies = await Promise.all([
    testApp.post({ query }),
    testApp.post("not json"),
    ...["/auth.md", "/llms.txt", "/.well-known/api-catalog", "/nowhere", "/v1/register", "/"].map(
      (path) => fetch(testApp.url + path),
    ),
    fetch(`${testApp.url}/graphql`, { headers: { accept: "text/html" } }),
    fetch(`${testApp.url}/agent/mcp`, { method: "POST" }),
  ]);
  for (const reply of replies) {
    assert.is(reply.headers.get("x-content-type-options"), "nosniff", reply.url);
    await reply.arrayBuffer();
  }
});

test("the page of GraphiQL sends no form and no referrer", async ({ testApp }) => {
  const { headers } = await fetch(`${testApp.url}/graphql`, { headers: { accept: "text/html" } });
  assert.match(headers.get("content-security-policy") ?? "", "form-action 'none'");
  assert.is(headers.get("referrer-policy"), "no-referrer");
});

test("each request is observed once, with its route", async ({ testApp, observed }) => {
  observed.length = 0;
  await (await testApp.post({ query })).text();
  await (await fetch(`${testApp.url}/nowhere/${Math.random()}`)).text();
  await (await fetch(`${testApp.url}/graphql`)).text();
  assert.equal(
    observed.map(({ route, method, status }) => ({ route, method, status })),
    [
      { route: "graphql", method: "POST", status: 200 },
      { route: "unknown", method: "GET", status: 404 },
      { route: "graphql", method: "GET", status: 405 },
    ],
  );
  assert.ok(
    observed.every(({ seconds }) => seconds > 0 && seconds < 5),
    JSON.stringify(observed),
  );
});

test("a client that disconnects while it sends a body is not logged as an error", async () => {
  let report: (one: Observation) => void = () => {};
  const observed = new Promise<Observation>((resolve) => {
    report = resolve;
  });
  const left = await open({ shop: aShop() }, { observe: report });
  const socket = connect(Number(new URL(left.url).port), "127.0.0.1");
  await once(socket, "connect");
  socket.write(
    'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"query"',
    () => socket.destroy(),
  );
  // Keeps the process alive, because the sockets of a test server do not.
  const running = setTimeout(() => {}, 10_000);
  const { status, route } = await observed;
  clearTimeout(running);
  assert.is(route, "graphql");
  assert.is(status, 499);
  await left.close();
  assert.equal(left.logged, []);
});

test.run();

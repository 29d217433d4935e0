import { hash } from "node:crypto";
import { connect } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { productUpserted, settingsUpdated } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";

const test = suite<{ service: TestServer }>("contract §4 GraphQL in URLs and by hash");

test.before(async (context) => {
  context.service = await openTestServer();
  context.service.apply(settingsUpdated(), productUpserted({ id: 1, name: "Cup & saucer" }));
});
test.after(({ service }) => service.close());

const query =
  "query One($id: ID!) { product(id: $id) { product { name } } } query Shop { shop { name } }";
const variables = { id: "1" };
const one = { data: { product: { product: { name: "Cup & saucer" } } } };

const urlOf = (parameters: Readonly<Record<string, unknown>>): string => {
  const texts = Object.entries(parameters).map(([name, value]): [string, string] => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return `/graphql?${new URLSearchParams(texts)}`;
};

type Send = (
  service: TestServer,
  parameters: Readonly<Record<string, unknown>>,
  headers?: Record<string, string>,
) => Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }>;

const read = async (response: Response) => {
  const { status, headers } = response;
  return { status, headers, text: await response.text() };
};
const get: Send = async (service, parameters, headers) =>
  read(await service.get(urlOf(parameters), headers));
const post: Send = async (service, parameters, headers) =>
  read(await service.post(parameters, headers));

test("contract §4 GET answers as POST does, in both media types", async ({ service }) => {
  for (const accept of [
    "*/*",
    "application/json",
    "application/graphql-response+json",
    "text/html",
  ]) {
    const byUrl = await get(service, { query, variables, operationName: "One" }, { accept });
    assert.is(byUrl.status, 200, accept);
    assert.equal(JSON.parse(byUrl.text), one);
    const type = accept.includes("graphql-response") ? accept : "application/json";
    assert.is(byUrl.headers.get("content-type"), `${type}; charset=utf-8`);
    assert.match(byUrl.headers.get("vary") ?? "", "Accept");
  }
});

test("contract §4 empty parameters count as absent, and others are ignored", async ({
  service,
}) => {
  const parameters = {
    query: "{ shop { name } }",
    variables: "",
    operationName: "",
    extensions: "",
  };
  const { status, text } = await get(service, { ...parameters, utm_source: "x" });
  assert.is(status, 200);
  assert.ok(JSON.parse(text).data.shop.name);
});

test("contract §4 the limit on a URL counts the characters that the client sends", async ({
  service,
}) => {
  const text = `{ shop { name } } #${'"'.repeat(3_000)}`;
  const { port } = new URL(service.url);
  const socket = connect(Number(port), "127.0.0.1");
  socket.write(
    `GET /graphql?query=${text.replaceAll(" ", "+").replace("#", "%23")} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  );
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  assert.match(Buffer.concat(chunks).toString(), /^HTTP\/1\.1 200 /);
});

test("contract §4 an answer by URL has a strong ETag, 304, HEAD and no-cache", async ({
  service,
}) => {
  const parameters = { query, variables, operationName: "One" };
  const { headers, text } = await get(service, parameters);
  const etag = headers.get("etag") ?? "";
  assert.match(etag, /^"[^"]+"$/);
  assert.is(headers.get("cache-control"), "no-cache");
  const again = await get(service, parameters, { "if-none-match": etag });
  assert.equal([again.status, again.text, again.headers.get("etag")], [304, "", etag]);
  const head = await fetch(`${service.url}${urlOf(parameters)}`, { method: "HEAD" });
  assert.equal(
    [head.status, head.headers.get("etag"), head.headers.get("content-length")],
    [200, etag, String(Buffer.byteLength(text))],
  );
  service.apply(
    productUpserted({ id: 1, name: "Mug" }, { time: "2026-10-02T08:00:00Z", id: "renamed" }),
  );
  const changed = await get(service, parameters, { "if-none-match": etag });
  assert.is(changed.status, 200);
  assert.match(changed.text, "Mug");
  service.apply(
    productUpserted({ id: 1, name: "Cup & saucer" }, { time: "2026-10-03T08:00:00Z", id: "back" }),
  );
});

test("contract §4 an answer with errors is not stored", async ({ service }) => {
  for (const wrong of ["{ nothing }", "{", "mutation { a }"]) {
    const { status, headers, text } = await get(service, { query: wrong });
    assert.is(status, 200, wrong);
    assert.ok(JSON.parse(text).errors.length > 0);
    assert.equal([headers.get("cache-control"), headers.get("etag")], ["no-store", null]);
  }
});

const malformed: readonly (readonly [name: string, parameters: Record<string, unknown>])[] = [
  ["variables that are not JSON", { query, variables: "{" }],
  ["variables that are a list", { query, variables: [1] }],
  ["extensions that are not JSON", { query, extensions: "x" }],
  ["extensions without a query", { extensions: {} }],
  ["a hash that is none", { extensions: { persistedQuery: { version: 1, sha256Hash: "abc" } } }],
  ["no version", { extensions: { persistedQuery: { sha256Hash: "0".repeat(64) } } }],
];
for (const [name, parameters] of malformed) {
  test(`contract §4 ${name} is 400, with the message in \`error\` and in \`errors\``, async ({
    service,
  }) => {
    for (const answer of [await get(service, parameters), await post(service, parameters)]) {
      assert.is(answer.status, 400);
      const { error, errors } = JSON.parse(answer.text);
      assert.equal(errors, [{ message: error.message, extensions: { code: "bad_request" } }]);
    }
  });
}

test("contract §4 a URL of more than 8192 characters is 414", async ({ service }) => {
  const short = urlOf({ query: "{ shop { name } }" });
  const longest = `${short}${"+".repeat(8_192 - short.length)}`;
  assert.is((await read(await service.get(longest))).status, 200);
  const { status, text } = await read(await service.get(`${longest}+`));
  assert.equal([status, JSON.parse(text).error.code], [414, "uri_too_long"]);
});

const persisted = (text: string, version = 1) => ({
  persistedQuery: { version, sha256Hash: hash("sha256", text, "hex") },
});

for (const [name, send] of [
  ["GET", get],
  ["POST", post],
] as const) {
  const text = `{ shop { name } } # ${name}`;

  test(`contract §4 ${name}: an unknown hash is PersistedQueryNotFound, until the text was sent`, async ({
    service,
  }) => {
    const extensions = persisted(text);
    const miss = await send(service, { extensions });
    assert.is(miss.status, 200);
    const code = "PERSISTED_QUERY_NOT_FOUND";
    const problem = { errors: [{ message: "PersistedQueryNotFound", extensions: { code } }] };
    assert.equal(JSON.parse(miss.text), problem);
    if (name === "GET") assert.is(miss.headers.get("cache-control"), "no-store");
    const registered = await send(service, { query: text, extensions });
    const hit = await send(service, { extensions });
    assert.equal([hit.status, hit.text], [registered.status, registered.text]);
    assert.ok(JSON.parse(hit.text).data.shop.name);
  });

  test(`contract §4 ${name}: another version is PersistedQueryNotSupported`, async ({
    service,
  }) => {
    const { status, text: body } = await send(service, {
      query: text,
      extensions: persisted(text, 2),
    });
    assert.is(status, 200);
    const code = "PERSISTED_QUERY_NOT_SUPPORTED";
    assert.equal(JSON.parse(body), {
      errors: [{ message: "PersistedQueryNotSupported", extensions: { code } }],
    });
  });

  test(`contract §4 ${name}: the hash of another text is 400, and is not kept`, async ({
    service,
  }) => {
    const extensions = persisted(`${text} other`);
    assert.is((await send(service, { query: text, extensions })).status, 400);
    assert.match((await send(service, { extensions })).text, "PersistedQueryNotFound");
  });
}

test("contract §4 rejected documents evict no kept text, and a cached answer does not stop it from being kept again", async ({
  service,
}) => {
  const text = "{ shop { name url } }";
  const extensions = persisted(text);
  const register = () => post(service, { query: text, extensions });
  await register();
  for (let at = 0; at < 20; at += 1) {
    const junk = `{ nothing${at} } #${"x".repeat(60_000)}`;
    await post(service, { query: junk, extensions: persisted(junk) });
  }
  assert.match((await post(service, { extensions })).text, '"data"');
  await register();
  // Valid documents that fill the memory of a process evict the text.
  for (let at = 0; at < 20; at += 1) {
    const other = `{ shop { name } } #${at}${"x".repeat(60_000)}`;
    await post(service, { query: other, extensions: persisted(other) });
  }
  assert.match((await post(service, { extensions })).text, "PersistedQueryNotFound");
  await register();
  assert.match((await post(service, { extensions })).text, '"data"');
});

test("contract §4 a text sent by POST answers its hash by GET", async ({ service }) => {
  const extensions = persisted(query);
  await post(service, { query, extensions, operationName: "Shop" });
  const { text } = await get(service, { extensions, variables, operationName: "One" });
  assert.equal(JSON.parse(text), one);
});

test("contract §4 a hash is the same in capitals", async ({ service }) => {
  const text = "{ shop { name } } # capitals";
  const { persistedQuery } = persisted(text);
  const capitals = { ...persistedQuery, sha256Hash: persistedQuery.sha256Hash.toUpperCase() };
  for (const send of [get, post]) {
    await post(service, { query: text, extensions: { persistedQuery: capitals } });
    for (const named of [capitals, persistedQuery]) {
      const hit = await send(service, { extensions: { persistedQuery: named } });
      assert.ok(JSON.parse(hit.text).data?.shop.name, hit.text);
    }
  }
});

test("contract §7 a preflight of /graphql allows every header that it asks for", async ({
  service,
}) => {
  const requested = "apollographql-client-name, x-apollo-operation-name, content-type";
  const { status, headers } = await fetch(`${service.url}/graphql`, {
    method: "OPTIONS",
    headers: {
      origin: "https://other.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": requested,
    },
  });
  assert.is(status, 204);
  const allowed = (headers.get("access-control-allow-headers") ?? "").toLowerCase().split(", ");
  for (const name of requested.split(", "))
    assert.is(allowed.filter((one) => one === name).length, 1, name);
  assert.is(headers.get("access-control-allow-origin"), "*");
});

test.run();

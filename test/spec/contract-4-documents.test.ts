import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  lexicographicSortSchema,
  printSchema,
} from "graphql";
import { serverAudits } from "graphql-http";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../src/package-info.ts";
import { settingsUpdated } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";
import { introspectionQuery } from "./published-schema.ts";

const test = suite<{ service: TestServer; description: string }>("contract §4 documents");

test.before(async (context) => {
  context.service = await openTestServer();
  context.service.apply(settingsUpdated());
  const { data } = await context.service.graphql<{ __schema: { description: string } }>(
    "{ __schema { description } }",
  );
  context.description = data.__schema.description;
});
test.after(({ service }) => service.close());

const path = "/graphql/schema.graphql";
const file = readFileSync(join(packageRoot, "schema", "graphql", "schema.graphql"));

test("contract §4 the introspection query passes, with no option and with all options", async ({
  service,
}) => {
  for (const query of [getIntrospectionQuery(), introspectionQuery]) {
    const { data, errors } = await service.graphql<IntrospectionQuery>(query);
    assert.is(errors, undefined, errors?.[0]?.message);
    buildClientSchema(data);
  }
});

test("contract §4 introspection and the published SDL give the same schema and descriptions", async ({
  service,
}) => {
  const { data } = await service.graphql<IntrospectionQuery>(introspectionQuery);
  const text = await (await service.get(path)).text();
  const [introspectedSdl, published] = [buildClientSchema(data), buildSchema(text)].map((schema) =>
    printSchema(lexicographicSortSchema(schema)),
  );
  assert.is(introspectedSdl, published);
});

test("contract §4 schema.graphql is served byte for byte", async ({ service }) => {
  const response = await service.get(path, { "accept-encoding": "identity" });
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.ok(bytes.equals(file));
  assert.is(response.headers.get("content-length"), String(file.length));
});

test("contract §4 schema.graphql has a strong ETag that is the same for each request", async ({
  service,
}) => {
  const etags = await Promise.all(
    [1, 2].map(async () => (await service.get(path)).headers.get("etag") ?? ""),
  );
  assert.match(etags[0] ?? "", /^"[^"]+"$/);
  assert.is(etags[0], etags[1]);
});

test("contract §4 schema.graphql answers 304 without a body when If-None-Match matches", async ({
  service,
}) => {
  const etag = (await service.get(path)).headers.get("etag") ?? "";
  for (const held of [etag, `"other", ${etag}`, `W/${etag}`, "*"]) {
    const response = await service.get(path, { "if-none-match": held });
    assert.is(response.status, 304, held);
    assert.is(await response.text(), "");
    assert.is(response.headers.get("etag"), etag);
  }
  assert.is((await service.get(path, { "if-none-match": '"other"' })).status, 200);
});

test("contract §4 HEAD of schema.graphql has the headers of GET and no body", async ({
  service,
}) => {
  const get = await service.get(path);
  const head = await service.request(path, { method: "HEAD" });
  assert.is(head.status, 200);
  assert.is(await head.text(), "");
  for (const header of ["content-length", "content-type", "etag", "cache-control"]) {
    assert.is(head.headers.get(header), get.headers.get(header), header);
  }
});

const times = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(" ");

/** Builds a document that has `count` of something and is valid in all other respects. */
const sized: Readonly<Record<string, (count: number) => string>> = {
  tokens: (count) => `{ ${times(count - 2, () => "__typename")} }`,
  aliases: (count) => `{ shop { ${times(count, (at) => `a${at}: name`)} } }`,
  "root fields": (count) => `{ ${times(count, () => "__typename")} }`,
  "fields in all": (count) => `{ shop { ${times(count - 1, () => "name")} } }`,
  "fragment definitions": (count) =>
    `{ shop { ${times(count, (at) => `...F${at}`)} } } ${times(count, (at) => `fragment F${at} on Shop { name }`)}`,
  "sum of the page sizes": (count) =>
    `{ ${times(Math.floor(count / 100), (at) => `p${at}: products(first: 100) { totalCount }`)} ${
      count % 100 === 0 ? "" : `rest: products(first: ${count % 100}) { totalCount }`
    } }`,
};

for (const ceiling of ["aliases", "root fields", "fragment definitions", "sum of the page sizes"]) {
  test(`contract §4 the SDL publishes the limit on ${ceiling}; one more is a top-level error`, async ({
    service,
    description,
  }) => {
    const most = publishedCeiling(description, ceiling);
    assert.is((await service.graphql(sized[ceiling]?.(most) ?? "")).errors, undefined);
    const { data, errors } = await service.graphql(sized[ceiling]?.(most + 1) ?? "");
    assert.is(data, undefined);
    assert.ok(errors?.length);
  });
}

test("contract §4 the SDL publishes the limit on tokens; one more is a top-level error", async ({
  service,
  description,
}) => {
  const most = publishedCeiling(description, "tokens");
  const document = (tokens: number) =>
    `{ ...F } fragment F on Query { shop { ${times(tokens - 13, () => "name")} } }`;
  const messages = async (tokens: number) =>
    (await service.graphql(document(tokens))).errors?.map(({ message }) => message).join() ?? "";
  assert.not.match(await messages(most), /token/i);
  assert.match(await messages(most + 1), /token/i);
});

test("contract §4 the SDL publishes the limit on the request body: 64 KB", async ({
  service,
  description,
}) => {
  const most = publishedCeiling(description, "request body");
  assert.is(most, 64 * 1024);
  const bare = JSON.stringify({ query: "{ __typename }#" });
  const padded = (bytes: number) =>
    JSON.stringify({ query: `{ __typename }#${"x".repeat(bytes - bare.length)}` });
  assert.is((await service.post(padded(most))).status, 200);
  assert.is((await service.post(padded(most + 1))).status, 413);
});

test("contract §4 the SDL publishes the depth limit of 12", ({ description }) => {
  assert.is(publishedCeiling(description, "selection depth"), 12);
});

test("contract §4 fragments do not evade the limits", async ({ service, description }) => {
  const most = publishedCeiling(description, "aliases");
  const half = times(Math.ceil(most / 2) + 1, (at) => `a${at}: name`);
  const { errors } = await service.graphql(
    `{ one: shop { ...F } two: shop { ...F } } fragment F on Shop { ${half} }`,
  );
  assert.ok(errors?.length);
});

/** Reads the number after the name of a limit in the description of the schema. */
const publishedCeiling = (description: string, name: string): number => {
  const line = description.split("\n").find((line) => line.startsWith(`- ${name}`));
  return Number(/: (\d+)/.exec(line ?? "")?.[1]);
};

test("contract §4 status codes and media types pass the graphql-http audits", async ({
  service,
}) => {
  const audits = serverAudits({ url: `${service.url}/graphql` });
  const failed: string[] = [];
  for (const audit of audits) {
    const { status } = await audit.fn();
    if (status !== "ok") failed.push(`${audit.id} ${audit.name}`);
  }
  assert.ok(audits.length >= 60);
  assert.equal(failed, []);
});

test("contract §4 GET /graphql from a browser serves GraphiQL, with every file from this server", async ({
  service,
}) => {
  const response = await service.get("/graphql", {
    accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  });
  assert.is(response.status, 200);
  assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
  const page = await response.text();
  assert.match(page, "GraphiQL");
  // The icon is an empty data URL, so browsers send no request for it.
  const addresses = [...page.matchAll(/(?:src|href)="([^"]+)"/g)]
    .map(([, address]) => address ?? "")
    .filter((address) => address !== "data:,");
  assert.ok(addresses.length > 1);
  for (const address of addresses) {
    assert.match(address, /^\/[^/]/);
    const asset = await service.get(address);
    await asset.arrayBuffer();
    assert.is(asset.status, 200, address);
  }
});

test("contract §4 any other GET of /graphql is 405 with Allow: POST", async ({ service }) => {
  for (const accept of [
    "*/*",
    "application/json",
    "text/plain",
    "application/graphql-response+json",
  ]) {
    const response = await service.get("/graphql", { accept });
    await response.arrayBuffer();
    assert.is(response.status, 405, accept);
    assert.is(response.headers.get("allow"), "POST");
  }
});

test.run();

import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { settingsUpdated } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";

const test = suite<{ service: TestServer; empty: TestServer }>("§7.2 HTTP errors");

test.before(async (context) => {
  context.service = await openTestServer();
  context.service.apply(settingsUpdated());
  context.empty = await openTestServer({ loaded: false });
});
test.after(async ({ service, empty }) => {
  await service.close();
  await empty.close();
});

interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly retry_after?: number;
  };
  /** Of /graphql (contract §4). */
  readonly errors?: readonly unknown[];
}

type Servers = { readonly service: TestServer; readonly empty: TestServer };

const query = "{ shop { name } }";
const overLimit = JSON.stringify({ query: `${query} #${" ".repeat(64 * 1024)}` });
const streamed = {
  method: "POST",
  duplex: "half",
  headers: { "content-type": "application/json" },
};

/** One request for each row that the routes of GraphQL can cause; `accept` is the client's Accept header. */
const rows: readonly {
  readonly status: number;
  readonly code: string;
  readonly when: string;
  readonly meet: (servers: Servers, accept: Record<string, string>) => Promise<Response>;
}[] = [
  {
    status: 400,
    code: "bad_request",
    when: "a body is not JSON",
    meet: ({ service }, accept) => service.post("{", accept),
  },
  {
    status: 400,
    code: "bad_request",
    when: "query is missing",
    meet: ({ service }, accept) => service.post({ variables: {} }, accept),
  },
  {
    status: 400,
    code: "bad_request",
    when: "query is not a string",
    meet: ({ service }, accept) => service.post({ query: 1 }, accept),
  },
  {
    status: 400,
    code: "bad_request",
    when: "variables is not an object",
    meet: ({ service }, accept) => service.post({ query, variables: [1] }, accept),
  },
  {
    status: 400,
    code: "bad_request",
    when: "a body is not an object",
    meet: ({ service }, accept) => service.post([{ query }], accept),
  },
  {
    status: 404,
    code: "not_found",
    when: "no route matches the path",
    meet: ({ service }, accept) => service.get("/graphql/nothing", accept),
  },
  {
    status: 405,
    code: "method_not_allowed",
    when: "/graphql is requested with a method other than POST",
    meet: ({ service }, headers) => service.request("/graphql", { method: "PUT", headers }),
  },
  {
    status: 405,
    code: "method_not_allowed",
    when: "the SDL is requested with a method other than GET",
    meet: ({ service }, headers) =>
      service.request("/graphql/schema.graphql", { method: "DELETE", headers }),
  },
  {
    status: 413,
    code: "payload_too_large",
    when: "a body is over 64 KB",
    meet: ({ service }, accept) => service.post(overLimit, accept),
  },
  {
    status: 413,
    code: "payload_too_large",
    when: "a body of unknown length exceeds 64 KB",
    meet: ({ service }, accept) =>
      service.request("/graphql", {
        ...streamed,
        headers: { ...streamed.headers, ...accept },
        body: new Blob([overLimit]).stream(),
      } as RequestInit),
  },
  {
    status: 415,
    code: "unsupported_media_type",
    when: "a body has no JSON Content-Type",
    meet: ({ service }, accept) =>
      service.post({ query }, { ...accept, "content-type": "text/plain" }),
  },
  {
    status: 415,
    code: "unsupported_media_type",
    when: "a body is a form",
    meet: ({ service }, headers) =>
      service.request("/graphql", {
        method: "POST",
        headers,
        body: new URLSearchParams({ query }),
      }),
  },
  {
    status: 503,
    code: "unavailable",
    when: "no model exists yet",
    meet: ({ empty }, accept) => empty.post({ query }, accept),
  },
];

for (const { status, code, when, meet } of rows) {
  test(`§7.2 ${status} ${code} when ${when}`, async (servers) => {
    for (const accept of ["application/json", "*/*", "application/graphql-response+json"]) {
      const response = await meet(servers, { accept });
      assert.is(response.status, status);
      const isGraphql = new URL(response.url).pathname === "/graphql";
      const type = isGraphql && accept !== "*/*" ? accept : "application/json";
      assert.is(response.headers.get("content-type"), `${type}; charset=utf-8`);
      const { error, errors } = (await response.json()) as ErrorBody;
      assert.is(error.code, code);
      assert.ok(error.message);
      const entry = { message: error.message, extensions: { code } };
      assert.equal(errors, isGraphql ? [entry] : undefined);
    }
  });

  test(`contract §7 ${status} is one line of text for a client that does not accept JSON, when ${when}`, async (servers) => {
    for (const accept of ["text/plain", "text/html"]) {
      const response = await meet(servers, { accept });
      assert.is(response.status, status);
      assert.match(response.headers.get("content-type") ?? "", /^text\/plain/);
      assert.match(await response.text(), /^[^\n{]+\n?$/);
    }
  });
}

test("§7.2 405 carries Allow", async ({ service }) => {
  const graphql = await service.request("/graphql", { method: "DELETE" });
  await graphql.arrayBuffer();
  assert.is(graphql.headers.get("allow"), "POST");
  const sdl = await service.request("/graphql/schema.graphql", { method: "POST" });
  await sdl.arrayBuffer();
  assert.is(sdl.headers.get("allow"), "GET, HEAD");
});

test("§7.2 503 carries Retry-After in seconds, equal to retry_after in the body", async ({
  empty,
}) => {
  const response = await empty.post({ query });
  const { error } = (await response.json()) as ErrorBody;
  assert.match(response.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
  assert.is(error.retry_after, Number(response.headers.get("retry-after")));
});

test("contract §7 503 lasts until a model exists; no empty catalogue is served", async () => {
  const service = await openTestServer({ loaded: false });
  assert.is((await service.post({ query })).status, 503);
  service.apply(settingsUpdated());
  service.load();
  assert.equal(await (await service.post({ query })).json(), {
    data: { shop: { name: "Example Shop" } },
  });
  await service.close();
});

test("contract §7 the SDL is served before a model exists", async ({ empty }) => {
  assert.is((await empty.get("/graphql/schema.graphql")).status, 200);
});

test("contract §7 a body of exactly 64 KB is accepted", async ({ service }) => {
  const bare = JSON.stringify({ query: `${query}#` });
  const padding = " ".repeat(64 * 1024 - bare.length);
  const response = await service.post(JSON.stringify({ query: `${query}#${padding}` }));
  assert.is(response.status, 200);
});

test("§7.2 a client that accepts JSON gets JSON, whatever parameters Accept has", async ({
  service,
}) => {
  for (const accept of [
    "application/json; charset=utf-8",
    "text/html, application/json;indent=4;q=0.5",
  ]) {
    const response = await service.get("/graphql/nothing", { accept });
    assert.is(((await response.json()) as ErrorBody).error.code, "not_found", accept);
  }
  const accept =
    "application/graphql-response+json; charset=utf-8, application/json; charset=utf-8";
  const answer = await service.post({ query: "{ nothing }" }, { accept });
  assert.match(answer.headers.get("content-type") ?? "", "application/graphql-response+json");
  assert.is(answer.status, 400);
});

test("contract §7 OPTIONS * is answered; other methods on * are 400", async ({ service }) => {
  const { port } = new URL(service.url);
  const ask = async (method: string): Promise<IncomingMessage> => {
    const sent = request({ port, host: "127.0.0.1", method, path: "*" }).end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    response.resume();
    return response;
  };
  const answer = await ask("OPTIONS");
  assert.equal([answer.statusCode, answer.headers.allow], [204, "GET, HEAD, POST, OPTIONS"]);
  assert.ok(answer.headers["ratelimit-remaining"]);
  assert.is((await ask("GET")).statusCode, 400);
});

test.run();

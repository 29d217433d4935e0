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
}

type World = { readonly service: TestServer; readonly empty: TestServer };

const query = "{ shop { name } }";
const overLimit = JSON.stringify({ query: `${query} #${" ".repeat(64 * 1024)}` });
const streamed = {
  method: "POST",
  duplex: "half",
  headers: { "content-type": "application/json" },
};

/** One way to meet each row that GraphQL's routes can meet; `accept` is what the client reads. */
const rows: readonly {
  readonly status: number;
  readonly code: string;
  readonly when: string;
  readonly meet: (world: World, accept: Record<string, string>) => Promise<Response>;
}[] = [
  {
    status: 400,
    code: "bad_request",
    when: "a body is no JSON",
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
    when: "query is no string",
    meet: ({ service }, accept) => service.post({ query: 1 }, accept),
  },
  {
    status: 400,
    code: "bad_request",
    when: "variables is no object",
    meet: ({ service }, accept) => service.post({ query, variables: [1] }, accept),
  },
  {
    status: 400,
    code: "bad_request",
    when: "a body is no object",
    meet: ({ service }, accept) => service.post([{ query }], accept),
  },
  {
    status: 404,
    code: "not_found",
    when: "nothing answers at an address",
    meet: ({ service }, accept) => service.get("/graphql/nothing", accept),
  },
  {
    status: 405,
    code: "method_not_allowed",
    when: "/graphql is met with another method than POST",
    meet: ({ service }, headers) => service.request("/graphql", { method: "PUT", headers }),
  },
  {
    status: 405,
    code: "method_not_allowed",
    when: "the SDL is met with another method than GET",
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
    when: "a body of unknown length turns out to be over 64 KB",
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
    when: "a body is not said to be JSON",
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
    when: "there is no model yet",
    meet: ({ empty }, accept) => empty.post({ query }, accept),
  },
];

for (const { status, code, when, meet } of rows) {
  test(`§7.2 ${status} ${code} when ${when}`, async (world) => {
    for (const accept of ["application/json", "*/*", "application/graphql-response+json"]) {
      const response = await meet(world, { accept });
      assert.is(response.status, status);
      assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
      const { error } = (await response.json()) as ErrorBody;
      assert.is(error.code, code);
      assert.ok(error.message);
    }
  });

  test(`contract §7 ${status} is one line of text to a client that does not accept JSON, when ${when}`, async (world) => {
    for (const accept of ["text/plain", "text/html"]) {
      const response = await meet(world, { accept });
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

test("§7.2 503 carries Retry-After in seconds, the same as retry_after in the body", async ({
  empty,
}) => {
  const response = await empty.post({ query });
  const { error } = (await response.json()) as ErrorBody;
  assert.match(response.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
  assert.is(error.retry_after, Number(response.headers.get("retry-after")));
});

test("contract §7 503 lasts until there is a model, and is never an empty catalogue", async () => {
  const service = await openTestServer({ loaded: false });
  assert.is((await service.post({ query })).status, 503);
  service.apply(settingsUpdated());
  service.load();
  assert.equal(await (await service.post({ query })).json(), {
    data: { shop: { name: "Example Shop" } },
  });
  await service.close();
});

test("contract §7 the SDL is there before the model", async ({ empty }) => {
  assert.is((await empty.get("/graphql/schema.graphql")).status, 200);
});

test("contract §7 a body of exactly 64 KB is read", async ({ service }) => {
  const bare = JSON.stringify({ query: `${query}#` });
  const padding = " ".repeat(64 * 1024 - bare.length);
  const response = await service.post(JSON.stringify({ query: `${query}#${padding}` }));
  assert.is(response.status, 200);
});

test("§7.2 whoever accepts JSON is answered in it, whatever parameters he adds", async ({
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

test("contract §7 OPTIONS may be asked of the service itself, and nothing else", async ({
  service,
}) => {
  const { port } = new URL(service.url);
  const ask = async (method: string): Promise<IncomingMessage> => {
    const asked = request({ port, host: "127.0.0.1", method, path: "*" }).end();
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    response.resume();
    return response;
  };
  const answer = await ask("OPTIONS");
  assert.equal([answer.statusCode, answer.headers.allow], [204, "GET, HEAD, POST, OPTIONS"]);
  assert.ok(answer.headers["ratelimit-remaining"]);
  assert.is((await ask("GET")).statusCode, 400);
});

test.run();

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  compressFast,
  createCompression,
  createForms,
} from "../../../src/http/representation/compression.ts";
import { conditional } from "../../../src/http/representation/conditional.ts";
import { readSdl } from "../../../src/surfaces/graphql/schema.ts";
import { productUpserted, settingsUpdated } from "../../helpers/events.ts";
import { openTestServer, type TestServer } from "../../helpers/test-server.ts";
import { serveHandler } from "../serve-handler.ts";

const test = suite<{ service: TestServer }>("compression");

test.before(async (context) => {
  context.service = await openTestServer();
  const products = Array.from({ length: 50 }, (_, at) => productUpserted({ id: at + 1 }));
  context.service.apply(settingsUpdated(), ...products);
});
test.after(({ service }) => service.close());

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Buffer;
}

/**
 * Reads the response as it comes over the wire: `fetch` would decompress it, and send Accept-Encoding by
 * itself.
 */
const ask = async (
  service: Pick<TestServer, "url">,
  path: string,
  headers: Record<string, string> = {},
  { method = "GET", body = "" } = {},
): Promise<Answer> => {
  const request = httpRequest(`${service.url}${path}`, { method, headers });
  request.end(body);
  const [response] = await once(request, "response");
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) };
};

const sdl = "/graphql/schema.graphql";
const graphql = (service: TestServer, query: string, headers: Record<string, string>) =>
  ask(
    service,
    "/graphql",
    { "content-type": "application/json", ...headers },
    { method: "POST", body: JSON.stringify({ query }) },
  );

const unpack = { br: brotliDecompressSync, gzip: gunzipSync };

for (const [acceptEncoding, encoding] of [
  ["gzip", "gzip"],
  ["br", "br"],
  ["gzip, deflate, br, zstd", "br"],
  ["br;q=0.5, gzip", "gzip"],
  ["br;q=0, *", "gzip"],
] as const) {
  test(`Accept-Encoding "${acceptEncoding}" gets ${encoding}`, async ({ service }) => {
    const { headers, bytes } = await ask(service, sdl, { "accept-encoding": acceptEncoding });
    assert.is(headers["content-encoding"], encoding);
    assert.is(headers["content-length"], String(bytes.length));
    assert.match(headers.vary ?? "", "Accept-Encoding");
    assert.is(headers["content-type"], "text/plain; charset=utf-8");
    assert.ok(readSdl().equals(unpack[encoding](bytes)));
    assert.ok(bytes.length < readSdl().length / 2);
  });
}

for (const acceptEncoding of ["", "identity", "deflate", "gzip;q=0", "nonsense;;q=x"]) {
  test(`Accept-Encoding "${acceptEncoding}" gets the plain bytes, with Vary`, async ({
    service,
  }) => {
    const { headers, bytes } = await ask(
      service,
      sdl,
      acceptEncoding ? { "accept-encoding": acceptEncoding } : {},
    );
    assert.is(headers["content-encoding"], undefined);
    assert.match(headers.vary ?? "", "Accept-Encoding");
    assert.ok(readSdl().equals(bytes));
  });
}

test("each encoding has its own strong ETag, and each of them is answered 304 while the content is the same", async ({
  service,
}) => {
  const tags = new Map<string, string>();
  for (const encoding of ["identity", "gzip", "br"]) {
    const { headers } = await ask(service, sdl, { "accept-encoding": encoding });
    tags.set(encoding, headers.etag ?? "");
  }
  assert.is(new Set(tags.values()).size, 3);
  for (const [encoding, tag] of tags) {
    for (const other of tags.keys()) {
      const headers = { "accept-encoding": other, "if-none-match": tag };
      const { status, headers: got, bytes } = await ask(service, sdl, headers);
      assert.is(status, 304, `${encoding} asked as ${other}`);
      // It names the copy that the client has.
      assert.is(got.etag, tag);
      assert.match(got.vary ?? "", "Accept-Encoding");
      assert.is(bytes.length, 0);
      assert.is(got["content-encoding"], undefined);
    }
  }
});

test("HEAD has the headers of GET", async ({ service }) => {
  for (const encoding of ["identity", "gzip", "br"]) {
    const acceptEncoding = { "accept-encoding": encoding };
    const get = await ask(service, sdl, acceptEncoding);
    const head = await ask(service, sdl, acceptEncoding, { method: "HEAD" });
    for (const name of ["content-encoding", "content-length", "etag", "vary", "content-type"]) {
      assert.is(head.headers[name], get.headers[name], `${name} of ${encoding}`);
    }
    assert.is(head.bytes.length, 0);
  }
});

test("a long GraphQL response is compressed when it is sent again, and answers each client in its encoding", async ({
  service,
}) => {
  const query = "{ products(first: 50) { nodes { id name description } } }";
  const encodings: (string | undefined)[] = [];
  for (const accepted of ["gzip", "gzip", "gzip", "br", "identity", "br"]) {
    const { headers, bytes } = await graphql(service, query, { "accept-encoding": accepted });
    const encoding = headers["content-encoding"] as keyof typeof unpack | undefined;
    encodings.push(encoding);
    const { data } = JSON.parse(String(encoding ? unpack[encoding](bytes) : bytes));
    assert.is(data.products.nodes.length, 50);
    assert.match(headers.vary ?? "", "Accept-Encoding");
  }
  // The first is sent once, the second is cached, and the later ones come from the cache.
  assert.equal(encodings, [undefined, undefined, "gzip", "br", undefined, "br"]);
});

test("a short GraphQL response is never compressed", async ({ service }) => {
  for (let turn = 0; turn < 4; turn += 1) {
    const { headers } = await graphql(service, "{ shop { name } }", { "accept-encoding": "gzip" });
    assert.is(headers["content-encoding"], undefined);
  }
});

test("a reply that is sent once is compressed only from 256 KB on", async () => {
  for (const [length, encoding] of [
    [262_143, undefined],
    [262_144, "br"],
  ] as const) {
    const reply = { status: 200, body: "x".repeat(length), type: "text/plain" };
    const { url, close } = await serveHandler(createCompression()(() => reply));
    for (let turn = 0; turn < 3; turn += 1) {
      const { headers } = await ask({ url }, "/", { "accept-encoding": "br" });
      assert.is(headers["content-encoding"], encoding);
    }
    await close();
  }
});

test("an error is not compressed", async ({ service }) => {
  const { headers } = await ask(service, "/nothing", { "accept-encoding": "br" });
  assert.is(headers["content-encoding"], undefined);
  assert.is(headers["cache-control"], "no-store");
});

test("a response is sent uncompressed when too much waits for compression", async () => {
  const text = randomBytes(200_000).toString("hex");
  const reply = { status: 200, body: text, type: "text/plain", etag: '"text"' };
  const { url, close } = await serveHandler(createCompression(0)(conditional(() => reply)));
  const acceptEncoding = { "accept-encoding": "br" };
  const answers = await Promise.all([
    ask({ url }, "/", acceptEncoding),
    ask({ url }, "/", acceptEncoding),
  ]);
  const encodings = answers.map(({ headers }) => headers["content-encoding"]);
  assert.equal(encodings.sort(), ["br", undefined]);
  for (const { headers, bytes } of answers) {
    const plain = headers["content-encoding"] === "br" ? brotliDecompressSync(bytes) : bytes;
    assert.is(String(plain), text);
    assert.is(headers.vary, "Accept-Encoding");
    assert.is(headers.etag, headers["content-encoding"] === "br" ? '"text.br"' : '"text"');
  }
  await close();
});

const large = "merchant text ".repeat(30_000);
const br = { "accept-encoding": "br" };

test("a reply with no-store is not compressed, however large it is", async () => {
  for (const [cacheControl, encoding] of [
    ["no-store", undefined],
    ["no-cache", "br"],
  ] as const) {
    const headers = ["Cache-Control", cacheControl];
    const reply = { status: 200, body: large, type: "application/json", headers };
    const server = await serveHandler(createCompression()(() => reply));
    try {
      assert.is((await ask(server, "/", br)).headers["content-encoding"], encoding, cacheControl);
    } finally {
      await server.close();
    }
  }
});

test("a compression that fails is tried again at the next request", async () => {
  let calls = 0;
  const forms = createForms(async (bytes, encoding) => {
    calls += 1;
    if (calls === 1) throw new Error("out of memory");
    return compressFast(bytes, encoding);
  });
  const compressed = createCompression()(() => ({
    ...{ status: 200, body: large, type: "text/plain", forms },
  }));
  const server = await serveHandler(async (exchange) => {
    try {
      return await compressed(exchange);
    } catch {
      return { status: 500, body: "failed" };
    }
  });
  try {
    assert.is((await ask(server, "/", br)).status, 500);
    const { status, bytes } = await ask(server, "/", br);
    assert.is(status, 200);
    assert.is(brotliDecompressSync(bytes).toString(), large);
    await ask(server, "/", br);
    assert.is(calls, 2, "a successful compression is kept");
  } finally {
    await server.close();
  }
});

test.run();

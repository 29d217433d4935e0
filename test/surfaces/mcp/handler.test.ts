import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createLogger } from "../../../src/log.ts";
import type { BatchScheduler } from "../../../src/surfaces/mcp/batch.ts";
import { createMcp } from "../../../src/surfaces/mcp/handler.ts";
import { shopTools } from "../../../src/surfaces/mcp/tools/tool-sets.ts";
import { aProduct, aShop, memoryReader } from "../../helpers/reader.ts";

const test = suite("MCP surface");

const surface = () =>
  createMcp({ baseUrl: "https://x.example", log: createLogger("silent", "test") }, shopTools);
const noHeaders = { version: undefined, method: undefined, name: undefined };
/** A scheduler without other requests. */
const atOnce: BatchScheduler = {
  runExclusively: (work) => work(),
  acquireReader: async () => undefined,
};
const noDetail = { markdown: null, categoryIds: [], specifications: [], images: [] };

/** A shop with one product, whose id is also its name. */
const shopOf = (id: number) =>
  memoryReader(() => ({
    shop: aShop(),
    products: [aProduct({ id, name: `product ${id}` })],
    details: new Map([[id, noDetail]]),
  }));

const call = (id: number) =>
  Buffer.from(
    JSON.stringify({
      jsonrpc: "2.0",
      id: 7,
      method: "tools/call",
      params: { name: "get_product", arguments: { product_id: id } },
    }),
  );

test("concurrent requests with the same request id are each answered from their own model", async () => {
  const mcp = surface();
  const ids = Array.from({ length: 50 }, (_, index) => index + 1);
  const answers = await Promise.all(ids.map((id) => mcp(shopOf(id), call(id), noHeaders, atOnce)));
  for (const [at, { body = "" }] of answers.entries()) {
    const { id, result } = JSON.parse(body);
    assert.is(id, 7);
    assert.is(result.structuredContent.product.name, `product ${ids[at]}`);
  }
});

test("concurrent handshakes with the same request id each get their requested revision", async () => {
  const mcp = surface();
  const wanted = Array.from({ length: 50 }, (_, at) => (at % 2 ? "2025-06-18" : "2025-11-25"));
  const hello = (protocolVersion: string) =>
    Buffer.from(
      JSON.stringify({
        jsonrpc: "2.0",
        id: 7,
        method: "initialize",
        params: {
          protocolVersion,
          capabilities: {},
          clientInfo: { name: "test", version: "1.0.0" },
        },
      }),
    );
  const answers = await Promise.all(
    wanted.map((version) => mcp(shopOf(1), hello(version), noHeaders, atOnce)),
  );
  const agreed = answers.map(({ body = "" }) => JSON.parse(body).result?.protocolVersion);
  assert.equal(agreed, wanted);
});

for (const id of ["1.5", "9007199254740993", "-0.1", "1e400"]) {
  test(`the id ${id} is refused, because an answer could not repeat it`, async () => {
    const body = Buffer.from(`{"jsonrpc":"2.0","id":${id},"method":"tools/list"}`);
    const answer = await surface()(shopOf(1), body, noHeaders, atOnce);
    const { id: repeated, error } = JSON.parse(answer.body ?? "");
    assert.equal([answer.status, repeated, error.code], [400, null, -32600]);
  });
}

test("the list of tools is the same bytes each time", async () => {
  const mcp = surface();
  const list = () =>
    mcp(
      shopOf(1),
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/list"}'),
      noHeaders,
      atOnce,
    );
  const [one, other] = [await list(), await list()];
  assert.ok(one.body && one.body === other.body);
});

test("an exception of the model is reported as INTERNAL without its message", async () => {
  const failing = {
    ...shopOf(1),
    snapshot: (): never => {
      throw new Error("a secret path");
    },
  };
  const { body = "" } = await surface()(failing, call(1), noHeaders, atOnce);
  const { result } = JSON.parse(body);
  assert.is(result.isError, true);
  assert.is(result.structuredContent.code, "INTERNAL");
  assert.not.match(body, "secret");
});

test.run();

import { Ajv2020 } from "ajv/dist/2020.js";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type ObjectSchema, readDefinition } from "../../src/surfaces/mcp/tools/definition.ts";
import { categoryUpserted, settingsUpdated } from "../helpers/events.ts";
import { openTestServer, type TestServer } from "../helpers/test-server.ts";

interface Tool {
  readonly name: string;
  readonly inputSchema: object;
  readonly outputSchema: object & { readonly description?: string };
}

const test = suite<{ service: TestServer; tools: readonly Tool[] }>("contract §5 schemas of tools");

const call = async <T>(service: TestServer, path: string, method: string, params?: object) => {
  const response = await service.request(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return ((await response.json()) as { readonly result: T }).result;
};

test.before(async (context) => {
  context.service = await openTestServer({ toolsAccess: "open" });
  context.service.apply(
    settingsUpdated(),
    ...[1, 2, 3, 4, 5, 6].map((id) => categoryUpserted({ id, parentId: id === 1 ? null : id - 1 })),
  );
  const lists = await Promise.all(
    ["/agent/mcp", "/agent/mcp/research"].map((path) =>
      call<{ readonly tools: readonly Tool[] }>(context.service, path, "tools/list"),
    ),
  );
  context.tools = lists.flatMap(({ tools }) => tools);
});
test.after(({ service }) => service.close());

/** Keywords that OpenAI's strict functions, Gemini's function declarations and converters to zod read. */
const readKeywords = [
  ...["type", "properties", "required", "additionalProperties", "items", "enum", "anyOf"],
  ...["title", "description", "default", "minimum", "maximum", "minItems", "maxItems"],
  ...["minLength", "maxLength", "pattern"],
];

/** Lists the keywords of a schema and its parts. */
const keywordsOf = (schema: unknown): readonly string[] => {
  if (Array.isArray(schema)) return schema.flatMap(keywordsOf);
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => [
    keyword,
    ...(keyword === "properties" ? Object.values(value).flatMap(keywordsOf) : keywordsOf(value)),
  ]);
};

test("contract §5 tools/list has only keywords that the converters of clients read", ({
  tools,
}) => {
  assert.is(tools.length, 9);
  for (const { name, inputSchema, outputSchema } of tools) {
    const keywords = [inputSchema, outputSchema].flatMap(keywordsOf);
    const unread = keywords.filter((keyword) => !readKeywords.includes(keyword));
    assert.equal(unread, [], name);
  }
});

test("contract §5 a flattened schema describes its alternatives", ({ tools }) => {
  const descriptions = new Map(
    tools.map(({ name, outputSchema }) => [name, outputSchema.description]),
  );
  const expected = "A result has product. An error has code, field, message instead.";
  assert.is(descriptions.get("get_product"), expected);
});

test("contract §5 three levels of categories are written out, and deeper trees conform", async ({
  service,
  tools,
}) => {
  const schema = tools.find(({ name }) => name === "list_categories")?.outputSchema ?? {};
  assert.is(JSON.stringify(schema).match(/"product_count":/g)?.length, 3);
  const params = { name: "list_categories", arguments: {} };
  type Result = { readonly structuredContent: unknown };
  const { structuredContent } = await call<Result>(service, "/agent/mcp", "tools/call", params);
  assert.match(JSON.stringify(structuredContent), '"depth":6');
  assert.ok(new Ajv2020().compile(schema)(structuredContent));
});

test("contract §5 a flattened schema has the members of the full one", ({ tools }) => {
  for (const { name, inputSchema, outputSchema } of tools) {
    const full = readDefinition(name);
    assert.equal(inputSchema, full.inputSchema, name);
    const [flat, all] = [outputSchema, full.outputSchema].map((schema) =>
      Object.keys((schema as ObjectSchema).properties),
    );
    assert.equal(flat, all, name);
  }
});

test.run();

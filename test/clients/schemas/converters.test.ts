/** Converters of the schemas of tools: two to Zod, that of the OpenAI Agents SDK to strict schemas, and Google's. */
import { getAllMcpTools, MCPServerStreamableHttp } from "@openai/agents";
import { jsonSchemaToZod } from "json-schema-to-zod";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { z } from "zod";
import { convertJsonSchemaToZod } from "zod-from-json-schema";
import { findRejectedFields } from "./google.ts";
import { connect, endpoints, requestInit } from "./tools.ts";

/** Converters may change a schema. */
const copy = (schema: object) => JSON.parse(JSON.stringify(schema));

/** json-schema-to-zod writes code. */
const evaluate = (code: string): z.ZodType => new Function("z", `return ${code}`)(z);

const converters: readonly (readonly [string, (schema: object) => z.ZodType])[] = [
  ["zod-from-json-schema", (schema) => convertJsonSchemaToZod(copy(schema))],
  ["json-schema-to-zod", (schema) => evaluate(jsonSchemaToZod(copy(schema)))],
];

const test = suite("converters of schemas");

for (const endpoint of endpoints) {
  const client = await connect(endpoint);
  const { tools } = await client.listTools();

  test(`lists the tools: ${Object.keys(endpoint.tools)}`, () => {
    assert.equal(tools.map(({ name }) => name).sort(), Object.keys(endpoint.tools).sort());
  });

  for (const { name, inputSchema, outputSchema } of tools) {
    const args = { ...endpoint.tools[name] };
    assert.ok(outputSchema, `${name} has no output schema`);

    test(`${name}: the schemas have no keyword that converters ignore`, () => {
      const text = JSON.stringify([inputSchema, outputSchema]);
      assert.equal(text.match(/"(\$ref|\$defs|oneOf|const)":/g), null);
    });

    for (const [converter, convert] of converters)
      test(`${name}: ${converter} accepts arguments and result, and rejects more`, async () => {
        const { structuredContent } = await client.callTool({ name, arguments: args });
        const [input, output] = [convert(inputSchema), convert(outputSchema)];
        input.parse(args);
        assert.equal(output.parse(structuredContent), structuredContent);
        assert.not(input.safeParse({ ...args, other: 1 }).success);
        assert.not(output.safeParse(Object.assign({ other: 1 }, structuredContent)).success);
      });

    test(`${name}: Google's API has all fields of the converted schemas`, async () => {
      assert.equal(await findRejectedFields(inputSchema), []);
      assert.equal(await findRejectedFields(outputSchema), []);
    });
  }

  test(`OpenAI Agents makes the input schemas strict: ${Object.keys(endpoint.tools)}`, async () => {
    const server = new MCPServerStreamableHttp({ url: endpoint.url, requestInit });
    await server.connect();
    try {
      const strict = await getAllMcpTools({ mcpServers: [server], convertSchemasToStrict: true });
      assert.equal(
        strict.map((tool) => tool.type === "function" && [tool.name, tool.strict]),
        tools.map(({ name }) => [name, true]),
      );
    } finally {
      await server.close();
    }
  });

  test.after(() => client.close());
}

test.run();

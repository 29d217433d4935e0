import { GraphQLEnumType, GraphQLObjectType, type GraphQLSchema } from "graphql";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openTestServer } from "../helpers/test-server.ts";
import { introspected, publishedSdl } from "./published-schema.ts";
import { enums, types } from "./section-2-tables.ts";

const test = suite<{ schema: GraphQLSchema; sdlTypes: ReadonlyMap<string, readonly string[]> }>(
  "§2 types",
);

test.before(async (context) => {
  const service = await openTestServer();
  context.schema = await introspected(service);
  const sdl = await publishedSdl(service);
  context.sdlTypes = new Map(
    sdl.definitions.flatMap((definition) =>
      definition.kind === "ObjectTypeDefinition"
        ? [[definition.name.value, (definition.fields ?? []).map(({ name }) => name.value)]]
        : [],
    ),
  );
  await service.close();
});

for (const [typeName, fields] of Object.entries(types)) {
  for (const [fieldName, type] of Object.entries(fields)) {
    test(`§2 ${typeName}.${fieldName} is ${type}`, ({ schema, sdlTypes }) => {
      const owner = schema.getType(typeName);
      assert.instance(owner, GraphQLObjectType);
      const field = (owner as GraphQLObjectType).getFields()[fieldName];
      assert.is(String(field?.type), type);
      assert.ok(sdlTypes.get(typeName)?.includes(fieldName), "the SDL has it too");
      assert.ok(field?.description, "it says what it means");
    });
  }
}

for (const [name, members] of Object.entries(enums)) {
  test(`§2 ${name} has the members ${members.join(", ")}`, ({ schema }) => {
    const type = schema.getType(name);
    assert.instance(type, GraphQLEnumType);
    const names = (type as GraphQLEnumType).getValues().map((value) => value.name);
    for (const member of members) assert.ok(names.includes(member), member);
  });
}

test("§2 only String, Int, Float, Boolean and ID are scalars", ({ schema }) => {
  const scalars = Object.values(schema.getTypeMap()).filter(
    (type) => "parseLiteral" in type && !("getValues" in type),
  );
  const builtIn = ["String", "Int", "Float", "Boolean", "ID"];
  assert.equal(
    scalars.map(({ name }) => name).filter((name) => !builtIn.includes(name)),
    [],
  );
});

test.run();

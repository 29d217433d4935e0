import fc from "fast-check";
import {
  buildSchema,
  getOperationAST,
  getVariableValues,
  type OperationDefinitionNode,
  parse,
} from "graphql";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createCoercion } from "../../../../src/surfaces/graphql/compiled/variables.ts";
import { property } from "../../../helpers/effort.ts";

const test = suite("coercion of variables");
const schema = buildSchema(`
  enum Sort { NAME PRICE }
  input Range { min: Int, max: Int = 9 }
  type Query { nothing(a: ID, b: String, c: Int, d: Float, e: Sort, f: Range): Boolean }
`);

const types = ["ID", "String", "Int", "Boolean", "Float", "Sort", "Range", "[ID!]", "[Int]"];
const defaults: Readonly<Record<string, string>> = { ID: '"7"', Int: "3", Boolean: "true" };

const definition = fc
  .tuple(fc.constantFrom(...types), fc.boolean(), fc.boolean())
  .map(([type, isRequired, hasDefault]) => {
    const value = hasDefault ? defaults[type] : undefined;
    return `${type}${isRequired ? "!" : ""}${value === undefined ? "" : ` = ${value}`}`;
  });

const value = fc.oneof(
  fc.constantFrom(
    null,
    "",
    "1",
    0,
    -0,
    1.5,
    2 ** 31,
    -(2 ** 31),
    true,
    "NAME",
    "PRICE",
    "toString",
  ),
  fc.constantFrom<unknown>([], ["1"], [1, null], {}, { min: 1 }, { min: "1" }, { other: 1 }),
  fc.string(),
  fc.integer(),
);

const names = ["a", "b", "constructor"] as const;
const cases = fc.tuple(
  fc.array(definition, { maxLength: names.length }),
  fc.dictionary(fc.constantFrom(...names, "__proto__", "undeclared"), value),
);

const operationOf = (definitions: readonly string[]): OperationDefinitionNode => {
  const declared = definitions.map((type, at) => `$${names[at]}: ${type}`).join(", ");
  const document = parse(`query ${declared && `(${declared})`} { nothing }`);
  return getOperationAST(document) as OperationDefinitionNode;
};

test("coercion gives the values of graphql-js, or rejects what graphql-js rejects", () => {
  const runs = property(2_000);
  let passed = 0;
  fc.assert(
    fc.property(cases, ([definitions, given]) => {
      const operation = operationOf(definitions);
      const own = createCoercion(schema, operation)(given);
      const its = getVariableValues(schema, operation.variableDefinitions ?? [], given, {
        maxErrors: 10,
      });
      if (its.errors) {
        assert.equal(
          own.errors?.map(({ message }) => message),
          its.errors.map(({ message }) => message),
        );
        return;
      }
      if (own.errors) throw new Error(`refused: ${own.errors[0]?.message}`);
      assert.equal(Object.entries(own.variables), Object.entries(its.coerced));
      passed += 1;
    }),
    runs,
  );
  assert.ok(passed > runs.numRuns / 20, `only ${passed} were valid`);
});

test.run();

import {
  GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getOperationAST,
  parse,
  validate,
} from "graphql";
import { pino } from "pino";
import * as assert from "uvu/assert";
import type { Reader } from "../../../../src/read-model/reader/reader.ts";
import { compilePlan } from "../../../../src/surfaces/graphql/compiled/compile.ts";
import { createExecute, type Execute } from "../../../../src/surfaces/graphql/execute.ts";
import { createSchema, readSdl } from "../../../../src/surfaces/graphql/schema.ts";

export const schema = createSchema(readSdl().toString());

/** Executes by plans, which are compiled at the first run of a document. */
export const createPlanned = (onFallback = () => {}): Execute =>
  createExecute(schema, compilePlan, onFallback);

const log = pino({ level: "silent" });

interface Answer {
  /** The response body as the client reads it, with the order of its fields. */
  readonly body: string;
  readonly byPlan: boolean;
}

/** Parses a document and executes it `times` times, once when omitted, and returns the last answer. */
export const answer = (
  execute: Execute,
  reader: Reader,
  text: string,
  variables: object,
  times = 1,
): Answer => {
  const document = parse(text);
  assert.equal(validate(schema, document), [], text);
  const operation = getOperationAST(document);
  if (!operation) throw new Error("no operation");
  const run = () =>
    reader.snapshot((snapshot) => {
      const context = {
        snapshot,
        baseUrl: "https://agents.shop.example",
        log,
        budget: { fields: 0, characters: 0, variants: 0, isIncomplete: false },
      };
      return execute({ document, operation, variables: { ...variables }, context });
    });
  const executed = Array.from({ length: times }, run).at(-1);
  if (executed?.text === undefined) return { body: JSON.stringify(executed), byPlan: false };
  return { body: Buffer.from(executed.text, "latin1").toString(), byPlan: true };
};

/**
 * Checks that a document is answered as by graphql-js alone, at its first and its second run: by a plan, unless graphql-js
 * executes introspection or reports errors.
 * @returns whether a plan answered
 */
export const answersAlike = (reader: Reader, text: string, variables: object): boolean => {
  const withoutPlans = createExecute(
    schema,
    () => undefined,
    () => {},
  );
  const { body } = answer(withoutPlans, reader, text, variables);
  const byPlan = !JSON.parse(body).errors && !/__(schema|type)\b/.test(text);
  for (const times of [1, 2])
    assert.equal(answer(createPlanned(), reader, text, variables, times), { body, byPlan }, text);
  return byPlan;
};

/** Writes a document of root fields, `name: field(arguments)`, with every field of every type below them. */
export const selectEverything = (...roots: readonly string[]): string => {
  const fields = schema.getQueryType()?.getFields() ?? {};
  const selections = roots.map((root) => {
    const [name = ""] = /\w+(?=\(|$)/.exec(root) ?? [];
    return `${root} ${selectAll(fields[name]?.type)}`;
  });
  return `{ ${selections.join(" ")} }`;
};

const selectAll = (type: GraphQLOutputType | undefined): string => {
  const named = type && getNamedType(type);
  if (!(named instanceof GraphQLObjectType)) return "";
  const fields = Object.values(named.getFields()).map(
    ({ name, type }) => `${name}${name === "variant" ? "(id: 2)" : ""} ${selectAll(type)}`,
  );
  return `{ ${fields.join(" ")} }`;
};

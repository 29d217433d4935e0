import { getOperationAST, parse, validate } from "graphql";
import { pino } from "pino";
import * as assert from "uvu/assert";
import type { Reader } from "../../../../src/read-model/reader/reader.ts";
import { compilePlan } from "../../../../src/surfaces/graphql/compiled/compile.ts";
import { createExecute, type Execute } from "../../../../src/surfaces/graphql/execute.ts";
import { createSchema, readSdl } from "../../../../src/surfaces/graphql/schema.ts";

export const schema = createSchema(readSdl().toString());

/** Executes by plans from the second run of a document on. */
export const createPlanned = (onFallback = () => {}): Execute =>
  createExecute(schema, compilePlan, onFallback);

const log = pino({ level: "silent" });

interface Answer {
  /** The response body as the client reads it, with the order of its fields. */
  readonly body: string;
  readonly byPlan: boolean;
}

/** Executes a document `times` times, and returns the last answer. */
export const answer = (
  execute: Execute,
  reader: Reader,
  text: string,
  variables: object,
  times: number,
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
        budget: { fields: 0, characters: 0, isIncomplete: false },
      };
      return execute({ document, operation, variables: { ...variables }, context });
    });
  const executed = Array.from({ length: times }, run).at(-1);
  if (executed?.text === undefined) return { body: JSON.stringify(executed), byPlan: false };
  return { body: Buffer.from(executed.text, "latin1").toString(), byPlan: true };
};

/** Checks that a document is answered by its compiled plan, if it has one, as by graphql-js alone. */
export const answersAlike = (reader: Reader, text: string, variables: object): void => {
  const withoutPlans = createExecute(
    schema,
    () => undefined,
    () => {},
  );
  const expected = answer(withoutPlans, reader, text, variables, 1);
  const planned = answer(createPlanned(), reader, text, variables, 3);
  assert.is(planned.body, expected.body, text);
};

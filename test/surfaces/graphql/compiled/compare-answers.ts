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
  /** As the client would read it: order of fields included. */
  readonly body: string;
  readonly byPlan: boolean;
}

/** Runs a document `times`, and gives the last answer. */
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
        budget: { characters: 0, isIncomplete: false },
      };
      return execute({ document, operation, variables: { ...variables }, context });
    });
  const executed = Array.from({ length: times }, run).at(-1);
  if (executed?.text === undefined) return { body: JSON.stringify(executed), byPlan: false };
  return { body: Buffer.from(executed.text, "latin1").toString(), byPlan: true };
};

/** A document is answered by its plan, where it has one, as graphql-js alone answers it. */
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

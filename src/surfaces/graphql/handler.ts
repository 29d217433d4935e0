import { type ExecutionResult, GraphQLError, getOperationAST } from "graphql";
import type { Logger } from "../../log.ts";
import type { Footprint, Reader } from "../../read-model/reader/reader.ts";
import type { compilePlan } from "./compiled/compile.ts";
import { createDocuments } from "./document-cache.ts";
import { createExecute, type Run } from "./execute.ts";
import { runRequest } from "./helix-adapter.ts";
import { createReadRequest } from "./parse-request.ts";
import { createSchema } from "./schema.ts";
import { internalMessage } from "./user-errors.ts";

/** What a response may be served as; the first is for a client that has no wish. */
export const mediaTypes = ["application/json", "application/graphql-response+json"] as const;
export type MediaType = (typeof mediaTypes)[number];

export type GraphqlAnswer =
  /** The body is no GraphQL request at all: 400 in the service's own error shape. */
  | { readonly refused: string }
  | {
      readonly refused?: undefined;
      readonly status: number;
      readonly body: string | KnownAnswer;
    };

/** Answers POST bodies, each from one moment of the model (§4.1). */
export interface GraphqlSurface {
  /** @param ran what `runKnown` gave for this body: of this reader, it is told instead of run again */
  answer(reader: Reader, body: Uint8Array, type: MediaType, ran?: Ran): Promise<GraphqlAnswer>;
  /** Runs a document that ran before, at once; undefined for another. */
  runKnown(reader: Reader, body: Uint8Array): Ran | undefined;
}

/** What came of a document that ran. */
export type Ran = { readonly reader: Reader } & (
  | { readonly known: KnownAnswer }
  /** There is more to tell than data: `answer` tells it. */
  | { readonly known?: undefined; readonly result: ExecutionResult }
);

/** Status 200, in either media type. */
export interface KnownAnswer {
  /** JSON, each byte of its UTF-8 as one character. */
  readonly text: string;
  readonly footprint: Footprint | undefined;
}

export interface GraphqlWorld {
  /** The published schema. */
  readonly sdl: string;
  readonly baseUrl: string;
  readonly log: Logger;
  /** How documents are compiled; the default is a plan at the second use. */
  readonly compile?: typeof compilePlan;
}

export const createGraphql = ({ sdl, baseUrl, log, compile }: GraphqlWorld): GraphqlSurface => {
  const schema = createSchema(sdl);
  const documents = createDocuments(schema);
  const execute = createExecute(schema, compile);
  const readRequest = createReadRequest();
  const run = (reader: Reader, operation: Omit<Run, "context">) =>
    reader.snapshot((moment, footprint) => {
      const told = { characters: 0, isIncomplete: false };
      const executed = execute({ ...operation, context: { moment, baseUrl, log, told } });
      // Such an answer is not kept: to ask again is safe, and may be answered.
      return { executed, footprint: told.isIncomplete ? undefined : footprint };
    });

  return {
    async answer(reader, body, type, ran) {
      if (ran?.reader === reader) {
        return ran.known ? { status: 200, body: ran.known } : told(ran.result, type, log);
      }
      const request = readRequest(body);
      if (typeof request === "string") return { refused: request };
      const { variables } = request;
      let planned: KnownAnswer | undefined;
      const result = await runRequest(schema, documents, request, (document, operation) => {
        const { executed, footprint } = run(reader, { document, operation, variables });
        if (executed.text === undefined) return executed;
        planned = { text: executed.text, footprint };
        return {};
      });
      if (planned) return { status: 200, body: planned };
      return told(result, type, log);
    },
    runKnown(reader, body) {
      const request = readRequest(body);
      if (typeof request === "string") return undefined;
      const document = documents.known(request.query);
      const operation = document && getOperationAST(document, request.operationName);
      if (!operation) return undefined;
      const { variables } = request;
      const { executed, footprint } = run(reader, { document, operation, variables });
      if (executed.text !== undefined) return { reader, known: { text: executed.text, footprint } };
      if (executed.errors) return { reader, result: executed };
      const text = Buffer.from(JSON.stringify(executed)).toString("latin1");
      return { reader, known: { text, footprint } };
    },
  };
};

const told = (result: ExecutionResult, type: MediaType, log: Logger): GraphqlAnswer => {
  const payload = masked(result, log);
  return { status: statusOf(payload, type), body: JSON.stringify(payload) };
};

/** Only a failure below a resolver has a path, or an argument its variable had no value for. No client is told what was thrown. */
const masked = (result: ExecutionResult, log: Logger): ExecutionResult => {
  if (!result.errors?.some((error) => error.path)) return result;
  return {
    ...result,
    errors: result.errors.map((error) => {
      if (isAskedWrong(error)) return error;
      log.error({ err: error.originalError ?? error, path: error.path }, "a GraphQL field failed");
      return new GraphQLError(internalMessage, { path: error.path });
    }),
  };
};

/** What graphql-js finds at an argument is told as an error of its own kind; what a resolver throws, or lacks, is another. */
const isAskedWrong = ({ path, originalError }: GraphQLError): boolean =>
  !path || originalError instanceof GraphQLError;

/**
 * The codes of GraphQL over HTTP. A legacy client (`application/json`) reads 200 whenever its
 * request was well-formed; the newer type says 400 when nothing ran and 500 when nothing could be told.
 */
const statusOf = ({ data, errors }: ExecutionResult, type: MediaType): number => {
  if (type === "application/json" || data) return 200;
  return data === undefined || errors?.every(isAskedWrong) ? 400 : 500;
};

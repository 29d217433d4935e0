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

/** Media types of responses; the first is for a client without a preference. */
export const mediaTypes = ["application/json", "application/graphql-response+json"] as const;
export type MediaType = (typeof mediaTypes)[number];

export type GraphqlAnswer =
  /** Why the body is not a GraphQL request: the client gets 400 in the service's own error format. */
  | { readonly refused: string }
  | {
      readonly refused?: undefined;
      readonly status: number;
      readonly body: string | KnownAnswer;
    };

/** Answers POST bodies, each from one snapshot of the read model (Specification §4.1). */
export interface GraphqlSurface {
  /**
   * @param outcome result of `executeCached` for this body, used instead of executing again if its reader is the same
   */
  answer(reader: Reader, body: Uint8Array, type: MediaType, outcome?: Ran): Promise<GraphqlAnswer>;
  /**
   * Executes a request synchronously if its document is cached.
   * @returns undefined when the document is not cached
   */
  runKnown(reader: Reader, body: Uint8Array): Ran | undefined;
}

/** Outcome of executing a cached document. */
export type Ran = { readonly reader: Reader } & (
  | { readonly known: KnownAnswer }
  /** Result with errors, which `answer` turns into a response. */
  | { readonly known?: undefined; readonly result: ExecutionResult }
);

/** Body of a response with status 200, the same in both media types. */
export interface KnownAnswer {
  /** JSON with one character per byte of its UTF-8. */
  readonly text: string;
  readonly footprint: Footprint | undefined;
}

export interface GraphqlWorld {
  /** The published schema. */
  readonly sdl: string;
  readonly baseUrl: string;
  readonly log: Logger;
  /** Compiles documents; the default is `compilePlan`. */
  readonly compile?: typeof compilePlan;
}

export const createGraphql = ({ sdl, baseUrl, log, compile }: GraphqlWorld): GraphqlSurface => {
  const schema = createSchema(sdl);
  const documents = createDocuments(schema);
  const execute = createExecute(schema, compile);
  const readRequest = createReadRequest();
  const run = (reader: Reader, operation: Omit<Run, "context">) =>
    reader.snapshot((snapshot, readSet) => {
      const budget = { characters: 0, isIncomplete: false };
      const output = execute({
        ...operation,
        context: { moment: snapshot, baseUrl, log, told: budget },
      });
      // Keeps an incomplete response out of the cache, because a retry may succeed.
      return { output, readSet: budget.isIncomplete ? undefined : readSet };
    });

  return {
    async answer(reader, body, type, outcome) {
      if (outcome?.reader === reader) {
        return outcome.known
          ? { status: 200, body: outcome.known }
          : toResponse(outcome.result, type, log);
      }
      const request = readRequest(body);
      if (typeof request === "string") return { refused: request };
      const { variables } = request;
      let serialized: KnownAnswer | undefined;
      const result = await runRequest(schema, documents, request, (document, operation) => {
        const { output, readSet } = run(reader, { document, operation, variables });
        if (output.text === undefined) return output;
        serialized = { text: output.text, footprint: readSet };
        return {};
      });
      if (serialized) return { status: 200, body: serialized };
      return toResponse(result, type, log);
    },
    runKnown(reader, body) {
      const request = readRequest(body);
      if (typeof request === "string") return undefined;
      const document = documents.known(request.query);
      const operation = document && getOperationAST(document, request.operationName);
      if (!operation) return undefined;
      const { variables } = request;
      const { output, readSet } = run(reader, { document, operation, variables });
      if (output.text !== undefined)
        return { reader, known: { text: output.text, footprint: readSet } };
      if (output.errors) return { reader, result: output };
      const text = Buffer.from(JSON.stringify(output)).toString("latin1");
      return { reader, known: { text, footprint: readSet } };
    },
  };
};

const toResponse = (result: ExecutionResult, type: MediaType, log: Logger): GraphqlAnswer => {
  const payload = maskErrors(result, log);
  return { status: selectStatus(payload, type), body: JSON.stringify(payload) };
};

/**
 * Replaces the errors of failed resolvers by a general message, so that no client sees what was thrown. Only errors of
 * resolvers and of arguments whose variable has no value have a path.
 */
const maskErrors = (result: ExecutionResult, log: Logger): ExecutionResult => {
  if (!result.errors?.some((error) => error.path)) return result;
  return {
    ...result,
    errors: result.errors.map((error) => {
      if (isClientError(error)) return error;
      log.error({ err: error.originalError ?? error, path: error.path }, "a GraphQL field failed");
      return new GraphQLError(internalMessage, { path: error.path });
    }),
  };
};

/** Checks whether the client caused an error. graphql-js reports errors in arguments with a GraphQLError as origin. */
const isClientError = ({ path, originalError }: GraphQLError): boolean =>
  !path || originalError instanceof GraphQLError;

/**
 * Selects the status by GraphQL over HTTP. `application/json` has 200 for every well-formed request. The newer media
 * type has 400 when nothing was executed, and 500 when execution gave no data.
 */
const selectStatus = ({ data, errors }: ExecutionResult, type: MediaType): number => {
  if (type === "application/json" || data) return 200;
  return data === undefined || errors?.every(isClientError) ? 400 : 500;
};

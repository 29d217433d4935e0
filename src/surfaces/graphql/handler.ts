import { type ExecutionResult, GraphQLError, getOperationAST } from "graphql";
import type { Logger } from "../../log.ts";
import type { Positioned } from "../../read-model/reader/feed/position.ts";
import type { Reader, ReadSetCheck } from "../../read-model/reader/reader.ts";
import { internalMessage } from "../user-error.ts";
import { compilePlan } from "./compiled/compile.ts";
import { createDocumentCache } from "./document-cache.ts";
import { createExecute, type Execution, type ExecutionOutput } from "./execute.ts";
import { runRequest } from "./helix-adapter.ts";
import {
  type CompleteRequest,
  createPersistedQueries,
  createReadRequest,
  type GraphqlRequest,
  type PersistedQueryProblem,
  readParameters,
} from "./parse-request.ts";
import { createSchema } from "./schema.ts";

/** Answers requests, each from one snapshot of the read model (Specification §4.1): at once when the document is cached. */
export interface GraphqlSurface {
  readonly body: Answer<Uint8Array>;
  readonly parameters: Answer<URLSearchParams>;
}

type Answer<Source> = (
  reader: Reader,
  source: Source,
  type: MediaType,
) => GraphqlResponse | Promise<GraphqlResponse>;

export interface GraphqlDeps {
  /** The published schema. */
  readonly sdl: string;
  readonly baseUrl: string;
  readonly log: Logger;
  /** Called when a plan bails out, so that graphql-js executes the operation again. */
  readonly onFallback: () => void;
}

/** Creates the GraphQL surface of a process. */
export const createGraphql = ({ sdl, baseUrl, log, onFallback }: GraphqlDeps): GraphqlSurface => {
  const schema = createSchema(sdl);
  const documents = createDocumentCache(schema);
  const execute = createExecute(schema, compilePlan, onFallback);
  const readBody = createReadRequest();
  const persistedQueries = createPersistedQueries();
  const run = (
    reader: Reader,
    { document, operation }: Pick<Execution, "document" | "operation">,
    variables: Execution["variables"],
  ): Run =>
    reader.snapshot((snapshot, madeFrom) => {
      const budget = { fields: 0, characters: 0, variants: 0, isIncomplete: false };
      const context = { snapshot, baseUrl, log, budget };
      const output = execute({ document, operation, variables, context });
      // Keeps an incomplete response out of the cache, because a retry may succeed.
      return { output, madeFrom, readSet: budget.isIncomplete ? undefined : madeFrom };
    });

  /** Answers a request whose document is valid. */
  const answerValid = (
    reader: Reader,
    request: CompleteRequest,
    operation: Pick<Execution, "document" | "operation">,
    type: MediaType,
  ): GraphqlResponse => {
    const { query, persistedQuery } = request;
    if (persistedQuery) persistedQueries.keep(persistedQuery.sha256Hash, query);
    const response = toResponse(run(reader, operation, request.variables), type, log);
    return persistedQuery ? { ...response, isRegistration: true } : response;
  };

  const answerNew = async (
    reader: Reader,
    request: CompleteRequest,
    type: MediaType,
  ): Promise<GraphqlResponse> => {
    let answer: GraphqlResponse | undefined;
    const result = await runRequest(schema, documents, request, (document, operation) => {
      answer = answerValid(reader, request, { document, operation }, type);
      return {};
    });
    return answer ?? toResponse({ output: result }, type, log);
  };

  const answer = (
    reader: Reader,
    parsed: GraphqlRequest | string,
    type: MediaType,
  ): GraphqlResponse | Promise<GraphqlResponse> => {
    if (typeof parsed === "string") return { badRequest: parsed };
    const request = persistedQueries.complete(parsed);
    if (typeof request === "string") return toProblem(request);
    if ("badRequest" in request) return request;
    const document = documents.getCached(request.query);
    const operation = document && getOperationAST(document, request.operationName);
    return operation
      ? answerValid(reader, request, { document, operation }, type)
      : answerNew(reader, request, type);
  };
  return {
    body: (reader, body, type) => answer(reader, readBody(body), type),
    parameters: (reader, parameters, type) => answer(reader, readParameters(parameters), type),
  };
};

/** Media types of responses; the first is for a client without a preference. */
export const mediaTypes = ["application/json", "application/graphql-response+json"] as const;
export type MediaType = (typeof mediaTypes)[number];

export type GraphqlResponse =
  /** Why this is not a GraphQL request: the client gets 400 in the service's own error format. */
  { readonly badRequest: string } | Answered;

/** Response to a GraphQL request. */
interface Answered {
  readonly badRequest?: undefined;
  readonly status: number;
  /** JSON with one character per byte of its UTF-8. */
  readonly text: string;
  /** Absent when no snapshot was read. */
  readonly madeFrom?: Positioned | undefined;
  /** Absent when the response must not be cached. */
  readonly readSet?: ReadSetCheck | undefined;
  /** Set when the request registered a persisted query. It must not be answered from a cache, because the text may be evicted. */
  readonly isRegistration?: true;
}

/** Answers with the error that clients of persisted queries wait for. The status is 200, as that of Apollo's server. */
const toProblem = (message: PersistedQueryProblem): GraphqlResponse => ({
  status: 200,
  text: JSON.stringify({ errors: [{ message, extensions: { code: problemCodes[message] } }] }),
});

const problemCodes: Readonly<Record<PersistedQueryProblem, string>> = {
  PersistedQueryNotFound: "PERSISTED_QUERY_NOT_FOUND",
  PersistedQueryNotSupported: "PERSISTED_QUERY_NOT_SUPPORTED",
};

/** Output of a request, with what `Answered` has of its snapshot. */
interface Run extends Pick<Answered, "madeFrom" | "readSet"> {
  readonly output: ExecutionOutput;
}

const toResponse = ({ output, madeFrom, readSet }: Run, type: MediaType, log: Logger): Answered => {
  if (output.text !== undefined) return { status: 200, text: output.text, madeFrom, readSet };
  const payload = maskErrors(output, log);
  const text = Buffer.from(JSON.stringify(payload)).toString("latin1");
  return {
    status: selectStatus(payload, type),
    text,
    madeFrom,
    readSet: payload.errors ? undefined : readSet,
  };
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

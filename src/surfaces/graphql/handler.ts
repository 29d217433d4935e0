import { getOperationAST } from "graphql";
import type { Logger } from "../../log.ts";
import type { Reader } from "../../read-model/reader/reader.ts";
import { compilePlan } from "./compiled/compile.ts";
import { createDocumentCache } from "./document-cache.ts";
import { createExecute, type Execution } from "./execute.ts";
import { runRequest } from "./helix-adapter.ts";
import {
  type CompleteRequest,
  createReadRequest,
  type GraphqlRequest,
  readParameters,
} from "./parse-request.ts";
import { createPersistedQueries } from "./persisted-queries.ts";
import { type GraphqlResponse, type MediaType, toProblem, toResponse } from "./response.ts";
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
  const run = (reader: Reader, operation: Omit<Execution, "context">) =>
    reader.snapshot((snapshot, readSet) => {
      const budget = { fields: 0, characters: 0, variants: 0, isIncomplete: false };
      const output = execute({
        ...operation,
        context: { snapshot, baseUrl, log, budget },
      });
      // Keeps an incomplete response out of the cache, because a retry may succeed.
      return { output, readSet: budget.isIncomplete ? undefined : readSet };
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
    const { output, readSet } = run(reader, { ...operation, variables: request.variables });
    const response = toResponse(output, readSet, type, log);
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
    return answer ?? toResponse(result, undefined, type, log);
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

import { type ExecutionResult, GraphQLError } from "graphql";
import type { Logger } from "../../log.ts";
import type { ReadSetCheck } from "../../read-model/reader/reader.ts";
import { internalMessage } from "../user-error.ts";
import type { ExecutionOutput } from "./execute.ts";
import type { PersistedQueryProblem } from "./persisted-queries.ts";

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
  /** Absent when the response must not be cached. */
  readonly readSet?: ReadSetCheck | undefined;
  /** Set when the request registered a persisted query. It must not be answered from a cache, because the text may be evicted. */
  readonly isRegistration?: true;
}

/** Answers with the error that clients of persisted queries wait for. The status is 200, as that of Apollo's server. */
export const toProblem = (message: PersistedQueryProblem): GraphqlResponse => ({
  status: 200,
  text: JSON.stringify({ errors: [{ message, extensions: { code: problemCodes[message] } }] }),
});

const problemCodes: Readonly<Record<PersistedQueryProblem, string>> = {
  PersistedQueryNotFound: "PERSISTED_QUERY_NOT_FOUND",
  PersistedQueryNotSupported: "PERSISTED_QUERY_NOT_SUPPORTED",
};

export const toResponse = (
  output: ExecutionOutput,
  readSet: ReadSetCheck | undefined,
  type: MediaType,
  log: Logger,
): Answered => {
  if (output.text !== undefined) return { status: 200, text: output.text, readSet };
  const payload = maskErrors(output, log);
  const text = Buffer.from(JSON.stringify(payload)).toString("latin1");
  return {
    status: selectStatus(payload, type),
    text,
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

import type {
  DocumentNode,
  ExecutionResult,
  GraphQLSchema,
  OperationDefinitionNode,
} from "graphql";
import { processRequest } from "graphql-helix";
import type { DocumentCache } from "./document-cache.ts";
import type { CompleteRequest } from "./parse-request.ts";

/**
 * Runs one request through graphql-helix, which selects the operation and turns parse and validation errors into
 * `errors`. Rethrows exceptions of `execute`, because graphql-helix would send them to the client.
 */
export const runRequest = async (
  schema: GraphQLSchema,
  documents: DocumentCache,
  { query, operationName }: CompleteRequest,
  execute: (document: DocumentNode, operation: OperationDefinitionNode) => ExecutionResult,
): Promise<ExecutionResult> => {
  const caught: { thrown?: unknown } = {};
  const result = await processRequest({
    query,
    ...(operationName !== undefined && { operationName }),
    request: jsonRequest,
    schema,
    parse: documents.parse,
    validate: (_schema, document) => documents.validate(document),
    contextFactory: ({ operation }) => operation,
    execute: ({ document, contextValue }) => {
      try {
        return execute(document, contextValue);
      } catch (thrown) {
        caught.thrown = thrown;
        throw thrown;
      }
    },
  });
  if ("thrown" in caught) throw caught.thrown;
  if (result.type !== "RESPONSE") throw new Error(`graphql-helix answered with ${result.type}`);
  return result.payload;
};

/** Replaces the client's Accept header, because graphql-helix would open a stream for `text/event-stream`. */
const jsonRequest = { method: "POST", headers: { accept: "application/json" }, query: {} };

import type {
  DocumentNode,
  ExecutionResult,
  GraphQLSchema,
  OperationDefinitionNode,
} from "graphql";
import { processRequest } from "graphql-helix";
import type { Documents } from "./document-cache.ts";
import type { GraphqlRequest } from "./parse-request.ts";

/**
 * One request through graphql-helix, which finds the operation and turns what refuses a document
 * into `errors`. Throws what `execute` threw: graphql-helix would show it to the client.
 */
export const runRequest = async (
  schema: GraphQLSchema,
  documents: Documents,
  { query, operationName }: GraphqlRequest,
  execute: (document: DocumentNode, operation: OperationDefinitionNode) => ExecutionResult,
): Promise<ExecutionResult> => {
  const failure: { thrown?: unknown } = {};
  const result = await processRequest({
    query,
    ...(operationName !== undefined && { operationName }),
    request: onlyJson,
    schema,
    parse: documents.parse,
    validate: (_schema, document) => documents.validate(document),
    contextFactory: ({ operation }) => operation,
    execute: ({ document, contextValue }) => {
      try {
        return execute(document, contextValue);
      } catch (thrown) {
        failure.thrown = thrown;
        throw thrown;
      }
    },
  });
  if ("thrown" in failure) throw failure.thrown;
  if (result.type !== "RESPONSE") throw new Error(`graphql-helix answered with ${result.type}`);
  return result.payload;
};

/** The client's own accept header is settled elsewhere: `text/event-stream` would be pushed to. */
const onlyJson = { method: "POST", headers: { accept: "application/json" }, query: {} };

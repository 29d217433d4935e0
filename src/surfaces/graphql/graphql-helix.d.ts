/** Declares the used part of graphql-helix, because this module resolution does not find its own types. */
declare module "graphql-helix" {
  import type {
    DocumentNode,
    ExecutionResult,
    GraphQLError,
    GraphQLSchema,
    OperationDefinitionNode,
  } from "graphql";

  export function processRequest(options: {
    readonly query: string;
    readonly operationName?: string;
    readonly request: {
      readonly method: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly query: unknown;
    };
    readonly schema: GraphQLSchema;
    readonly parse: (text: string) => DocumentNode;
    readonly validate: (schema: GraphQLSchema, document: DocumentNode) => readonly GraphQLError[];
    /** Its result reaches `execute` as `contextValue`. */
    readonly contextFactory: (request: {
      readonly operation: OperationDefinitionNode;
    }) => OperationDefinitionNode;
    readonly execute: (run: {
      readonly document: DocumentNode;
      readonly contextValue: OperationDefinitionNode;
    }) => ExecutionResult;
  }): Promise<
    | { readonly type: "RESPONSE"; readonly payload: ExecutionResult }
    | { readonly type: "PUSH" | "MULTIPART_RESPONSE" }
  >;
}

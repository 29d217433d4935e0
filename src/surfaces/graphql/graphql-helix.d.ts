/** graphql-helix keeps its types where this module resolution does not look: the part used here. */
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
    /** What it returns reaches `execute` as `contextValue`. */
    readonly contextFactory: (found: {
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

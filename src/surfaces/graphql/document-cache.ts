import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  isExecutableDefinitionNode,
  parse,
  specifiedRules,
  validate,
} from "graphql";
import { LRUCache } from "lru-cache";
import { getOperations } from "./limits/fields.ts";
import { graphqlLimits } from "./limits/limits.ts";
import { checkLimits } from "./limits/validate.ts";

export type DocumentCache = ReturnType<typeof createDocumentCache>;

/** Limits documents and characters of their texts, because a parsed document is far larger than its text. */
const cacheLimits = { max: 300, maxSize: 1024 * 1024 };

/** Maximum errors in a response, because a malformed document can have thousands. */
const maxErrors = 10;

/**
 * Parses and validates documents, and caches the valid ones by their text: only these, so that rejected ones cannot evict those in use.
 */
export const createDocumentCache = (schema: GraphQLSchema) => {
  const byText = new LRUCache<string, DocumentNode>({
    ...cacheLimits,
    sizeCalculation: (_document, text) => text.length,
  });
  const validDocuments = new WeakSet<DocumentNode>();

  return {
    /** @returns undefined when no valid document with this text is cached */
    getCached: (text: string): DocumentNode | undefined => byText.get(text),
    /** @throws GraphQLError when the syntax is invalid */
    parse: (text: string): DocumentNode =>
      byText.get(text) ?? guardRecursion(() => parse(text, { maxTokens: graphqlLimits.tokens })),
    /** @returns why the document is rejected: over a limit, or invalid; empty when it is valid */
    validate: (document: DocumentNode): readonly GraphQLError[] => {
      if (validDocuments.has(document)) return [];
      const errors = findErrors(schema, document);
      if (errors.length === 0) {
        validDocuments.add(document);
        byText.set(getSourceText(document), document);
      }
      return errors;
    },
  };
};

/** Checks the limits first, because they are cheap and bound the cost of GraphQL's own rules. */
const findErrors = (schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] => {
  const limitErrors = [
    ...findTypeDefinitions(document),
    ...checkLimits(document),
    ...findUnsupportedOperations(schema, document),
  ];
  return limitErrors.length > 0
    ? limitErrors
    : guardRecursion(() => validate(schema, document, specifiedRules, { maxErrors }));
};

/**
 * Rejects type and directive definitions, as GraphQL's ExecutableDefinitionsRule does. It runs before GraphQL's rules,
 * because others of them compare an unknown type name with each defined one. Measured: two names of 32 KB block a
 * process for seconds.
 */
const findTypeDefinitions = ({ definitions }: DocumentNode): readonly GraphQLError[] =>
  definitions
    .filter((definition) => !isExecutableDefinitionNode(definition))
    .slice(0, maxErrors)
    .map(
      (node) => new GraphQLError("A query may not define types or directives.", { nodes: node }),
    );

/** Rejects mutations and subscriptions, because GraphQL's own rules accept them without such a root type. */
const findUnsupportedOperations = (
  schema: GraphQLSchema,
  document: DocumentNode,
): readonly GraphQLError[] =>
  getOperations(document)
    .filter(({ operation }) => !schema.getRootType(operation))
    .map((node) => new GraphQLError(`The schema has no ${node.operation} type.`, { nodes: node }));

/** Rejects a document that overflows graphql-js's stack: the token limit admits values nested a thousand deep. */
const guardRecursion = <T>(run: () => T): T => {
  try {
    return run();
  } catch (thrown) {
    if (thrown instanceof RangeError) throw new GraphQLError("The document is nested too deeply.");
    throw thrown;
  }
};

const getSourceText = (document: DocumentNode): string => {
  if (!document.loc) throw new Error("a document without its text");
  return document.loc.source.body;
};

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
import { ceilings } from "./limits/limits.ts";
import { operationsOf, overCeilings } from "./limits/validate.ts";

/** Parsing and validation, each done once per text. */
export interface Documents {
  /** Throws the syntax error. */
  readonly parse: (text: string) => DocumentNode;
  /** The document of a text that may run, if it did lately. */
  readonly known: (text: string) => DocumentNode | undefined;
  /** Why the document is refused: over a ceiling, or invalid. Empty when it may run. */
  readonly validate: (document: DocumentNode) => readonly GraphQLError[];
}

/** Documents kept, and the characters of text they may add up to: what they are parsed into is far larger. */
const kept = { max: 300, maxSize: 1024 * 1024 };

/** Errors told at once; a malformed document can hold thousands. */
const maxErrors = 10;

/** Only a document that passed is kept, so that refused ones cannot drive out those in use. */
export const createDocuments = (schema: GraphQLSchema): Documents => {
  const byText = new LRUCache<string, DocumentNode>({
    ...kept,
    sizeCalculation: (_document, text) => text.length,
  });
  const passed = new WeakSet<DocumentNode>();

  return {
    known: (text) => byText.get(text),
    parse: (text) => byText.get(text) ?? shallow(() => parse(text, { maxTokens: ceilings.tokens })),
    validate: (document) => {
      if (passed.has(document)) return [];
      const errors = refusals(schema, document);
      if (errors.length === 0) {
        passed.add(document);
        byText.set(textOf(document), document);
      }
      return errors;
    },
  };
};

/** The ceilings first: they are cheap, and bound what the rules of GraphQL have to look at. */
const refusals = (schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] => {
  const early = [
    ...notExecutable(document),
    ...overCeilings(document),
    ...withoutRoot(schema, document),
  ];
  return early.length > 0
    ? early
    : shallow(() => validate(schema, document, specifiedRules, { maxErrors }));
};

/**
 * As GraphQL's own rule says it. That is one of many, and others would go through what is defined here for names like those
 * that are not known: two of 32 KB keep a process for seconds.
 */
const notExecutable = ({ definitions }: DocumentNode): readonly GraphQLError[] =>
  definitions
    .filter((each) => !isExecutableDefinitionNode(each))
    .slice(0, maxErrors)
    .map((node) => new GraphQLError("A query defines no types or directives.", { nodes: node }));

/** Mutations and subscriptions: GraphQL's own rules let them pass where the schema has no such root. */
const withoutRoot = (schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] =>
  operationsOf(document)
    .filter(({ operation }) => !schema.getRootType(operation))
    .map((node) => new GraphQLError(`The schema has no ${node.operation} type.`, { nodes: node }));

/** A value nested a thousand deep is within the tokens, and past the stack of a parser that recurses. */
const shallow = <T>(step: () => T): T => {
  try {
    return step();
  } catch (thrown) {
    if (thrown instanceof RangeError) throw new GraphQLError("The document is nested too deeply.");
    throw thrown;
  }
};

const textOf = (document: DocumentNode): string => {
  if (!document.loc) throw new Error("a document without its text");
  return document.loc.source.body;
};

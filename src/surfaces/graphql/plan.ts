import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import { type Fragments, fragmentsOf, isIntrospection, type Size } from "./limits.ts";
import type { Context } from "./schema.ts";

/** A compiled operation: what `execute` of graphql-js would answer, several times faster. */
export type Plan = (
  context: Context,
  variables: Readonly<Record<string, unknown>>,
) => ExecutionResult;

/** Code grows with the fields it fills; past this many it is not worth its memory. */
const mostFields = 200;

/** The plan of one operation, or undefined when graphql-js has to execute it. */
export const compilePlan = (
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  size: Size,
): Plan | undefined => {
  if (size.fields > mostFields || !isPlain(document, operation)) return undefined;
  const compiled = compileQuery(schema, document, operation.name?.value);
  if (!isCompiledQuery(compiled)) return undefined;
  return (context, variables) => settled(compiled.query(undefined, context, { ...variables }));
};

/**
 * Left to graphql-js: introspection, which would be compiled for types that no answer ever reaches;
 * a name such as `__proto__`, which means something else in code than in a document; and a condition
 * where one field is asked for twice, which graphql-jit answers with fields that were left out.
 */
const isPlain = (document: DocumentNode, operation: OperationDefinitionNode): boolean => {
  let odd = false;
  let conditional = false;
  visit(document, {
    Field: (field) => {
      odd ||= isIntrospection(field.name.value);
    },
    Name: (name) => {
      odd ||= name.value in Object.prototype;
    },
    Directive: () => {
      conditional = true;
    },
  });
  return !odd && !(conditional && asksTwice(operation.selectionSet, fragmentsOf(document)));
};

/** Whether a response name occurs twice at one level, fragments inlined. */
const asksTwice = (set: SelectionSetNode, fragments: Fragments): boolean => {
  const fields = inlined(set, fragments);
  const names = new Set(fields.map((field) => (field.alias ?? field.name).value));
  return (
    names.size < fields.length ||
    fields.some(({ selectionSet }) => selectionSet && asksTwice(selectionSet, fragments))
  );
};

const inlined = (set: SelectionSetNode, fragments: Fragments): readonly FieldNode[] =>
  set.selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    const inner =
      selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
    return inner ? inlined(inner.selectionSet, fragments) : [];
  });

const settled = (result: ExecutionResult | Promise<ExecutionResult>): ExecutionResult => {
  if (result instanceof Promise) throw new Error("a resolver answered with a promise");
  return result;
};

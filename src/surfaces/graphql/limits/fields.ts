import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

export const collectFragments = (document: DocumentNode): Fragments =>
  new Map(
    document.definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );

export const getOperations = (document: DocumentNode): readonly OperationDefinitionNode[] =>
  document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);

/**
 * Lists the fields of a selection set with fragments inlined, also those that `@skip` and `@include` exclude. Call it
 * only after the limits on complexity have passed, because fragments multiply fields without bound.
 * @param set undefined for a field without selection
 */
export const inlineFields = (
  set: SelectionSetNode | undefined,
  fragments: Fragments,
): readonly FieldNode[] =>
  set?.selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return selection;
    const inner =
      selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
    return inlineFields(inner?.selectionSet, fragments);
  }) ?? [];

export const getResponseName = ({ alias, name }: FieldNode): string => (alias ?? name).value;

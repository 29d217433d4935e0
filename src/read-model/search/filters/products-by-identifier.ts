import type { IdentifierMember } from "../../schema/documents.ts";
import { idUpperBound, tables } from "../../schema/tables.ts";
import type { ReadTables } from "../../store/store.ts";
import { normaliseIdentifier } from "../text/identifiers.ts";

/**
 * Finds products by a reference, GTIN or MPN of their own or of a variant.
 * @returns ascending ids
 */
export const findByIdentifier = (stored: ReadTables, text: string): readonly number[] => [
  ...new Set(readRows(stored, normaliseIdentifier(text)).map(([, id]) => id)),
];

/**
 * Finds products by one kind of identifier.
 * @returns ascending ids
 */
export const findByMember = (
  stored: ReadTables,
  member: IdentifierMember,
  text: string,
): readonly number[] => {
  const rows = readRows(stored, normaliseIdentifier(text));
  return rows.filter(([, , storedMember]) => storedMember === member).map(([, id]) => id);
};

/** @param identifier normalised; empty when nothing is left of it */
const readRows = (stored: ReadTables, identifier: string) => {
  if (identifier === "") return [];
  const range = { start: [identifier], end: [identifier, idUpperBound] } as const;
  return [...stored.keys(tables.identifiers, range)];
};

import type { ProductDocument } from "../../../read-model/schema/documents.ts";
import { tables } from "../../../read-model/schema/tables.ts";
import type { WritableTables } from "../../../read-model/store/store.ts";
import { diffSets } from "../set-diff.ts";

type MaybeDocument = ProductDocument | undefined;

/** Updates the instants at which the page of a product changes without an event. */
export const updateEdges = (
  stored: WritableTables,
  id: number,
  before: MaybeDocument,
  after: MaybeDocument,
): void => {
  const [removed, added] = diffSets(listEdges(before), listEdges(after));
  for (const instant of removed) stored.remove(tables.edges, [instant, id]);
  for (const instant of added) stored.put(tables.edges, [instant, id], true);
};

/** Lists the instants at which the page of a product changes without an event, each once. */
export const listEdges = (document: MaybeDocument): readonly number[] =>
  document?.offers ? [...new Set([...document.offers.edges, ...document.offers.dateEdges])] : [];

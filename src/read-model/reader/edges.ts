import type { CategoryDocument } from "../schema/documents.ts";
import { tables } from "../schema/tables.ts";
import type { ReadTables } from "../store/store.ts";
import { priceChangeAt, type View } from "./offer.ts";
import { expireAt, type SnapshotState } from "./snapshot-state.ts";

/** Instants at which pages change without an event. */

/** Finds the next edge of any product after an instant; infinite when there is none. */
export const readNextEdge = (stored: ReadTables, instant: number): number => {
  for (const [edge] of stored.keys(tables.edges, { start: [instant + 1], limit: 1 })) return edge;
  return Number.POSITIVE_INFINITY;
};

/** Limits the reads of a snapshot to the time before the next edge of any product. */
export const expireWithNextEdge = (stored: ReadTables, state: SnapshotState): void =>
  expireAt(state, readNextEdge(stored, state.instant));

/** Returns the last edge of any product that has passed; 0 when none has. */
export const readLastEdge = (stored: ReadTables, instant: number): number => {
  const range = { start: [instant + 1], reverse: true, limit: 1 } as const;
  for (const [edge] of stored.keys(tables.edges, range)) return edge;
  return 0;
};

/** Dates the page of a category at an instant, by the prices of the products on it. */
export const showCategory = (
  { edges = [], ...category }: CategoryDocument,
  view: View,
): { readonly category: CategoryDocument; readonly nextChange: number } => {
  const { last, next } = priceChangeAt(edges, view);
  return { category: { ...category, lastmod: laterOf(category.lastmod, last) }, nextChange: next };
};

/** @param edge milliseconds since 1970 */
export const laterOf = (time: string, edge: number): string =>
  edge > Date.parse(time) ? new Date(edge).toISOString() : time;
